//===-- atsan_location_internal.h ------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of this folder have in common: how stacks are walked, and how
// entries of the depot are told apart.
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
#ifndef ATSAN_LOCATION_INTERNAL_H
#define ATSAN_LOCATION_INTERNAL_H

#include "runtime/location/atsan_location.h"
#include "sanitizer_common/sanitizer_stackdepot.h"

namespace __atsan {

enum Tag : u32 {
  kRegion = 1,
  kRegionPart = 2,
  kLocation = 0x80,
  // The stack ends at the region's frame; its begin stack has the rest.
  kEndsAtRegion = 0x40,
  kLeftOutMask = 0x30,  // LeftOut, in these bits.
  kLeftOutShift = 4,
  kKindMask = 0x0f,  // AccessKind.
};
inline u32 TagOf(LeftOut left_out) {
  return static_cast<u32>(left_out) << kLeftOutShift;
}

constexpr u32 kPseudoFrames = 2;
constexpr u32 kEnteredShift = 32;
constexpr u32 kMaxFrames = kStackTraceMax - kPseudoFrames;

inline LocationCache *GetCache(Thread *thr) {
  if (UNLIKELY(!thr->location_cache)) {
    auto *cache = static_cast<LocationCache *>(
        MmapOrDie(sizeof(LocationCache), "atsan location cache"));
    cache->near.Init();
    cache->all.Init();
    thr->location_cache = cache;
  }
  return thr->location_cache;
}

// The id of this hash from the thread's cache, or what `put` returns.
template <class Put>
u32 CachedId(LocationCache *cache, u64 hash, Put put) {
  u32 id = cache->all.Find(hash);
  if (LIKELY(id))
    return id;
  id = put();
  cache->all.Put(hash, id);
  return id;
}

// --- Walking. ----------------------------------------------------------------

// The running code of the fiber `thr` has its frame at `here`. The mapping
// around it is at least the fiber's stack, and may be read.
void FindFiberStack(Thread *thr, uptr here);

// Calls visit(fp, parent_fp, return_address) for each frame from `fp` up, until
// it returns false.
template <class Visitor>
void WalkCallers(const Thread *thr, uptr fp, Visitor visit) {
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

// Whether the frame of the calling thread's region is above the one at `here`.
// Code may run on another stack than its region: a signal's, or a fiber.
inline bool IsRegionAbove(const Thread *thr, uptr here) {
  const RegionFrame &region = thr->region_frame;
  return !thr->is_fiber && here >= thr->stack_bottom && here < region.fp &&
         region.fp < thr->stack_top && region.HasItsCaller(region.fp);
}

// Fills `pcs` with at.pc and up to max - 1 return addresses.
inline u32 Walk(const Thread *thr, const AccessPoint &at, uptr *pcs, u32 max) {
  u32 size = 0;
  pcs[size++] = at.pc;
  WalkCallers(thr, at.fp, [&](uptr, uptr, uptr return_address) {
    if (!IsCode(return_address) || size == max)
      return false;
    pcs[size++] = return_address;
    return true;
  });
  return size;
}

}  // namespace __atsan

#endif  // ATSAN_LOCATION_INTERNAL_H
