//===-- atsan_fiber.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fibers. Their life is that of threads; here is what differs.
//
//===----------------------------------------------------------------------===//
#include "runtime/threads/atsan_fiber.h"

#include "runtime/regions/atsan_region.h"
#include "runtime/report/atsan_held.h"
#include "runtime/report/atsan_report.h"
#include "runtime/stream/atsan_observer.h"
#include "runtime/threads/atsan_thread_registry.h"
#include "runtime/threads/atsan_vfork.h"

namespace __atsan {

Thread *FiberCreate(Thread *thr, const AccessPoint &at) {
  RegionBoundary boundary;
  boundary.Enter(thr, kSplitStart, at);
  Thread *fiber;
  {
    ScopedInRuntime in_runtime(thr);
    fiber = ThreadCreate(thr, at, ThreadMode::kJoinable);
    fiber->is_fiber = true;
    Threads().StartThread(fiber->tid, GetTid(), ThreadType::Fiber, nullptr);
  }
  boundary.Leave();
  return fiber;
}

// What `fiber` is if it cannot be destroyed.
static const char *WhyNotDestroyed(const Thread *fiber) {
  if (!fiber)
    return "__atsan_destroy_fiber() of a null pointer";
  if (fiber == cur_thread)
    return "__atsan_destroy_fiber() of the running fiber";
  return fiber->is_fiber ? nullptr : "__atsan_destroy_fiber() of a thread";
}

void FiberDestroy(Thread *thr, Thread *fiber, const AccessPoint &at) {
  if (const char *why = WhyNotDestroyed(fiber)) {
    ReportUsageError(thr, at, why, "fiber-misuse");
    return;
  }
  RegionBoundary boundary;
  boundary.Enter(thr, kSplitJoin, at);
  {
    ScopedInRuntime in_runtime(thr);
    ThreadJoined(thr, at, fiber->tid);
  }
  boundary.Leave();
}

void FiberSwitch(Thread *fiber, const AccessPoint &at) {
  Thread *left = cur_thread;
  if (left == fiber || in_vfork_child)
    return;
  if (!fiber) {
    ReportUsageError(left, at, "__atsan_switch_to_fiber() to a null pointer",
                     "fiber-misuse");
    return;
  }
  if (left) {
    ReportHeldViolation(left);
    // The fiber seems to wait here, for reports that show its frames.
    left->blocked_pc = at.pc;
    left->blocked_fp = at.fp;
  }
  fiber->blocked_pc = 0;
  fiber->blocked_fp = 0;
  SetCurrentThread(fiber);
}

Thread *FiberCurrent() {
  Thread *thr = cur_thread;
  return thr ? thr : CurrentOrNewThread();
}

void FiberSetName(Thread *fiber, const char *name) {
  ScopedInRuntime in_runtime(cur_thread);
  ThreadRegistryLock l(&Threads());
  if (ThreadContext *ctx = FindContextLocked(fiber->tid))
    ctx->SetName(name);
}

}  // namespace __atsan
