//===-- atsan_region_quick.h ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How nearly all regions begin and end: those of a thread that nobody observes,
// within another one, or on a stack where one has begun lately. Nothing here
// calls a function, so that the marks need neither a frame nor registers to be
// saved. A signal's handler sees the region begun or not, nothing in between:
// the thread is in the runtime while it changes what is known of itself.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REGION_QUICK_H
#define ATSAN_REGION_QUICK_H

#include "lib/checker/atsan_graph.h"
#include "runtime/location/atsan_location.h"
#include "runtime/regions/atsan_region_exclusion.h"
#include "runtime/stream/atsan_observer.h"

namespace __atsan {

// kNot: nothing was done. kInRuntime: the function below goes on, and leaves
// the runtime. kSignals: SignalsDeliver is to be called.
enum class RegionMarked { kNot, kInRuntime, kSignals, kDone };

ALWAYS_INLINE RegionMarked LeftRuntime(Thread *thr) {
  return LIKELY(LeaveRuntimeQuickly(thr)) ? RegionMarked::kDone
                                          : RegionMarked::kSignals;
}

// `thr` is the calling thread, as hooks see it. `here`: a frame below that of
// the region, or in it. sp(): the stack pointer of the marked code; asked late,
// as hooks have few registers.
template <class StackPointerOfMark>
ALWAYS_INLINE RegionMarked RegionBeginQuickly(Thread *thr, const char *name,
                                              const AccessPoint &at,
                                              StackPointerOfMark sp,
                                              bool section, uptr here) {
  if (UNLIKELY(!thr) || UNLIKELY(thr->pauses) || UNLIKELY(thr->steered) ||
      UNLIKELY(!thr->regions.HasRoom()))
    return RegionMarked::kNot;
  if (thr->region_context) {
    if (UNLIKELY(has_exclusions) && !IsKnownToBegin(name))
      return RegionMarked::kNot;
    EnterRuntimeQuickly(thr);
    thr->regions.AddInPlace(name, at.pc, at.fp, sp())->section = section;
    return LeftRuntime(thr);
  }
  if (UNLIKELY(has_late_exclusions) ||
      UNLIKELY(!MayBeginQuickly(&thr->checker)))
    return RegionMarked::kNot;
  const RegionMemo *memo =
      FindRegionMemo(thr, section ? kSectionName : name, at, here);
  if (UNLIKELY(!memo))
    return RegionMarked::kNot;
  EnterRuntimeQuickly(thr);
  SetRegionContext(thr, memo);
  thr->num_regions++;
  thr->regions.AddInPlace(name, at.pc, at.fp, sp())->section = section;
  thr->recording_fp = at.fp;
  if (UNLIKELY(!GraphBeginQuickly(&thr->checker)))
    return RegionMarked::kInRuntime;
  return LeftRuntime(thr);
}
void RegionBeginRest(Thread *thr);

ALWAYS_INLINE RegionMarked RegionEndQuickly(Thread *thr) {
  if (UNLIKELY(!thr) || UNLIKELY(thr->pauses) || UNLIKELY(thr->steered) ||
      UNLIKELY(thr->regions.empty()) ||
      UNLIKELY(!thr->regions.back().IsPlain()))
    return RegionMarked::kNot;
  if (const uptr outer = thr->regions.size() - 1) {
    if (UNLIKELY(thr->regions.data()[outer - 1].excluded))
      return RegionMarked::kNot;
    EnterRuntimeQuickly(thr);
    thr->regions.pop_back();
    return LeftRuntime(thr);
  }
  if (UNLIKELY(!thr->checker.active))
    return RegionMarked::kNot;
  EnterRuntimeQuickly(thr);
  thr->regions.pop_back();
  thr->recording_fp = no_frame;
  thr->region_context = 0;
  if (UNLIKELY(!GraphEndQuickly(&thr->checker)))
    return RegionMarked::kInRuntime;
  return LeftRuntime(thr);
}
void RegionEndRest(Thread *thr);

}  // namespace __atsan

#endif  // ATSAN_REGION_QUICK_H
