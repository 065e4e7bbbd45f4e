//===-- atsan_interceptors_yield.cpp --------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls that are nobody's data, but by which threads wait for each other or let
// each other go first: yields, once-controls, futexes (std::atomic::wait,
// latches and the guards of static variables use them). Only schedules want to
// know, and a report that a region has waited.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_blocking.h"
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/schedule/atsan_schedule_files.h"
#include "runtime/schedule/atsan_schedule_program.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_steer.h"
#include "sanitizer_common/sanitizer_errno.h"

using namespace __atsan;

ATSAN_INTERCEPTOR(int, sched_yield) {
  EnsureReady();
  if (ScheduledThread *self = CurrentScheduled()) {
    YieldPoint(self, ATSAN_SCHEDULE_PLACE("sched_yield"), ATSAN_CALLER_POINT());
    return 0;
  }
  return REAL(sched_yield)();
}

ATSAN_INTERCEPTOR(void, thrd_yield) {
  EnsureReady();
  if (ScheduledThread *self = CurrentScheduled())
    YieldPoint(self, ATSAN_SCHEDULE_PLACE("thrd_yield"), ATSAN_CALLER_POINT());
  else
    REAL(thrd_yield)();
}

ATSAN_INTERCEPTOR(int, pthread_once, void *control, void (*function)()) {
  EnsureReady();
  if (ScheduledThread *self = CurrentScheduled())
    WaitForOnce(self, ATSAN_SCHEDULE_PLACE("pthread_once"), control,
                ATSAN_CALLER_POINT());
  SteerBefore(ATSAN_SCHEDULE_PLACE("pthread_once"));
  return REAL(pthread_once)(control, function);
}

// --- Futexes. ----------------------------------------------------------------

namespace {

enum FutexOperation : int {
  kWait = 0,
  kWake = 1,
  kWaitBitset = 9,
  kWakeBitset = 10,
  kOperations = 0x7f,
  kPrivate = 128,
  kRealTime = 256,
};
constexpr long kFutexCall = 202;  // SYS_futex

struct FutexCall {
  u32 *word;
  int operation;
  u32 value;
  const void *time;
};

bool IsWait(const FutexCall &call) {
  const int operation = call.operation & kOperations;
  return operation == kWait || operation == kWaitBitset;
}

u64 DeadlineOf(const FutexCall &call) {
  if (!call.time)
    return kNever;
  if ((call.operation & kOperations) == kWait)
    return DeadlineIn(NanosecondsOf(call.time));
  return DeadlineAt(
      call.time, call.operation & kRealTime ? kRealTimeClock : kMonotonicClock);
}

long Fail(int error) {
  errno = error;
  return -1;
}

bool IsBetweenProcesses(const FutexCall &call) {
  return !(call.operation & kPrivate) &&
         IsInSharedMapping(reinterpret_cast<uptr>(call.word));
}

// What the kernel would do. False: a call that is left to it.
bool FutexScheduled(ScheduledThread *self, const FutexCall &call,
                    const AccessPoint &at, long *result) {
  const Place *place = ATSAN_SCHEDULE_PLACE("futex");
  switch (call.operation & kOperations) {
    case kWait:
    case kWaitBitset:
      // With a limit it is no deadlock, and virtual time passes.
      if (!call.time && IsBetweenProcesses(call)) {
        OutsidePoint({self, place, at});
        return false;
      }
      PointAt(self, place, call.word, at);
      *result = 0;
      if (__atomic_load_n(call.word, __ATOMIC_ACQUIRE) != call.value)
        *result = Fail(kTryAgainError);
      else if (!WaitForWake(self, ATSAN_SCHEDULE_PLACE("futex-wait"), call.word,
                            DeadlineOf(call), at))
        *result = Fail(kTimedOutError);
      return true;
    case kWake:
    case kWakeBitset:
      PointAt(self, place, call.word, at);
      *result = WakeAt(reinterpret_cast<uptr>(call.word), call.value);
      return !IsBetweenProcesses(call);
    default:
      return false;
  }
}

// A thread that is not controlled wakes others, which may be.
void WakeScheduled(const FutexCall &call) {
  const int operation = call.operation & kOperations;
  if (operation == kWake || operation == kWakeBitset)
    WakeAt(reinterpret_cast<uptr>(call.word), call.value);
}

}  // namespace

// Whether another process may take part from then on, of which libc does not
// tell.
static bool StartsProcess(long number) {
  constexpr long kClone = 56, kFork = 57, kVfork = 58, kClone3 = 435;
  return number == kClone || number == kFork || number == kVfork ||
         number == kClone3;
}

ATSAN_INTERCEPTOR(long, syscall, long number, long a, long b, long c, long d,
                  long e, long f) {
  EnsureReady();
  long result;
  ScheduledThread *self = number == kFutexCall ? CurrentScheduled() : nullptr;
  const FutexCall call = {reinterpret_cast<u32 *>(a), static_cast<int>(b),
                          static_cast<u32>(c), reinterpret_cast<void *>(d)};
  if (UNLIKELY(StartsProcess(number)))
    ScheduleAfterForkInParent();
  if (number == kFutexCall && IsWait(call))
    NoteWaitInRegion(cur_thread, "a call of futex", ATSAN_CALLER_POINT());
  if (UNLIKELY(self) &&
      FutexScheduled(self, call, ATSAN_CALLER_POINT(), &result))
    return result;
  if (number == kFutexCall && !self && UNLIKELY(SchedulesAreControlled()))
    WakeScheduled(call);
  if (number == kFutexCall)
    SteerBefore(ATSAN_SCHEDULE_PLACE("futex"));
  return REAL(syscall)(number, a, b, c, d, e, f);
}
