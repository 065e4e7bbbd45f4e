//===-- atsan_interceptors_time.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times and limits, as far as sanitizer_common does not know them.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_blocking.h"
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

static void ReadTimespec(const AccessRecorder &recorder, const void *time) {
  recorder.ReadOptional(time, struct_timespec_sz);
}

static void WriteTimespec(const AccessRecorder &recorder, const void *time) {
  recorder.WriteOptional(time, struct_timespec_sz);
}

namespace {

// Laid out like libc's struct timespec.
struct Timespec {
  s64 seconds;
  s64 nanoseconds;
};

// Whether a clock is virtual: schedules are controlled. To look at it takes
// time, and a thread that waits by it lets others go on.
bool LookAtClock(int clock, const AccessPoint &at, u64 *now) {
  ScheduledThread *self = CurrentScheduled();
  if (LIKELY(!self) || !VirtualClock(clock, now))
    return false;
  YieldPoint(self, ATSAN_SCHEDULE_PLACE("clock"), at);
  NoteClock(self);
  return true;
}

// Sleeps in virtual time, unless the thread is cancelled.
void SleepVirtually(ScheduledThread *self, const Place *place, u64 deadline,
                    const AccessPoint &at) {
  do {
    SleepUntil(self, place, deadline, at);
    pthread_testcancel();
  } while (TimeLeft(deadline));
}

// Sleeps in virtual time, if schedules are controlled.
bool SleepInstead(const Place *place, u64 nanoseconds, const AccessPoint &at) {
  ScheduledThread *self = CurrentScheduled();
  if (LIKELY(!self))
    return false;
  SleepVirtually(self, place, DeadlineIn(nanoseconds), at);
  return true;
}

bool SleepInstead(const Place *place, const void *time, const AccessPoint &at) {
  if (LIKELY(!CurrentScheduled()))
    return false;
  ReadTimespec(AccessRecorder(at), time);
  return SleepInstead(place, NanosecondsOf(time), at);
}

}  // namespace

// --- Clocks. -----------------------------------------------------------------

ATSAN_INTERCEPTOR(int, clock_gettime, int clock, void *time) {
  const AccessPoint at = ATSAN_CALLER_POINT();
  u64 now;
  if (time && LookAtClock(clock, at, &now)) {
    *static_cast<Timespec *>(time) = {static_cast<s64>(now / kSecond),
                                      static_cast<s64>(now % kSecond)};
    WriteTimespec(AccessRecorder(at), time);
    return 0;
  }
  ATSAN_ENTER(clock_gettime, clock, time);
  int res = REAL(clock_gettime)(clock, time);
  if (res == 0)
    WriteTimespec(recorder, time);
  return res;
}

ATSAN_AFTER(int, clock_getres, (int clock, void *time), (clock, time),
            if (res == 0) WriteTimespec(recorder, time))
ATSAN_BEFORE(int, clock_settime, (int clock, const void *time), (clock, time),
             ReadTimespec(recorder, time))

ATSAN_INTERCEPTOR(s64, time, s64 *result) {
  const AccessPoint at = ATSAN_CALLER_POINT();
  u64 now;
  if (LookAtClock(kRealTimeClock, at, &now)) {
    const s64 seconds = now / kSecond;
    if (result) {
      *result = seconds;
      AccessRecorder(at).WriteObject(result);
    }
    return seconds;
  }
  ATSAN_ENTER(time, result);
  s64 res = REAL(time)(result);
  if (result)
    recorder.WriteObject(result);
  return res;
}

ATSAN_INTERCEPTOR(int, gettimeofday, void *time, void *zone) {
  const AccessPoint at = ATSAN_CALLER_POINT();
  u64 now;
  if (time && !zone && LookAtClock(kRealTimeClock, at, &now)) {
    *static_cast<Timespec *>(time) = {
        static_cast<s64>(now / kSecond),
        static_cast<s64>(now % kSecond / 1000)};  // Microseconds.
    AccessRecorder(at).Write(time, timeval_sz);
    return 0;
  }
  ATSAN_ENTER(gettimeofday, time, zone);
  int res = REAL(gettimeofday)(time, zone);
  if (res == 0) {
    recorder.WriteOptional(time, timeval_sz);
    recorder.WriteOptional(zone, struct_timezone_sz);
  }
  return res;
}

ATSAN_BEFORE(int, settimeofday, (const void *time, const void *zone),
             (time, zone), recorder.ReadOptional(time, timeval_sz),
             recorder.ReadOptional(zone, struct_timezone_sz))

ATSAN_AFTER(int, timespec_get, (void *time, int base), (time, base),
            if (res) WriteTimespec(recorder, time))

// --- Sleeping: what is left is written if a signal interrupts it. ------------

