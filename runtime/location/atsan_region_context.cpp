//===-- atsan_region_context.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interns the begin stacks and names of regions. A region mostly begins where
// one has begun lately, on the same stack: then the thread knows its context.
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_location_internal.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

constexpr uptr kSmallestPage = 4096;

// Names are copied, once each: the string may be on the heap, or its module
// may be unloaded before a report names it.
static StaticSpinMutex name_table_mutex;
static DenseMap<u64, const char *> *name_table;

static const char *InternName(const char *name, u64 hash) {
  alignas(DenseMap<u64, const char *>) static char
      storage[sizeof(DenseMap<u64, const char *>)];
  static LowLevelAllocator names;
  SpinMutexLock lock(&name_table_mutex);
  if (!name_table)
    name_table = new (storage) DenseMap<u64, const char *>();
  // DenseMap looks at the lower bits, which the last characters do not reach in
  // the hash of a step. The two largest keys are its own.
  for (hash = HashEnd(hash) >> 1;; hash = (hash + 1) & (~0ull >> 1)) {
    const char *&known = (*name_table)[hash];
    if (!known) {
      // Kept for good, so not from the internal allocator
      // (lib/checker/atsan_array.h).
      const uptr size = internal_strlen(name) + 1;
      auto *copy = static_cast<char *>(names.Allocate(size));
      internal_memcpy(copy, name, size);
      known = copy;
      return known;
    }
    if (!internal_strcmp(known, name))
      return known;
  }
}

// Hashes eight characters a step, where they cannot reach into another page.
u64 HashName(const char *name) {
  constexpr u64 kOnes = ~0ull / 255;
  for (u64 hash = kRegion;; name += sizeof(u64)) {
    u64 word = 0;
    if (LIKELY(reinterpret_cast<uptr>(name) % kSmallestPage <=
               kSmallestPage - sizeof(word)))
      __builtin_memcpy(&word, name, sizeof(word));
    else
      for (u32 i = 0; i < sizeof(word) && name[i]; i++)
        word |= static_cast<u64>(static_cast<u8>(name[i])) << (8 * i);
    // The lowest bit of `end` is in the first byte of `word` that is 0.
    u64 end = (word - kOnes) & ~word & (kOnes << 7);
    if (end)
      return HashStep(hash, word & ((end & -end) - 1));
    hash = HashStep(hash, word);
  }
}

bool region_memos_exist;

static NOINLINE u32 PutRegion(Thread *thr, const char *name, u64 name_hash,
                              const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  NoteRegionPlace();
  region_memos_exist = true;
  uptr *words = thr->location_cache->words;
  u32 frames = Walk(thr, at, words + 1, kMaxFrames);
  words[0] =
      reinterpret_cast<uptr>(name ? InternName(name, name_hash) : nullptr);
  return StackDepotPut(StackTrace(words, frames + 1, kRegion));
}

const RegionMemo *InternRegion(Thread *thr, const char *name, bool is_constant,
                               const AccessPoint &at) {
  const uptr here = GET_CURRENT_FRAME();
  LocationCache *cache = GetCache(thr);
  RegionMemo *memo = &cache->regions[RegionMemo::Place(name, at)];
  // The content of the name counts, not its address: a program may build names
  // in a buffer.
  const u64 name_hash = name ? HashName(name) : kRegion;
  u64 hash = HashStep(name_hash, at.pc);
  u32 size = 1, visited = 0;
  memo->frame = {no_frame, 0};
  WalkCallers(thr, at.fp, [&](uptr fp, uptr parent, uptr return_address) {
    if (!visited)
      memo->frame = {fp, return_address};
    if (visited < RegionMemo::kMaxFrames)
      memo->frames[visited] = {parent, return_address};
    visited++;
    if (UNLIKELY(!IsCode(return_address)) || UNLIKELY(size == kMaxFrames))
      return false;
    size++;
    hash = HashStep(hash, return_address);
    return true;
  });
  memo->id = CachedId(cache, HashEnd(hash),
                      [&] { return PutRegion(thr, name, name_hash, at); });
  memo->hash = HashRegion(memo->id);
  const bool is_exact = is_constant && here >= thr->stack_bottom &&
                        here < thr->stack_top && visited &&
                        visited <= RegionMemo::kMaxFrames;
  memo->pc = is_exact ? at.pc : 0;
  memo->name = name;
  memo->stack_top = thr->stack_top;
  memo->num_frames = visited;
  return memo;
}

u32 InternRegionPart(Thread *thr, u32 context, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  LocationCache *cache = GetCache(thr);
  // Parts of parts are parts of the whole.
  StackTrace whole = StackDepotGet(context);
  cache->words[0] = whole.tag == kRegionPart ? whole.trace[0] : context;
  u32 size = Walk(thr, at, cache->words + 1, kMaxFrames) + 1;
  u64 hash = kRegionPart;
  for (u32 i = 0; i < size; i++)
    hash = HashStep(hash, cache->words[i]);
  u32 id = CachedId(cache, HashEnd(hash), [&] {
    return StackDepotPut(StackTrace(cache->words, size, kRegionPart));
  });
  thr->region_hash = HashRegion(id);
  thr->entered = 0;
  return id;
}

void LocationLockForFork() { name_table_mutex.Lock(); }
void LocationUnlockAfterFork() { name_table_mutex.Unlock(); }

}  // namespace __atsan
