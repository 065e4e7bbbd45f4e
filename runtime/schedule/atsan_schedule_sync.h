//===-- atsan_schedule_sync.h -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points for interceptors: each function stops the calling thread, which is
// controlled, until it can do what libc is about to do for it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_SYNC_H
#define ATSAN_SCHEDULE_SYNC_H

#include "runtime/schedule/atsan_schedule_wait.h"
#include "runtime/schedule/atsan_scheduler.h"

namespace __atsan {

// Clocks and error numbers of libc, whose headers interceptors cannot include.
constexpr int kRealTimeClock = 0, kMonotonicClock = 1;
constexpr int kTimedOutError = 110, kTryAgainError = 11;

// False: libc refuses to wait until then, at once or as soon as it would have
// to. True without a limit.
bool IsDeadline(const void *timespec, int clock);
// The nanoseconds of a timespec; kNever if it is so large that it is meant to
// be for ever.
u64 NanosecondsOf(const void *timespec);
// Deadlines are virtual times.
u64 DeadlineAt(const void *timespec,
               int clock);  // `clock` is a number of clock_gettime.
u64 DeadlineIn(u64 nanoseconds);
// What a clock shows under control. False: a clock that is not virtual.
bool VirtualClock(int clock, u64 *nanoseconds);
// A run begins: virtual clocks begin with the real ones' times.
void StartClocks();

// A place that is no access: a function of libc, by its name. (Its flags
// change.)
#define ATSAN_SCHEDULE_PLACE(name)               \
  ([]() -> const Place * {                       \
    static Place place = {name, "", 0, 0, 0, 0}; \
    return &place;                               \
  }())

// The stop before a step that touches the object.
Stop SyncStop(const Place *place, const void *object, const AccessPoint &at);
// A step that touches the object, and perhaps a second one, and that nothing
// has to be awaited for.
void PointAt(ScheduledThread *self, const Place *place, const void *object,
             const AccessPoint &at, const void *second = nullptr);
// A step that nobody else notices.
void LocalPoint(ScheduledThread *self, const Place *place,
                const AccessPoint &at);
// Others may go first.
void YieldPoint(ScheduledThread *self, const Place *place,
                const AccessPoint &at);
// Before and after a call that does not wait, and may not do what it is for.
void TryPoint(ScheduledThread *self, const Place *place, const void *object,
              const AccessPoint &at);
void Tried(ScheduledThread *self, bool is_done);
// Before `added` is added to a counter of references; true if that makes the
// first or takes the last one. Who takes the last one of several threads that
// nothing orders, as a join would, is a choice that no search sees. `self`:
// nullptr in a run that is steered.
bool NoteCount(ScheduledThread *self, uptr counter, uptr size, u64 added);
void SleepUntil(ScheduledThread *self, const Place *place, u64 deadline,
                const AccessPoint &at);

struct LockRequest {
  ScheduledThread *self;
  const Place *place;
  const void *lock;
  bool shared;
  bool tries;  // Does not wait.
  u64 deadline;
  AccessPoint at;
  SyncObject kind = SyncObject::kOther;
};

// Nanoseconds until a deadline; kNever if there is none.
u64 TimeLeft(u64 deadline);
// Goes outside and calls try_it() until it returns something else than `busy`,
// or the time is over.
template <class Try>
int TryOutside(ScheduledThread *self, u64 deadline, int busy, int timed_out,
               Try try_it);

// Calls try_lock(), which returns an error number, when the lock is free. The
// result is that of the function of libc that waits. Where nobody is known who
// holds the lock, another process or a thread that is not controlled may: then
// it is awaited outside.
template <class TryLock>
int LockScheduled(const LockRequest &request, int busy, int timed_out,
                  TryLock try_lock);
// Before and after a lock is given back.
void UnlockPoint(ScheduledThread *self, const Place *place, const void *lock,
                 const AccessPoint &at);
void Unlocked(ScheduledThread *self, const void *lock);
// After a lock was taken in a call that is not controlled.
void Locked(ScheduledThread *self, const void *lock);

// The thread has given the mutex back, and waits for the condition and then for
// the mutex, which it has to take. False: the time is over.
bool WaitForCondition(ScheduledThread *self, const Place *place,
                      const void *condition, const void *mutex, u64 deadline,
                      const AccessPoint &at);
void SignalPoint(ScheduledThread *self, const Place *place,
                 const void *condition, bool all, const AccessPoint &at);
// A thread that is not controlled signals it: nobody has to choose.
void SignalScheduled(const void *condition, bool all);

// Until the semaphore can be decreased. False: the time is over.
bool WaitForSemaphore(ScheduledThread *self, const Place *place,
                      const void *semaphore, u64 deadline,
                      const AccessPoint &at);
// True for the thread that was the last to come.
bool WaitAtBarrier(ScheduledThread *self, const Place *place,
                   const void *barrier, u32 parties, const AccessPoint &at);
// Until nobody runs the function of the once-control.
void WaitForOnce(ScheduledThread *self, const Place *place, const void *control,
                 const AccessPoint &at);
// Until WakeAt. False: the time is over.
bool WaitForWake(ScheduledThread *self, const Place *place, const void *object,
                 u64 deadline, const AccessPoint &at);
// Until the thread has ended; one that is not controlled is not awaited here.
// False: the time is over.
bool WaitForEnd(ScheduledThread *self, const Place *place, u32 tid,
                u64 deadline, const AccessPoint &at);

// Until the thread with this number has ended.
void WaitForEndOf(ScheduledThread *self, const Place *place, u32 number,
                  const AccessPoint &at);

// --- Implementation. ---------------------------------------------------------

// Stops; false: the time is over.
bool StopForLock(const LockRequest &request);
void LockTried(const LockRequest &request, bool is_taken);
bool MayBeHeldOutside(const LockRequest &request);

template <class Try>
int TryOutside(ScheduledThread *self, u64 deadline, int busy, int timed_out,
               Try try_it) {
  constexpr u64 kPause = 1000 * 1000;
  const u64 limit = TimeLeft(deadline);
  GoOutside(self, limit);
  const u64 begin = RealTime(kMonotonicClock);
  for (;;) {
    const int result = try_it();
    if (result != busy)
      return result;
    if (limit != kNever && RealTime(kMonotonicClock) - begin >= limit)
      return timed_out;
    Pause(kPause);
  }
}

template <class TryLock>
int LockScheduled(const LockRequest &request, int busy, int timed_out,
                  TryLock try_lock) {
  for (;;) {
    if (!StopForLock(request))
      return timed_out;
    int result = try_lock();
    bool is_busy = result == busy;
    if (is_busy && !request.tries && MayBeHeldOutside(request)) {
      result =
          TryOutside(request.self, request.deadline, busy, timed_out, try_lock);
      is_busy = false;
    }
    if (is_busy && !request.tries) {
      LockTried(request, false);
      continue;
    }
    if (!is_busy && result != timed_out)
      LockTried(request, true);
    return result;
  }
}

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_SYNC_H
