//===-- atsan_openmp_hooks.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks around calls of OpenMP's runtime in which threads meet. They divide
// a region as pthread_create, pthread_join and pthread_barrier_wait do (rule
// 5): the threads of a parallel region come from a pool, and go back to it.
//
//===----------------------------------------------------------------------===//
#include "runtime/regions/atsan_region.h"
#include "runtime/stream/atsan_observer.h"

using namespace __atsan;

// In a trace, the thread's regions end, and others of the same names begin.
static void ObserveRegions(Thread *thr, EventKind kind) {
  if (LIKELY(!IsObserved()))
    return;
  for (const Region &region : thr->regions)
    if (!region.excluded)
      Observe(thr, kind, 0, {region.pc, 0}, region.name);
}

static u32 EnterBoundary(u32 splits, const AccessPoint &at) {
  Thread *thr = cur_thread;
  RegionBoundary boundary;
  boundary.Enter(thr, splits, at);
  if (boundary.HasEntered())
    ObserveRegions(thr, EventKind::RegionEnd);
  return boundary.HasEntered();
}

extern "C" {

// A parallel region is its threads' start and join: what the calling thread
// does there is in no region that was begun outside.
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_openmp_fork() {
  return EnterBoundary(kSplitStart | kSplitJoin, ATSAN_CALLER_POINT());
}
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_openmp_barrier() {
  return EnterBoundary(kSplitBarrier, ATSAN_CALLER_POINT());
}
// Waits for tasks are joins.
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_openmp_wait() {
  return EnterBoundary(kSplitJoin, ATSAN_CALLER_POINT());
}
// `entered`: what the hook in front of the call has returned.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_openmp_leave(u32 entered) {
  if (!entered)
    return;
  Thread *thr = cur_thread;
  ObserveRegions(thr, EventKind::RegionBegin);
  RegionBoundary::Leave(thr, ATSAN_CALLER_POINT());
}

}  // extern "C"
