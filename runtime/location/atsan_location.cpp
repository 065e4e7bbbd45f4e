//===-- atsan_location.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks stacks and interns them. InternLocation runs for every access that is
// recorded, with cells of the checker locked: nothing here may call the
// checker, an intercepted function, or anything that prints. Mostly it finds
// the id in a cache of the thread, by a hash of the frames up to the region's.
//
// Each depot entry is a stack with a tag that says what it stands for, and with
// pseudo-frames in front of the real ones:
//   location     [size, region context, pc...]   tag: kLocation | kind
//                (with `entered` in the upper half of the context)
//   region       [name, pc...]                   tag: kRegion
//   region part  [context, pc...]                tag: kRegionPart
//   plain stack  [pc...]                         tag: 0
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_location.h"

#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_procmaps.h"
#include "sanitizer_common/sanitizer_stackdepot.h"

namespace __atsan {

namespace {

enum Tag : u32 {
  kRegion = 1,
  kRegionPart = 2,
  kLocation = 0x80,
  // The stack ends at the region's frame; its begin stack has the rest.
  kEndsAtRegion = 0x40,
  kKindMask = 0x3f,
};

constexpr u32 kPseudoFrames = 2;
constexpr u32 kMaxFrames = kStackTraceMax - kPseudoFrames;
constexpr uptr kSmallestPage = 4096;
// Each number of entries up to this has locations of its own; beyond, order is
// not told.
constexpr u32 kMaxEntered = 3;
constexpr u32 kEnteredShift = 32;

}  // namespace

uptr no_frame;

static LocationCache *GetCache(Thread *thr) {
  if (UNLIKELY(!thr->location_cache))
    thr->location_cache = static_cast<LocationCache *>(
        MmapOrDie(sizeof(LocationCache), "atsan location cache"));
  return thr->location_cache;
}

void LocationFreeMemory(Thread *thr) {
  UnmapOrDie(thr->location_cache, sizeof(LocationCache));
  UnmapOrDie(thr->stack_buffer, sizeof(BufferedStackTrace));
  thr->location_cache = nullptr;
  thr->stack_buffer = nullptr;
}

// --- Walking. ----------------------------------------------------------------

// The running code of the fiber `thr` has its frame at `here`. The mapping
// around it is at least the fiber's stack, and may be read.
static void FindFiberStack(Thread *thr, uptr here) {
  if (here >= thr->stack_bottom && here < thr->stack_top)
    return;
  MemoryMappingLayout maps(/*cache_enabled=*/false);
  MemoryMappedSegment segment;
  while (maps.Next(&segment)) {
    if (here < segment.start || here >= segment.end)
      continue;
    thr->stack_bottom = segment.start;
    thr->stack_top = segment.end;
    return;
  }
}

// Calls visit(fp, parent_fp, return_address) for each frame from `fp` up, until
// it returns false.
template <class Visitor>
static void WalkCallers(const Thread *thr, uptr fp, Visitor visit) {
  // Below the current frame the stack may be unmapped; on a signal stack the
  // thread's own frames are not the current ones.
  uptr lowest;
  uptr here = GET_CURRENT_FRAME();
  if (UNLIKELY(thr->is_fiber) && thr == cur_thread)
    FindFiberStack(cur_thread, here);
  lowest = thr->stack_bottom;
  if (thr == cur_thread && here >= lowest && here < thr->stack_top)
    lowest = here;
  const uptr top = thr->stack_top;
  for (;;) {
    if (UNLIKELY(!IsFrame(fp, lowest, top)))
      return;
    const uptr *frame = reinterpret_cast<const uptr *>(fp);
    if (UNLIKELY(!visit(fp, frame[0], frame[1])))
      return;
    lowest = fp + 2 * sizeof(uptr);
    fp = frame[0];
  }
}

// Calls visit(return_address) for up to max - 1 frames. Stops at the frame
// `until` (if it is met, *met becomes true and its caller is not visited).
template <class Visitor>
static void WalkReturns(const Thread *thr, const AccessPoint &at, u32 max,
                        const RegionFrame *until, bool *met, Visitor visit) {
  u32 size = 1;
  WalkCallers(thr, at.fp, [&](uptr fp, uptr, uptr return_address) {
    if (until && until->IsAt(fp)) {
      *met = true;
      return false;
    }
    if (return_address < kLowestCode || size == max)
      return false;
    size++;
    visit(return_address);
    return true;
  });
}

// Fills `pcs` with at.pc and its return addresses.
static u32 Walk(const Thread *thr, const AccessPoint &at, uptr *pcs, u32 max,
                const RegionFrame *until, bool *met) {
  u32 size = 0;
  pcs[size++] = at.pc;
  WalkReturns(thr, at, max, until, met,
              [&](uptr return_address) { pcs[size++] = return_address; });
  return size;
}

u32 WalkStack(const Thread *thr, const AccessPoint &at, uptr *pcs, uptr *frames,
              u32 max_frames) {
  u32 size = 0;
  pcs[size] = at.pc;
  frames[size++] = at.fp;
  WalkCallers(thr, at.fp, [&](uptr, uptr parent_fp, uptr return_address) {
    if (return_address < kLowestCode || size == max_frames)
      return false;
    pcs[size] = return_address;
    frames[size++] = parent_fp;
    return true;
  });
  return size;
}

void UnwindStack(Thread *thr, const AccessPoint &at,
                 BufferedStackTrace *stack) {
  stack->Reset();
  stack->top_frame_bp = at.fp;
  stack->size =
      Walk(thr, at, stack->trace_buffer, kMaxFrames, nullptr, nullptr);
}

// --- Interning. --------------------------------------------------------------

static u64 HashWords(const uptr *words, u32 size, u64 seed) {
  u64 hash = seed;
  for (u32 i = 0; i < size; i++)
    hash = HashStep(hash, words[i]);
  return HashEnd(hash);
}

// The id of `words` from the thread's cache, or what `put` returns.
template <class Put>
static u32 CachedId(LocationCache *cache, u64 hash, Put put) {
  u32 id = cache->Find(hash);
  if (LIKELY(id))
    return id;
  id = put();
  cache->Put(hash, id);
  return id;
}

static u32 CachedDepotPut(LocationCache *cache, u32 size, u32 tag) {
  return CachedId(cache, HashWords(cache->words, size, tag), [&] {
    return StackDepotPut(StackTrace(cache->words, size, tag));
  });
}

// Puts the access into the depot and, with this hash, into the cache, which
// does not have it.
static NOINLINE LocId PutLocation(Thread *thr, const AccessPoint &at,
                                  AccessKind kind, uptr size, u32 context,
                                  u64 hash) {
  ScopedInRuntime in_runtime(thr);
  LocationCache *cache = thr->location_cache;
  bool met = false;
  u32 frames = Walk(thr, at, cache->words + kPseudoFrames, kMaxFrames,
                    context ? &thr->region_frame : nullptr, &met);
  cache->words[0] = size;
  cache->words[1] = context;
  if (context)
    cache->words[1] |= static_cast<uptr>(thr->entered) << kEnteredShift;
  u32 tag = kLocation | static_cast<u32>(kind) | (met ? kEndsAtRegion : 0);
  u32 id = StackDepotPut(StackTrace(cache->words, frames + kPseudoFrames, tag));
  if (context)
    NoteAccessPlace(id);
  cache->Put(hash, id);
  return id;
}

// Interns a location outside regions, too, and at any depth.
static NOINLINE LocId InternAnywhere(Thread *thr, const AccessPoint &at,
                                     AccessKind kind, uptr size) {
  LocationCache *cache = GetCache(thr);
  cache->last_point = at;
  // A thread start or join at a boundary stands between two transactions.
  u32 context = thr->checker.active ? thr->region_context : 0;
  u64 hash = HashStep(HashRegion(context, context ? thr->entered : 0), at.pc);
  bool met = false;
  WalkReturns(
      thr, at, kMaxFrames, context ? &thr->region_frame : nullptr, &met,
      [&](uptr return_address) { hash = HashStep(hash, return_address); });
  hash = HashAccess(met ? hash : HashNotMet(hash), kind, size);
  LocId id = cache->Find(hash);
  return LIKELY(id) ? id : PutLocation(thr, at, kind, size, context, hash);
}

LocId InternLocation(CheckerThread *checker_thread, const AccessPoint &at,
                     AccessKind kind, uptr size) {
  static_assert(__builtin_offsetof(Thread, checker) == 0,
                "a CheckerThread of the runtime is the start of a Thread");
  Thread *thr = reinterpret_cast<Thread *>(checker_thread);
  u64 frames = thr->checker.active && thr->region_context
                   ? HashFrames(thr, at, GET_CURRENT_FRAME())
                   : 0;
  LocId id = FindByFrames(thr, frames, kind, size);
  return LIKELY(id) ? id : InternAnywhere(thr, at, kind, size);
}

void OnRegionEntered(CheckerThread *checker_thread) {
  Thread *thr = reinterpret_cast<Thread *>(checker_thread);
  if (thr->entered == kMaxEntered)
    return;
  thr->entered++;
  thr->region_hash = HashRegion(thr->region_context, thr->entered);
}

AccessPoint LastInternedPoint(const Thread *thr) {
  return thr->location_cache ? thr->location_cache->last_point : AccessPoint{};
}

// An empty stack, for the calling thread in the runtime. Not a local: it is too
// big for a small user stack.
static BufferedStackTrace *StackBuffer() {
  BufferedStackTrace **buffer = &cur_thread->stack_buffer;
  if (UNLIKELY(!*buffer))
    *buffer = static_cast<BufferedStackTrace *>(
        MmapOrDie(sizeof(BufferedStackTrace), "atsan stack trace"));
  return new (*buffer) BufferedStackTrace();
}

// Calls f(stack) with the calling thread's stack by unwind tables.
template <class F>
static void WithStackByTables(const AccessPoint &at, F f) {
  ScopedInRuntime in_runtime(cur_thread);  // The unwinder is not the program.
  BufferedStackTrace *stack = StackBuffer();
  stack->Unwind(at.pc, at.fp, nullptr, /*request_fast=*/false);
  f(*stack);
}

u32 InternStackByTables(const AccessPoint &at) {
  u32 id = 0;
  WithStackByTables(
      at, [&](const BufferedStackTrace &stack) { id = StackDepotPut(stack); });
  return id;
}

u32 InternStackByFrames(Thread *thr, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  BufferedStackTrace *stack = StackBuffer();
  UnwindStack(thr, at, stack);
  return StackDepotPut(*stack);
}

uptr ReturnAddressByTables(const AccessPoint &at) {
  uptr address = 0;
  WithStackByTables(at, [&](const BufferedStackTrace &stack) {
    address = stack.size > 1 ? stack.trace[1] : 0;
  });
  return address;
}

AccessPoint FrameOwner(const Thread *thr, const AccessPoint &at) {
  AccessPoint owner = at;
  if (at.fp < thr->stack_bottom || at.fp + 2 * sizeof(uptr) > thr->stack_top ||
      at.fp % sizeof(uptr))
    return owner;
  uptr returns_to = reinterpret_cast<uptr *>(at.fp)[1];
  WithStackByTables(at, [&](const BufferedStackTrace &stack) {
    for (u32 i = 1; i < stack.size; i++)
      if (stack.trace[i] == returns_to) {
        owner.pc = stack.trace[i - 1];
        return;
      }
  });
  return owner;
}

static NOINLINE u32 PutStack(Thread *thr, const AccessPoint &at, u64 hash) {
  ScopedInRuntime in_runtime(thr);
  LocationCache *cache = GetCache(thr);
  u32 size = Walk(thr, at, cache->words, kMaxFrames, nullptr, nullptr);
  u32 id = StackDepotPut(StackTrace(cache->words, size));
  cache->Put(hash, id);
  return id;
}

u32 InternStack(Thread *thr, const AccessPoint &at) {
  u64 hash = HashStep(0, at.pc);
  WalkReturns(thr, at, kMaxFrames, nullptr, nullptr, [&](uptr return_address) {
    hash = HashStep(hash, return_address);
  });
  hash = HashEnd(hash);
  u32 id = LIKELY(thr->location_cache) ? thr->location_cache->Find(hash) : 0;
  return LIKELY(id) ? id : PutStack(thr, at, hash);
}

// --- Region contexts. --------------------------------------------------------

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
  // The two largest keys are DenseMap's own.
  for (hash >>= 1;; hash = (hash + 1) & (~0ull >> 1)) {
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
static u64 HashName(const char *name) {
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

static NOINLINE u32 PutRegion(Thread *thr, const char *name, u64 name_hash,
                              const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  NoteRegionPlace();
  uptr *words = thr->location_cache->words;
  u32 frames = Walk(thr, at, words + 1, kMaxFrames, nullptr, nullptr);
  words[0] =
      reinterpret_cast<uptr>(name ? InternName(name, name_hash) : nullptr);
  return StackDepotPut(StackTrace(words, frames + 1, kRegion));
}

u32 InternRegionContext(Thread *thr, const char *name, AccessPoint at) {
  LocationCache *cache = GetCache(thr);
  // The content of the name counts, not its address: a program may build names
  // in a buffer.
  u64 name_hash = name ? HashName(name) : kRegion;
  u64 hash = HashStep(name_hash, at.pc);
  RegionFrame frame = {no_frame, 0};
  u32 size = 1;
  WalkCallers(thr, at.fp, [&](uptr fp, uptr, uptr return_address) {
    if (size == 1)
      frame = {fp, return_address};
    if (UNLIKELY(return_address < kLowestCode) || UNLIKELY(size == kMaxFrames))
      return false;
    size++;
    hash = HashStep(hash, return_address);
    return true;
  });
  thr->region_frame = frame;
  u32 id = CachedId(cache, HashEnd(hash),
                    [&] { return PutRegion(thr, name, name_hash, at); });
  thr->region_hash = HashRegion(id);
  thr->entered = 0;
  return id;
}

u32 InternRegionPart(Thread *thr, u32 context, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  LocationCache *cache = GetCache(thr);
  // Parts of parts are parts of the whole.
  StackTrace whole = StackDepotGet(context);
  cache->words[0] = whole.tag == kRegionPart ? whole.trace[0] : context;
  u32 size = Walk(thr, at, cache->words + 1, kMaxFrames, nullptr, nullptr) + 1;
  u32 id = CachedDepotPut(cache, size, kRegionPart);
  thr->region_hash = HashRegion(id);
  thr->entered = 0;
  return id;
}

void LocationLockForFork() { name_table_mutex.Lock(); }
void LocationUnlockAfterFork() { name_table_mutex.Unlock(); }

// --- Describing. -------------------------------------------------------------

static void CopyFrames(const StackTrace &from, u32 skip,
                       BufferedStackTrace *to) {
  u32 count = from.size > skip ? from.size - skip : 0;
  count = Min(count, kStackTraceMax - to->size);
  internal_memcpy(to->trace_buffer + to->size, from.trace + skip,
                  count * sizeof(uptr));
  to->size += count;
}

bool DescribeRegion(u32 context, RegionInfo *info) {
  info->name = nullptr;
  info->begin_stack.Reset();
  info->split_stack.Reset();
  StackTrace stored = StackDepotGet(context);
  if (stored.size && stored.tag == kRegionPart) {
    CopyFrames(stored, 1, &info->split_stack);
    stored = StackDepotGet(static_cast<u32>(stored.trace[0]));
  }
  if (!stored.size || stored.tag != kRegion)
    return false;
  info->name = reinterpret_cast<const char *>(stored.trace[0]);
  CopyFrames(stored, 1, &info->begin_stack);
  return true;
}

// Copies a location's frames, to which its region's begin stack adds the rest.
static void CopyLocation(const StackTrace &stored, BufferedStackTrace *stack) {
  CopyFrames(stored, kPseudoFrames, stack);
  if (!(stored.tag & kEndsAtRegion))
    return;
  StackTrace region = StackDepotGet(static_cast<u32>(stored.trace[1]));
  if (region.size && region.tag == kRegionPart)
    region = StackDepotGet(static_cast<u32>(region.trace[0]));
  // Skips a pseudo-frame and the begin mark, whose frame the stack has.
  if (region.size && region.tag == kRegion)
    CopyFrames(region, 2, stack);
}

bool DescribeLocation(LocId id, LocationInfo *info) {
  info->stack.Reset();
  StackTrace stored = id ? StackDepotGet(id) : StackTrace();
  if (stored.size < kPseudoFrames || !(stored.tag & kLocation))
    return false;
  info->kind = static_cast<AccessKind>(stored.tag & kKindMask);
  info->size = stored.trace[0];
  info->region_context = static_cast<u32>(stored.trace[1]);
  info->entered = static_cast<u32>(stored.trace[1] >> kEnteredShift);
  CopyLocation(stored, &info->stack);
  return true;
}

bool DescribeStack(u32 id, BufferedStackTrace *stack) {
  stack->Reset();
  StackTrace stored = StackDepotGet(id);
  if (stored.tag & kLocation)
    CopyLocation(stored, stack);
  else
    CopyFrames(stored, stored.tag ? 1 : 0, stack);
  return stack->size;
}

}  // namespace __atsan
