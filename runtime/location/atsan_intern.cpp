//===-- atsan_intern.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interns locations and stacks. InternLocation runs for every access that is
// recorded, with cells of the checker locked: nothing here may call the
// checker, an intercepted function, or anything that prints. Mostly it finds
// the id in a cache of the thread, by a hash of the frames up to the region's.
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_location_internal.h"

namespace __atsan {

// Each number of entries up to this has locations of its own; beyond, order is
// not told.
static constexpr u32 kMaxEntered = 3;

// The ways through a recursion can be so many that their stacks fill memory,
// and make the table of stacks slow. From so many stacks on, those of
// recursions have few calls; others, of which large programs have as many, are
// whole.
constexpr u32 kManyStacks = 1 << 17;
constexpr u32 kFewCalls = 3;
static atomic_uint8_t has_many_stacks;

static bool HasManyStacks() {
  return atomic_load(&has_many_stacks, memory_order_relaxed);
}

// Whether only the innermost calls of a stack that lacks these are to be told.
static bool AreTooMany(LeftOut left_out) {
  return UNLIKELY(left_out != LeftOut::kNothing) && HasManyStacks();
}

static u32 PutStack(const uptr *words, u32 size, u32 tag = 0) {
  const u32 id = StackDepotPut(StackTrace(words, size, tag));
  if (UNLIKELY(id >= kManyStacks))  // They are numbered in turn.
    atomic_store(&has_many_stacks, 1, memory_order_relaxed);
  return id;
}

// Where a call is met again on the way out, the calls since it was last met are
// left out. So a recursion has fewer stacks than ways through it. Returns the
// number of calls that are left.
static u32 FoldRecursion(uptr *pcs, u32 size) {
  static_assert(kStackTraceMax < 256, "the number of a call is a byte");
  u8 places[256] = {};  // By a hash of the call: where it was last, plus 1.
  u32 kept = 0;
  for (u32 i = 0; i < size; i++) {
    const uptr pc = pcs[i];
    u8 *place = &places[HashStep(0, pc) >> 56];
    u32 found = *place;
    if (found && (found > kept || pcs[found - 1] != pc))
      for (found = kept; found && pcs[found - 1] != pc;)
        found--;
    if (found) {
      kept = found;
    } else {
      pcs[kept++] = pc;
      *place = kept;
    }
  }
  return kept;
}

namespace {

// The calls of a stack, innermost first, up to a region's frame.
struct Calls {
  uptr *pcs;
  u32 size;
  bool met;  // The region's frame.
  LeftOut left_out;

