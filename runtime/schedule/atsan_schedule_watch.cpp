//===-- atsan_schedule_watch.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_watch.h"

#include <time.h>

#include "runtime/schedule/atsan_schedule_wait.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

namespace __atsan {

// How long a thread must have slept in one and the same call, in real
// nanoseconds, if somebody else might wake it.
static constexpr u64 kLongSleep = 100 * 1000 * 1000;

// --- Threads that have ended. ------------------------------------------------

void LeavingThreads::Add(int kernel_id) {
  // The first thread of a process is there until the process ends.
  if (kernel_id != static_cast<int>(internal_getpid()))
    ids_.push_back(kernel_id);
}

void AwaitLeaving(int kernel_id) {
  constexpr u32 kRoundsToYield = 20;
  constexpr u64 kPause = 100 * 1000;
  u64 asleep_since = 0;
  for (u32 round = 0; !IsGone(kernel_id); round++) {
    if (round < kRoundsToYield) {
      internal_sched_yield();
      continue;
    }
    Pause(kPause);
    if (!SleepingCall(kernel_id).sleeps) {
      asleep_since = 0;
      continue;
    }
    const u64 now = RealTime(CLOCK_MONOTONIC);
    if (!asleep_since)
      asleep_since = now;
    if (now - asleep_since > kLongSleep)
      return;
  }
}

// --- The thread with the baton. ----------------------------------------------

bool Watch::MustGiveUp(int kernel_id, bool alone) {
  const SleepingCall call(kernel_id);
  if (!call.sleeps) {
    Forget();
    return false;
  }
  // Only a thread of this process ends the wait for a lock of libc.
  if (call.is_futex && alone)
    return true;
  const u64 now = RealTime(CLOCK_MONOTONIC);
  if (call.hash != call_) {
    call_ = call.hash;
    since_ = now;
  }
  return now - since_ > kLongSleep;
}

}  // namespace __atsan