ATSAN_INTERCEPTOR(int, nanosleep, const void *time, void *left) {
  if (SleepInstead(ATSAN_SCHEDULE_PLACE("nanosleep"), time,
                   ATSAN_CALLER_POINT()))
    return 0;
  ATSAN_ENTER(nanosleep, time, left);
  ReadTimespec(recorder, time);
  int res = REAL(nanosleep)(time, left);
  if (res != 0)
    WriteTimespec(recorder, left);
  return res;
}

ATSAN_INTERCEPTOR(int, clock_nanosleep, int clock, int flags, const void *time,
                  void *left) {
  const AccessPoint at = ATSAN_CALLER_POINT();
  if (ScheduledThread *self = CurrentScheduled()) {
    ReadTimespec(AccessRecorder(at), time);
    SleepVirtually(
        self, ATSAN_SCHEDULE_PLACE("clock_nanosleep"),
        flags ? DeadlineAt(time, clock) : DeadlineIn(NanosecondsOf(time)), at);
    return 0;
  }
  ATSAN_ENTER(clock_nanosleep, clock, flags, time, left);
  ReadTimespec(recorder, time);
  int res = REAL(clock_nanosleep)(clock, flags, time, left);
  if (res != 0 && !flags)
    WriteTimespec(recorder, left);
  return res;
}

ATSAN_INTERCEPTOR(int, thrd_sleep, const void *time, void *left) {
  if (SleepInstead(ATSAN_SCHEDULE_PLACE("thrd_sleep"), time,
                   ATSAN_CALLER_POINT()))
    return 0;
  ATSAN_ENTER(thrd_sleep, time, left);
  ReadTimespec(recorder, time);
  int res = REAL(thrd_sleep)(time, left);
  if (res == -1)
    WriteTimespec(recorder, left);
  return res;
}

// Functions without data: only schedules want to know of them.

ATSAN_INTERCEPTOR(unsigned, sleep, unsigned seconds) {
  EnsureReady();
  if (SleepInstead(ATSAN_SCHEDULE_PLACE("sleep"),
                   static_cast<u64>(seconds * kSecond), ATSAN_CALLER_POINT()))
    return 0;
  return REAL(sleep)(seconds);
}

ATSAN_INTERCEPTOR(int, usleep, unsigned microseconds) {
  EnsureReady();
  if (SleepInstead(ATSAN_SCHEDULE_PLACE("usleep"), u64{microseconds} * 1000,
                   ATSAN_CALLER_POINT()))
    return 0;
  return REAL(usleep)(microseconds);
}

// --- Timers. -----------------------------------------------------------------

using TimerId = void *;  // In libc the number of a timer is a pointer.

ATSAN_INTERCEPTOR_VER("GLIBC_2.3.3", int, timer_create, int clock,
                      const void *event, TimerId *timer) {
  ATSAN_ENTER(timer_create, clock, event, timer);
  recorder.ReadOptional(event, struct_sigevent_sz);
  int res = REAL(timer_create)(clock, event, timer);
  if (res == 0)
    recorder.WriteObject(timer);
  return res;
}
ATSAN_INTERCEPTOR_VER("GLIBC_2.3.3", int, timer_settime, TimerId timer,
                      int flags, const void *time, void *old_time) {
  ATSAN_ENTER(timer_settime, timer, flags, time, old_time);
  recorder.Read(time, struct_itimerspec_sz);
  int res = REAL(timer_settime)(timer, flags, time, old_time);
  if (res == 0)
    recorder.WriteOptional(old_time, struct_itimerspec_sz);
  return res;
}
ATSAN_INTERCEPTOR_VER("GLIBC_2.3.3", int, timer_gettime, TimerId timer,
                      void *time) {
  ATSAN_ENTER(timer_gettime, timer, time);
  int res = REAL(timer_gettime)(timer, time);
  if (res == 0)
    recorder.Write(time, struct_itimerspec_sz);
  return res;
}

// --- Limits and usage. -------------------------------------------------------

ATSAN_AFTER(int, getrlimit, (int resource, void *limit), (resource, limit),
            if (res == 0) recorder.Write(limit, struct_rlimit_sz))
ATSAN_BEFORE(int, setrlimit, (int resource, const void *limit),
             (resource, limit), recorder.Read(limit, struct_rlimit_sz))

ATSAN_AFTER(int, sched_rr_get_interval, (int process, void *time),
            (process, time), if (res == 0) WriteTimespec(recorder, time))
ATSAN_BEFORE(int, sched_setparam, (int process, const int *priority),
             (process, priority), recorder.ReadObject(priority))
ATSAN_BEFORE(int, sched_setscheduler,
             (int process, int policy, const int *priority),
             (process, policy, priority), recorder.ReadObject(priority))

ATSAN_AFTER(int, getrusage, (int who, void *usage), (who, usage),
            if (res == 0) recorder.Write(usage, struct_rusage_sz))

ATSAN_AFTER(int, gethostname, (char *name, uptr size), (name, size),
            if (res == 0)
                recorder.Write(name,
                               Min(internal_strnlen(name, size) + 1, size)))