  void Collect(const Thread *thr, const AccessPoint &at,
               const RegionFrame *until);
  void KeepFewOfTooMany() {
    if (!AreTooMany(left_out))
      return;
    size = Min(size, kFewCalls);
    left_out = LeftOut::kCallers;
  }
  u64 Hash(u64 hash) const {
    for (u32 i = 0; i < size; i++)
      hash = HashStep(hash, pcs[i]);
    return hash;
  }
};

void Calls::Collect(const Thread *thr, const AccessPoint &at,
                    const RegionFrame *until) {
  pcs[0] = at.pc;
  size = 1;
  u32 all = 1;
  bool has_room = true;
  WalkCallers(thr, at.fp, [&](uptr fp, uptr, uptr return_address) {
    met = until && until->IsAt(fp);
    if (met || !IsCode(return_address))
      return false;
    if (size == kMaxFrames)
      size = FoldRecursion(pcs, size);
    has_room = size < kMaxFrames && all < DeepStack::kMaxSize;
    if (!has_room)
      return false;
    pcs[size++] = return_address;
    all++;
    return true;
  });
  if (all > kMaxHashedDepth || HasManyStacks())
    size = FoldRecursion(pcs, size);
  left_out = !has_room     ? LeftOut::kCallers
             : size != all ? LeftOut::kRepeated
                           : LeftOut::kNothing;
  KeepFewOfTooMany();
}

}  // namespace

// Looks at the stack, which is taken for a deep one, and remembers if it is.
static bool IsDeep(Thread *thr, uptr fp) {
  DeepStack &deep = thr->location_cache->deep;
  const bool is_deep = deep.Update(thr, fp);
  thr->deep_below = is_deep ? deep.DeepBelow() : 0;
  return is_deep;
}

static u64 HashDeep(const Thread *thr, const AccessPoint &at, AccessKind kind,
                    uptr size) {
  const DeepStack &deep = thr->location_cache->deep;
  LeftOut left_out = deep.WhatIsLeftOut();
  u64 calls = deep.Hash();
  if (AreTooMany(left_out)) {
    calls = deep.HashInnermost(kFewCalls - 1);
    left_out = LeftOut::kCallers;
  }
  u64 hash = HashStep(thr->region_hash ^ calls, at.pc);
  if (left_out != LeftOut::kNothing)
    hash = HashStep(hash, TagOf(left_out));  // No code address.
  return HashAccess(hash, kind, size);
}

LocId FindDeepLocation(Thread *thr, const AccessPoint &at, AccessKind kind,
                       uptr size) {
  ScopedInRuntime in_runtime(thr);
  if (!IsDeep(thr, at.fp))
    return 0;
  return thr->location_cache->all.Find(HashDeep(thr, at, kind, size));
}

// Interns a location outside regions, too, and at any depth. `frames`: its
// HashInRegion.
static NOINLINE LocId InternAnywhere(Thread *thr, const AccessPoint &at,
                                     AccessKind kind, uptr size, u64 frames) {
  ScopedInRuntime in_runtime(thr);
  LocationCache *cache = GetCache(thr);
  cache->last_point = at;
  // A thread start or join at a boundary stands between two transactions.
  const u32 context = thr->checker.active ? thr->region_context : 0;
  const u32 entered = context ? thr->entered : 0;
  u64 hash = HashRegion(context, entered);
  const DeepStack &deep = cache->deep;
  Calls calls = {cache->words + kPseudoFrames, 0, false, LeftOut::kNothing};
  const bool is_deep = !frames && context && IsDeep(thr, at.fp);
  if (is_deep) {
    hash = HashDeep(thr, at, kind, size);
  } else {
    calls.Collect(thr, at, context ? &thr->region_frame : nullptr);
    hash = calls.Hash(hash);
    if (calls.left_out != LeftOut::kNothing)
      hash = HashStep(hash, TagOf(calls.left_out));  // No code address.
    // Equals that of HashInRegion if nothing is left out.
    hash = HashAccess(calls.met ? hash : HashNotMet(hash), kind, size);
  }
  if (LocId id = cache->all.Find(hash)) {
    // The location lacks calls, though the frames are few enough to be hashed:
    // by their hash it is found the next time.
    if (frames)
      cache->all.Put(HashAccess(frames, kind, size), id);
    return id;
  }
  if (is_deep) {
    calls.pcs[0] = at.pc;
    calls.size = 1 + deep.Copy(calls.pcs + 1);
    calls.met = true;
    calls.left_out = deep.WhatIsLeftOut();
    calls.KeepFewOfTooMany();
  }
  cache->words[0] = size;
  cache->words[1] = context | static_cast<uptr>(entered) << kEnteredShift;
  const LocId id =
      PutStack(cache->words, calls.size + kPseudoFrames,
               kLocation | static_cast<u32>(kind) |
                   (calls.met ? kEndsAtRegion : 0) | TagOf(calls.left_out));
  if (context)
    NoteAccessPlace(id);
  cache->all.Put(hash, id);
  return id;
}

// The hash of the code addresses of an access in a region, for all kinds and
// sizes; 0: unknown, or deep.
static u64 HashInRegion(Thread *thr, const AccessPoint &at) {
  const uptr here = GET_CURRENT_FRAME();
  LocationCache *cache = thr->location_cache;
  if (UNLIKELY(!cache || thr->is_fiber || !IsOnOwnStack(thr, here)))
    return 0;
  cache->last_point = at;
  if (UNLIKELY(at.fp < thr->deep_below))
    return 0;
  bool met = false;
  const u64 hash = HashUpToRegion(thr, at, here, &met);
  return met || !hash ? hash : HashNotMet(hash);
}

LocId InternLocation(CheckerThread *checker_thread, const AccessPoint &at,
                     AccessKind kind, uptr size) {
  static_assert(__builtin_offsetof(Thread, checker) == 0,
                "a CheckerThread of the runtime is the start of a Thread");
  Thread *thr = reinterpret_cast<Thread *>(checker_thread);
  const u64 frames =
      thr->checker.active && thr->region_context ? HashInRegion(thr, at) : 0;
  const LocId id =
      LIKELY(frames)
          ? thr->location_cache->all.Find(HashAccess(frames, kind, size))
          : 0;
  return LIKELY(id) ? id : InternAnywhere(thr, at, kind, size, frames);
}

void OnRegionEntered(CheckerThread *checker_thread) {
  Thread *thr = reinterpret_cast<Thread *>(checker_thread);
  if (thr->entered == kMaxEntered)
    return;
  thr->entered++;
  thr->region_hash = HashRegion(thr->region_context, thr->entered);
}

u32 InternStack(Thread *thr, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  LocationCache *cache = GetCache(thr);
  const uptr here = GET_CURRENT_FRAME();
  if (LIKELY(!thr->is_fiber) && LIKELY(IsOnOwnStack(thr, here)))
    if (u32 id = cache->all.Find(
            HashEnd(HashCalls(thr, 0, at, here, [](uptr) { return false; }))))
      return id;
  Calls calls = {cache->words, 0, false, LeftOut::kNothing};
  calls.Collect(thr, at, nullptr);
  return CachedId(cache, HashEnd(calls.Hash(0)),
                  [&] { return PutStack(calls.pcs, calls.size); });
}

}  // namespace __atsan
