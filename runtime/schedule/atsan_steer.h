//===-- atsan_steer.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steers a run: its threads run in parallel, and the few orders of a schedule
// hold whoever is too early. Nobody is held in vain: a thread goes on at once
// when the one that it waits for cannot come, and after a time in any case.
// When no order is open any more, the program runs as if there was no schedule.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_STEER_H
#define ATSAN_STEER_H

#include "runtime/schedule/atsan_scheduler.h"
#include "runtime/schedule/atsan_steered_thread.h"

namespace __atsan {

// The calling thread, if the run is steered; else nullptr.
inline SteeredThread *CurrentSteered() {
  if (LIKELY(!SchedulesAreControlled()))
    return nullptr;
  Thread *thr = CurrentStoppableThread();
  return thr ? thr->steered : nullptr;
}

// --- What threads call. ------------------------------------------------------

// A point: before a step. Holds the thread if it is too early.
void SteerAt(SteeredThread *self, const Place *place);
inline void SteerBefore(const Place *place) {
  if (SteeredThread *self = CurrentSteered())
    SteerAt(self, place);
}

// Before and after a call that takes a lock, and after one that gives it back.
void SteerWantsLock(SteeredThread *self, uptr lock);
void SteerTriedLock(SteeredThread *self, uptr lock, bool is_taken);
void SteerUnlocked(SteeredThread *self, uptr lock);

// Before and after a wait for the end of the thread with this tid.
void SteerJoins(SteeredThread *self, u32 tid);
void SteerJoined(SteeredThread *self);

// --- Life of threads and of the run. -----------------------------------------

// The parent calls it before the child exists.
void SteerChild(SteeredThread *parent, Thread *child);
void SteerChildFailed(Thread *child);
// The child's first act, and the last one of each thread.
void SteerBegin(Thread *thr);
void SteerEnd(Thread *thr);

// Begins with the calling thread, which is the only one. The orders outlive the
// run.
void SteerRun(Thread *thr, const InternalMmapVector<Order> *orders);
// The run is over: nobody is held any more.
void SteerOver();

// To be called when the run is over.
const InternalMmapVector<OrderInRun> &SteeredOrders();
// "kept", "needs-a-lock-that-is-held" or "never-came".
const char *WordFor(OrderState state);

}  // namespace __atsan

#endif  // ATSAN_STEER_H
