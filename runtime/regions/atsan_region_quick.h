//===-- atsan_region_quick.h ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How nearly all regions begin and end: the only one of a thread that nobody
// observes, on a stack where one has begun lately. Nothing here calls a
// function, so that the marks need neither a frame nor registers to be saved.
// While the thread changes what is known of it, it says that it is at work: a
// signal's handler sees the region begun or not, nothing in between.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REGION_QUICK_H
#define ATSAN_REGION_QUICK_H

#include "lib/checker/atsan_graph.h"
#include "runtime/location/atsan_location.h"
#include "runtime/regions/atsan_region_exclusion.h"
#include "runtime/stream/atsan_observer.h"

namespace __atsan {

// kNot: nothing was done. kAtWork: the function below goes on, which ends with
// what is marked as work.
enum class Quickly { kNot, kAtWork, kDone };

ALWAYS_INLINE void BeginQuickWork(const Thread *thr) {
  atomic_store(&thr->checker.work->page, kNoPage, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
}
// True: nothing is left to do. False: the function below goes on.
ALWAYS_INLINE bool EndQuickWork(const Thread *thr) {
  ClearCellWork(&thr->checker);
  atomic_signal_fence(memory_order_seq_cst);
  return LIKELY(!thr->pauses);
}

// `thr` is the calling thread, as hooks see it. `here`: a frame below that of
// the region, or in it. `name` is nullptr, or in constant memory if a memo of
// it is there.
ALWAYS_INLINE Quickly RegionBeginQuickly(Thread *thr, const char *name,
                                         const AccessPoint &at, uptr sp,
                                         bool section, uptr here) {
  if (UNLIKELY(!thr) || UNLIKELY(thr->Pauses()) ||
      UNLIKELY(thr->region_context) || UNLIKELY(thr->steered) ||
      UNLIKELY(has_exclusions) || UNLIKELY(!thr->regions.HasRoom()) ||
      UNLIKELY(!MayBeginQuickly(&thr->checker)))
    return Quickly::kNot;
  const RegionMemo *memo =
      FindRegionMemo(thr, section ? kSectionName : name, at, here);
  if (UNLIKELY(!memo))
    return Quickly::kNot;
  BeginQuickWork(thr);
  SetRegionContext(thr, memo);
  thr->num_regions++;
  thr->regions.AddInPlace(name, at.pc, at.fp, sp)->section = section;
  thr->recording_fp = at.fp;
  return GraphBeginQuickly(&thr->checker) && EndQuickWork(thr)
             ? Quickly::kDone
             : Quickly::kAtWork;
}
void RegionBeginRest(Thread *thr);

ALWAYS_INLINE Quickly RegionEndQuickly(Thread *thr) {
  if (UNLIKELY(!thr) || UNLIKELY(thr->Pauses()) ||
      UNLIKELY(thr->regions.size() != 1) || UNLIKELY(!thr->checker.active) ||
      UNLIKELY(!thr->regions.back().IsPlain()) || UNLIKELY(thr->steered))
    return Quickly::kNot;
  BeginQuickWork(thr);
  thr->regions.pop_back();
  thr->recording_fp = no_frame;
  thr->region_context = 0;
  return GraphEndQuickly(&thr->checker) && EndQuickWork(thr) ? Quickly::kDone
                                                             : Quickly::kAtWork;
}
void RegionEndRest(Thread *thr);

}  // namespace __atsan

#endif  // ATSAN_REGION_QUICK_H
