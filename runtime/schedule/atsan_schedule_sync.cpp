//===-- atsan_schedule_sync.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_sync.h"

#include <time.h>

#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_objects.h"

namespace __atsan {

// --- Time. -------------------------------------------------------------------

constexpr int kClocks = 8;

// What the real clocks showed when the run began.
static u64 clock_starts[kClocks];

static bool IsVirtual(int clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ||
         clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_REALTIME_COARSE ||
         clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

void StartClocks() {
  for (int clock = 0; clock < kClocks; clock++)
    if (IsVirtual(clock))
      clock_starts[clock] = RealTime(clock);
}

bool VirtualClock(int clock, u64 *nanoseconds) {
  if (!IsVirtual(clock))
    return false;
  LetTimePass();
  *nanoseconds = clock_starts[clock] + VirtualTime();
  return true;
}

bool IsDeadline(const void *time, int clock) {
  auto *t = static_cast<const timespec *>(time);
  return !t || (static_cast<u64>(t->tv_nsec) < kSecond &&
                (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC));
}

u64 NanosecondsOf(const void *time) {
  auto *t = static_cast<const timespec *>(time);
  constexpr s64 kMostSeconds = 9'000'000'000;
  if (t->tv_sec > kMostSeconds)
    return kNever;
  return t->tv_sec < 0 ? 0 : t->tv_sec * kSecond + t->tv_nsec;
}

u64 DeadlineAt(const void *time, int clock) {
  const u64 absolute = time ? NanosecondsOf(time) : kNever;
  if (absolute == kNever)
    return kNever;
  const u64 start = IsVirtual(clock) ? clock_starts[clock] : RealTime(clock);
  return absolute > start ? absolute - start : 0;
}

u64 DeadlineIn(u64 nanoseconds) {
  return nanoseconds == kNever ? kNever : VirtualTime() + nanoseconds;
}

u64 TimeLeft(u64 deadline) {
  if (deadline == kNever)
    return kNever;
  const u64 now = VirtualTime();
  return deadline > now ? deadline - now : 0;
}

// --- Steps. ------------------------------------------------------------------

static uptr Name(const void *object) { return reinterpret_cast<uptr>(object); }

Stop SyncStop(const Place *place, const void *object, const AccessPoint &at) {
  Stop stop = {};
  stop.step.kind = StepKind::kSync;
  stop.step.object = Name(object);
  stop.step.interesting = true;
  stop.place = place;
  stop.at = at;
  return stop;
}

void PointAt(ScheduledThread *self, const Place *place, const void *object,
             const AccessPoint &at, const void *second) {
  Stop stop = SyncStop(place, object, at);
  stop.step.second = Name(second);
  StopAt(self, stop);
}

static Stop LocalStop(const Place *place, const AccessPoint &at) {
  Stop stop = {};
  stop.place = place;
  stop.at = at;
  return stop;
}

void TryPoint(ScheduledThread *self, const Place *place, const void *object,
              const AccessPoint &at) {
  ATSAN_STATE_OF_THREAD(state);
  Stop stop = SyncStop(place, object, at);
  stop.repeats = true;
  stop.state = state;
  StopAt(self, stop);
}

void Tried(ScheduledThread *self, bool is_done) {
  ScopedSchedulerLock lock;
  if (is_done)
    ForgetRepetition(self);
}

void LocalPoint(ScheduledThread *self, const Place *place,
                const AccessPoint &at) {
  StopAt(self, LocalStop(place, at));
}

void YieldPoint(ScheduledThread *self, const Place *place,
                const AccessPoint &at) {
  ATSAN_STATE_OF_THREAD(state);
  Stop stop = LocalStop(place, at);
  stop.yields = stop.repeats = true;
  stop.state = state;
  StopAt(self, stop);
}

void SleepUntil(ScheduledThread *self, const Place *place, u64 deadline,
                const AccessPoint &at) {
  Stop stop = LocalStop(place, at);
  stop.guard = Guard::kTime;
  stop.deadline = deadline;
  // A sleep of no time is a request to let others go first.
  stop.yields = deadline <= VirtualTime();
  StopAt(self, stop);
}

// --- Locks. ------------------------------------------------------------------

static void NoteTaken(ScheduledThread *self, const void *lock, bool shared) {
  NoteLocked(Name(lock), self->number, shared);
  self->locks++;
}

// Whether it waits until the lock is taken.
static bool WaitsForLock(const LockRequest &request) {
  return !request.tries && request.deadline == kNever;
}

bool StopForLock(const LockRequest &request) {
  ATSAN_STATE_OF_THREAD(state);
  Stop stop = SyncStop(request.place, request.lock, request.at);
  if (request.shared)
    stop.step.kind = StepKind::kSyncShared;
  if (!request.tries) {
    stop.guard = request.shared ? Guard::kSharedLock : Guard::kLock;
    stop.deadline = request.deadline;
  }
  // A limit that is over is a try, too.
  stop.locks = WaitsForLock(request);
  stop.repeats =
      stop.locks || request.tries || request.deadline <= VirtualTime();
  stop.state = state;
  return StopAt(request.self, stop);
}

void LockTried(const LockRequest &request, bool is_taken) {
  ScopedSchedulerLock lock;
  if (is_taken) {
    NoteTaken(request.self, request.lock, request.shared);
    if (IsRobust(request.kind, request.lock))
      NoteRobust(Name(request.lock));
    if (!WaitsForLock(request))
      ForgetRepetition(request.self);
    return;
  }
  NoteHeldUnseen(Name(request.lock));
}

bool MayBeHeldOutside(const LockRequest &request) {
  {
    ScopedSchedulerLock lock;
    if (HolderOf(Name(request.lock)) != kNoThread)
      return false;
  }
  return IsBetweenProcesses(request.kind, request.lock) || HasOtherThreads();
}

void UnlockPoint(ScheduledThread *self, const Place *place, const void *lock,
                 const AccessPoint &at) {
  ATSAN_STATE_OF_THREAD(state);
  Stop stop = SyncStop(place, lock, at);
  stop.step.interesting = false;
  stop.repeats = stop.locks = true;
  stop.state = state;
  StopAt(self, stop);
}

void Unlocked(ScheduledThread *self, const void *lock) {
  ScopedSchedulerLock scoped_lock;
  NoteUnlocked(Name(lock), self->number);
  if (self->locks)
    self->locks--;
}

void Locked(ScheduledThread *self, const void *lock) {
  ScopedSchedulerLock scoped_lock;
  NoteTaken(self, lock, /*shared=*/false);
}

// --- Conditions, semaphores, barriers. ---------------------------------------

static bool Wait(ScheduledThread *self, Stop stop, Guard guard, u64 deadline) {
  stop.guard = guard;
  stop.deadline = deadline;
  return StopAt(self, stop);
}

bool WaitForCondition(ScheduledThread *self, const Place *place,
                      const void *condition, const void *mutex, u64 deadline,
                      const AccessPoint &at) {
  Stop stop = SyncStop(place, condition, at);
  stop.step.second = Name(mutex);
  const bool in_time = Wait(self, stop, Guard::kCondition, deadline);
  ConditionIsOver(self, Name(condition));
  ScopedSchedulerLock lock;
  NoteTaken(self, mutex, /*shared=*/false);
  return in_time;
}

void SignalPoint(ScheduledThread *self, const Place *place,
                 const void *condition, bool all, const AccessPoint &at) {
  PointAt(self, place, condition, at);
  SignalScheduled(condition, all);
}

void SignalScheduled(const void *condition, bool all) {
  if (all)
    WakeAt(Name(condition), ~0u);
  else
    SignalAt(Name(condition));
}

bool WaitForSemaphore(ScheduledThread *self, const Place *place,
                      const void *semaphore, u64 deadline,
                      const AccessPoint &at) {
  return Wait(self, SyncStop(place, semaphore, at), Guard::kSemaphore,
              deadline);
}

bool WaitAtBarrier(ScheduledThread *self, const Place *place,
                   const void *barrier, u32 parties, const AccessPoint &at) {
  PointAt(self, place, barrier, at);
  bool is_last;
  {
    ScopedSchedulerLock lock;
    is_last = ArriveAt(Name(barrier), parties);
  }
  if (is_last)
    WakeAt(Name(barrier), ~0u);
  else
    Wait(self, SyncStop(place, barrier, at), Guard::kWoken, kNever);
  return is_last;
}

void WaitForOnce(ScheduledThread *self, const Place *place, const void *control,
                 const AccessPoint &at) {
  Wait(self, SyncStop(place, control, at), Guard::kOnce, kNever);
}

bool WaitForWake(ScheduledThread *self, const Place *place, const void *object,
                 u64 deadline, const AccessPoint &at) {
  return Wait(self, SyncStop(place, object, at), Guard::kWoken, deadline);
}

void WaitForEndOf(ScheduledThread *self, const Place *place, u32 number,
                  const AccessPoint &at) {
  Stop stop = LocalStop(place, at);
  stop.target = number;
  Wait(self, stop, Guard::kThreadEnd, kNever);
}

bool WaitForEnd(ScheduledThread *self, const Place *place, u32 tid,
                u64 deadline, const AccessPoint &at) {
  ScheduledThread *target = FindScheduled(tid);
  if (!target)
    return true;
  Stop stop = SyncStop(place, target, at);
  stop.step.interesting = false;
  stop.target = target->number;
  stop.repeats = deadline == 0;
  return Wait(self, stop, Guard::kThreadEnd, deadline);
}

}  // namespace __atsan
