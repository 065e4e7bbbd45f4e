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
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

static StaticSpinMutex held_mutex;
static HeldViolation *held_list;

void HoldViolation(Thread *thr, const Cycle &cycle) {
  uptr bytes = cycle.size * sizeof(Edge);
  auto *held = static_cast<HeldViolation *>(
      InternalAlloc(sizeof(HeldViolation) + bytes));
  held->thr = thr;
  held->size = cycle.size;
  held->summarized = cycle.summarized;
  internal_memcpy(held->edges, cycle.edges, bytes);
  thr->holds_violation = true;
  SpinMutexLock lock(&held_mutex);
  held->next = held_list;
  held_list = held;
}

// Returns null if the thread that ends the process has taken the violation.
static HeldViolation *Take(Thread *thr) {
  SpinMutexLock lock(&held_mutex);
  thr->holds_violation = false;
  for (HeldViolation **p = &held_list; *p; p = &(*p)->next) {
    HeldViolation *held = *p;
    if (held->thr != thr)
      continue;
    *p = held->next;
    return held;
  }
  return nullptr;
}

static void ReportAndFree(HeldViolation *held) {
  ReportCycle(held->thr, {held->edges, held->size, held->summarized});
  InternalFree(held);
}

void DropHeldViolation(Thread *thr) {
  if (thr->holds_violation)
    InternalFree(Take(thr));
}

void ReportHeldViolationSlow(Thread *thr) {
  ScopedInRuntime in_runtime(thr);
  if (HeldViolation *held = Take(thr))
    ReportAndFree(held);
}

void HeldAfterForkInChild() {
  held_mutex.Init();
  held_list = nullptr;
}

void ReportAllHeldViolations() {
  for (;;) {
    HeldViolation *held;
    {
      SpinMutexLock lock(&held_mutex);
      held = held_list;
      if (!held)
        return;
      held_list = held->next;
    }
    ReportAndFree(held);
  }
}

}  // namespace __atsan
