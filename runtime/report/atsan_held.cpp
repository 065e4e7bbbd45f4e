//===-- atsan_held.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_held.h"

#include "runtime/report/atsan_report.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

struct HeldViolation {
  uptr size;
  bool summarized;
  Edge edges[];
};

void HoldViolation(Thread *thr, const Cycle &cycle) {
  uptr bytes = cycle.size * sizeof(Edge);
  auto *held = static_cast<HeldViolation *>(
      InternalAlloc(sizeof(HeldViolation) + bytes));
  held->size = cycle.size;
  held->summarized = cycle.summarized;
  internal_memcpy(held->edges, cycle.edges, bytes);
  thr->held_violation = held;
  thr->holds_violation = true;
}

static HeldViolation *Take(Thread *thr) {
  thr->holds_violation = false;
  return thr->held_violation;
}

void DropHeldViolation(Thread *thr) {
  if (thr->holds_violation)
    InternalFree(Take(thr));
}

void ReportHeldViolationSlow(Thread *thr) {
  ScopedInRuntime in_runtime(thr);
  HeldViolation *held = Take(thr);
  ReportCycle(thr, {held->edges, held->size, held->summarized});
  InternalFree(held);
}

void ReportOwnHeldViolation() {
  Thread *thr = cur_thread;
  // A handler of a signal may have interrupted a report.
  if (thr && !thr->in_runtime)
    ReportHeldViolation(thr);
}

void HeldAfterForkInChild() {
  if (Thread *thr = cur_thread)
    DropHeldViolation(thr);
}

}  // namespace __atsan
