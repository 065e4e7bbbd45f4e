//===-- atsan_interceptors_wait.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Condition variables, barriers and semaphores: what threads wait at. Condition
// and barrier waits divide the region they stand in (rule 5).
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_lock_edges.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_steer.h"
#include "sanitizer_common/sanitizer_errno.h"

using namespace __atsan;

DECLARE_REAL(int, pthread_mutex_lock, void *m)
DECLARE_REAL(int, pthread_mutex_unlock, void *m)
DECLARE_REAL(int, pthread_barrier_wait, void *barrier)
DECLARE_REAL(int, pthread_cond_clockwait, void *cond, void *mutex, int clock,
             const void *deadline)
DECLARE_REAL(int, pthread_cond_wait, void *cond, void *mutex)
DECLARE_REAL(int, sem_trywait, void *sem)

extern "C" {
int pthread_barrier_init(void *barrier, const void *attr, unsigned count);
int pthread_barrier_destroy(void *barrier);
}

// --- Condition variables. ----------------------------------------------------

// How a function waits for a condition: what schedules need to know.
struct ConditionWait {
  void *condition;
  void *mutex;
  AccessPoint at;
  const Place *place;
  const void *deadline = nullptr;
  int clock = kRealTimeClock;
};

#define ATSAN_CONDITION_WAIT(function, condition, mutex, ...)                \
  ConditionWait {                                                            \
    condition, mutex, ATSAN_CALLER_POINT(), ATSAN_SCHEDULE_PLACE(#function), \
        ##__VA_ARGS__                                                        \
  }

// The clock that a condition was made for is in its flags, where libc knows it.
static int ClockOf(const void *condition) {
  constexpr u32 kFlagsWord = 9, kMonotonicFlag = 2;
  return static_cast<const u32 *>(condition)[kFlagsWord] & kMonotonicFlag
             ? kMonotonicClock
             : kRealTimeClock;
}

// While schedules are controlled, libc's condition knows nothing of waits.
static NOINLINE int WaitScheduled(ScheduledThread *self,
                                  const ConditionWait &w) {
  // The step gives the mutex back, too.
  PointAt(self, w.place, w.condition, w.at, w.mutex);
  if (int error = REAL(pthread_mutex_unlock)(w.mutex))
    return error;
  Unlocked(self, w.mutex);
  const bool in_time =
      WaitForCondition(self, ATSAN_SCHEDULE_PLACE("wait"), w.condition, w.mutex,
                       DeadlineAt(w.deadline, w.clock), w.at);
  REAL(pthread_mutex_lock)(w.mutex);
  if (in_time)
    return 0;
  pthread_testcancel();
  return w.deadline ? kTimedOutError : 0;
}

// A condition that other processes may signal is awaited outside, by libc.
static NOINLINE int WaitOutside(ScheduledThread *self, const ConditionWait &w) {
  PointAt(self, w.place, w.condition, w.at, w.mutex);
  Unlocked(self, w.mutex);
  const u64 limit = TimeLeft(DeadlineAt(w.deadline, w.clock));
  GoOutside(self, limit);
  int res;
  if (limit == kNever) {
    res = REAL(pthread_cond_wait)(w.condition, w.mutex);
  } else {
    const u64 end = RealTime(kMonotonicClock) + limit;
    const u64 deadline[] = {end / kSecond, end % kSecond};  // A timespec.
    res = REAL(pthread_cond_clockwait)(w.condition, w.mutex, kMonotonicClock,
                                       deadline);
  }
  Locked(self, w.mutex);
  return res;
}

static bool IsBetweenProcesses(const ConditionWait &w) {
  return IsBetweenProcesses(SyncObject::kCondition, w.condition);
}

// A steered thread gives the mutex up while it waits.
class ScopedSteeredWait {
 public:
  ScopedSteeredWait(const Place *place, void *mutex)
      : self_(CurrentSteered()), mutex_(reinterpret_cast<uptr>(mutex)) {
    if (LIKELY(!self_))
      return;
    SteerAt(self_, place);
    SteerUnlocked(self_, mutex_);
  }
  ~ScopedSteeredWait() {
    if (UNLIKELY(self_))
      SteerTriedLock(self_, mutex_, /*is_taken=*/true);
  }
  ScopedSteeredWait(const ScopedSteeredWait &) = delete;
  void operator=(const ScopedSteeredWait &) = delete;

 private:
  SteeredThread *const self_;
  const uptr mutex_;
};

// The mutex is given up and taken again; also by a cancelled wait, but not if
// libc refuses the deadline.
template <class Wait>
static int WaitForCondition(const ConditionWait &w, Wait wait) {
  if (!IsDeadline(w.deadline, w.clock))
    return wait();
  Thread *thr = CurrentOrNewThread();
  ScopedSteeredWait steered_wait(w.place, w.mutex);
  RegionBoundary boundary;
  boundary.Enter(thr, kSplitWait, w.at);
  LockWillBeReleased(thr, w.mutex, LockMode::kExclusive, w.at);
  Observe(thr, EventKind::Wait, reinterpret_cast<uptr>(w.condition), w.at);
  ScopedBlocked blocked(thr, w.at);
  auto awake = [&] {
    blocked.Leave();
    LockWasAcquired(thr, w.mutex, LockMode::kExclusive, w.at);
    boundary.Leave();
  };
  ScheduledThread *self = CurrentScheduled();
  int res;
  if (!self)
    res = CallCancellable(wait, awake);
  else if (IsBetweenProcesses(w))
    res = CallCancellable([&] { return WaitOutside(self, w); }, awake);
  else
    res = CallCancellable([&] { return WaitScheduled(self, w); }, awake);
  blocked.Leave();
  if (res == 0)
    Observe(thr, EventKind::Woken, reinterpret_cast<uptr>(w.condition), w.at);
  awake();
  return res;
}

// C11 has its own number for a wait whose time is over.
static int ResultOfC11(int res) {
  constexpr int kTimedOut = 4;  // thrd_timedout
  return res == kTimedOutError ? kTimedOut : res;
}

ATSAN_INTERCEPTOR_VER("GLIBC_2.3.2", int, pthread_cond_wait, void *cond,
                      void *mutex) {
  EnsureReady();
  return WaitForCondition(ATSAN_CONDITION_WAIT(pthread_cond_wait, cond, mutex),
                          [=] { return REAL(pthread_cond_wait)(cond, mutex); });
}

ATSAN_INTERCEPTOR_VER("GLIBC_2.3.2", int, pthread_cond_timedwait, void *cond,
                      void *mutex, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return WaitForCondition(
      ATSAN_CONDITION_WAIT(pthread_cond_timedwait, cond, mutex, deadline,
                           ClockOf(cond)),
      [=] { return REAL(pthread_cond_timedwait)(cond, mutex, deadline); });
}

ATSAN_INTERCEPTOR(int, pthread_cond_clockwait, void *cond, void *mutex,
                  int clock, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return WaitForCondition(ATSAN_CONDITION_WAIT(pthread_cond_clockwait, cond,
                                               mutex, deadline, clock),
                          [=] {
                            return REAL(pthread_cond_clockwait)(
                                cond, mutex, clock, deadline);
                          });
}

ATSAN_INTERCEPTOR(int, cnd_wait, void *cond, void *mutex) {
  EnsureReady();
  return ResultOfC11(
      WaitForCondition(ATSAN_CONDITION_WAIT(cnd_wait, cond, mutex),
                       [=] { return REAL(cnd_wait)(cond, mutex); }));
}

ATSAN_INTERCEPTOR(int, cnd_timedwait, void *cond, void *mutex,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return ResultOfC11(WaitForCondition(
      ATSAN_CONDITION_WAIT(cnd_timedwait, cond, mutex, deadline),
      [=] { return REAL(cnd_timedwait)(cond, mutex, deadline); }));
}

// Signals are nobody's data; only schedules and traces want to know of them.
template <class Signal>
static int SignalCondition(void *cond, bool all, const Place *place,
                           const AccessPoint &at, Signal signal) {
  if (ScheduledThread *self = CurrentScheduled())
    SignalPoint(self, place, cond, all, at);
  else if (UNLIKELY(SchedulesAreControlled()))
    SignalScheduled(cond, all);
  SteerBefore(place);
  if (IsObserved())
    ObserveSlow(CurrentOrNewThread(), EventKind::Signal,
                reinterpret_cast<uptr>(cond), all, at, /*is_stack=*/false,
                nullptr);
  return signal();
}

ATSAN_INTERCEPTOR_VER("GLIBC_2.3.2", int, pthread_cond_signal, void *cond) {
  EnsureReady();
  return SignalCondition(
      cond, /*all=*/false, ATSAN_SCHEDULE_PLACE("pthread_cond_signal"),
      ATSAN_CALLER_POINT(), [=] { return REAL(pthread_cond_signal)(cond); });
}

ATSAN_INTERCEPTOR_VER("GLIBC_2.3.2", int, pthread_cond_broadcast, void *cond) {
  EnsureReady();
  return SignalCondition(
      cond, /*all=*/true, ATSAN_SCHEDULE_PLACE("pthread_cond_broadcast"),
      ATSAN_CALLER_POINT(), [=] { return REAL(pthread_cond_broadcast)(cond); });
}

ATSAN_INTERCEPTOR(int, cnd_signal, void *cond) {
  EnsureReady();
  return SignalCondition(
      cond, /*all=*/false, ATSAN_SCHEDULE_PLACE("cnd_signal"),
      ATSAN_CALLER_POINT(), [=] { return REAL(cnd_signal)(cond); });
}

ATSAN_INTERCEPTOR(int, cnd_broadcast, void *cond) {
  EnsureReady();
  return SignalCondition(
      cond, /*all=*/true, ATSAN_SCHEDULE_PLACE("cnd_broadcast"),
      ATSAN_CALLER_POINT(), [=] { return REAL(cnd_broadcast)(cond); });
}

// --- Barriers. ---------------------------------------------------------------

// More words than a barrier of any libc has.
constexpr uptr kBarrierWords = 32;

// Finds the word of a barrier in which libc keeps how many threads meet there,
// by barriers for different numbers. kBarrierWords: not known.
static uptr FindParties() {
  constexpr u32 kNumbers[] = {3, 70001};
  alignas(16) u32 examples[2][kBarrierWords] = {};
  for (u32 i = 0; i < 2; i++)
    if (pthread_barrier_init(examples[i], nullptr, kNumbers[i]))
      return kBarrierWords;
  uptr at = 0;
  while (at < kBarrierWords &&
         (examples[0][at] != kNumbers[0] || examples[1][at] != kNumbers[1]))
    at++;
  for (auto &example : examples)
    pthread_barrier_destroy(example);
  return at;
}

// How many meet at a barrier; 0: not known. Every thread that looks for the
// place finds the same.
static u32 Parties(const void *barrier) {
  static atomic_uintptr_t place_plus_1;
  uptr found = atomic_load(&place_plus_1, memory_order_relaxed);
  if (!found) {
    found = FindParties() + 1;
    atomic_store(&place_plus_1, found, memory_order_relaxed);
  }
  return found <= kBarrierWords ? static_cast<const u32 *>(barrier)[found - 1]
                                : 0;
}

static NOINLINE int BarrierScheduled(ScheduledThread *self, void *barrier,
                                     const AccessPoint &at) {
  constexpr int kSerialThread = -1;  // PTHREAD_BARRIER_SERIAL_THREAD
  if (IsBetweenProcesses(SyncObject::kBarrier, barrier)) {
    PointAt(self, ATSAN_SCHEDULE_PLACE("pthread_barrier_wait"), barrier, at);
    GoOutside(self);
    return REAL(pthread_barrier_wait)(barrier);
  }
  return WaitAtBarrier(self, ATSAN_SCHEDULE_PLACE("pthread_barrier_wait"),
                       barrier, Parties(barrier), at)
             ? kSerialThread
             : 0;
}

ATSAN_INTERCEPTOR(int, pthread_barrier_wait, void *barrier) {
  EnsureReady();
  AccessPoint at = ATSAN_CALLER_POINT();
  Thread *thr = CurrentOrNewThread();
  SteerBefore(ATSAN_SCHEDULE_PLACE("pthread_barrier_wait"));
  RegionBoundary boundary;
  boundary.Enter(thr, kSplitBarrier, at);
  uptr addr = reinterpret_cast<uptr>(barrier);
  if (IsObserved())
    ObserveSlow(thr, EventKind::BarrierArrive, addr, Parties(barrier), at,
                /*is_stack=*/false, nullptr);
  int res;
  {
    ScopedBlocked blocked(thr, at);
    ScheduledThread *self = CurrentScheduled();
    res = self ? BarrierScheduled(self, barrier, at)
               : REAL(pthread_barrier_wait)(barrier);
  }
  Observe(thr, EventKind::BarrierLeave, addr, at);
  boundary.Leave();
  return res;
}

// --- Semaphores: locks that anybody may give back. ---------------------------

// A wait for a semaphore under control: when it can be decreased, sem_trywait
// does so. For how long another process takes to increase it, only real time
// tells.
static NOINLINE int SemaphoreScheduled(ScheduledThread *self,
                                       const Place *place, void *sem,
                                       u64 deadline, const AccessPoint &at) {
  if (deadline != kNever && IsBetweenProcesses(SyncObject::kSemaphore, sem)) {
    PointAt(self, place, sem, at);
    const int res = TryOutside(self, deadline, /*busy=*/-1, /*timed_out=*/-1,
                               [=] { return REAL(sem_trywait)(sem); });
    if (res)
      errno = kTimedOutError;
    return res;
  }
  for (;;) {
    if (!WaitForSemaphore(self, place, sem, deadline, at)) {
      pthread_testcancel();
      if (!TimeLeft(deadline))
        break;
    }
    // Somebody else who is not controlled may have been quicker.
    const int res = REAL(sem_trywait)(sem);
    if (!res || errno != kTryAgainError)
      return res;
  }
  errno = kTimedOutError;
  return -1;
}

// A try that was interrupted, or of no semaphore, says nothing about its value.
static void SemaphoreWasTried(Thread *thr, const void *sem, int res,
                              const AccessPoint &at) {
  if (res == 0)
    return LockWasAcquired(thr, sem, LockMode::kExclusive, at);
  if (!IsObserved() || (errno != kTryAgainError && errno != kTimedOutError))
    return;
  const int error = errno;
  ObserveSlow(thr, EventKind::TryFailed, reinterpret_cast<uptr>(sem),
              TryOf::SemaphoreTry, at, /*is_stack=*/false, nullptr);
  errno = error;
}

template <class Wait>
static int WaitForSemaphore(void *sem, const AccessPoint &at,
                            const Place *place, const void *deadline, int clock,
                            Wait wait) {
  Thread *thr = CurrentOrNewThread();
  SteerBefore(place);
  NoteWaitInRegion(thr, "sem_wait", at);
  ScopedBlocked blocked(thr, at);
  ScheduledThread *self = CurrentScheduled();
  auto leave = [&] { blocked.Leave(); };
  auto wait_scheduled = [&] {
    return SemaphoreScheduled(self, place, sem, DeadlineAt(deadline, clock),
                              at);
  };
  int res = self && IsDeadline(deadline, clock)
                ? CallCancellable(wait_scheduled, leave)
                : CallCancellable(wait, leave);
  blocked.Leave();
  SemaphoreWasTried(thr, sem, res, at);
  return res;
}

ATSAN_INTERCEPTOR(int, sem_wait, void *sem) {
  EnsureReady();
  return WaitForSemaphore(sem, ATSAN_CALLER_POINT(),
                          ATSAN_SCHEDULE_PLACE("sem_wait"), nullptr,
                          kRealTimeClock, [=] { return REAL(sem_wait)(sem); });
}

// The value of a semaphore is data; the semaphore itself is a lock.
ATSAN_INTERCEPTOR(int, sem_getvalue, void *sem, int *value) {
  EnsureReady();
  if (ScheduledThread *self = CurrentScheduled())
    PointAt(self, ATSAN_SCHEDULE_PLACE("sem_getvalue"), sem,
            ATSAN_CALLER_POINT());
  ATSAN_ENTER(sem_getvalue, sem, value);
  int res = REAL(sem_getvalue)(sem, value);
  if (res == 0)
    recorder.WriteObject(value);
  return res;
}

ATSAN_INTERCEPTOR(int, sem_trywait, void *sem) {
  EnsureReady();
  AccessPoint at = ATSAN_CALLER_POINT();
  ScheduledThread *self = CurrentScheduled();
  if (UNLIKELY(self))
    TryPoint(self, ATSAN_SCHEDULE_PLACE("sem_trywait"), sem, at);
  SteerBefore(ATSAN_SCHEDULE_PLACE("sem_trywait"));
  int res = REAL(sem_trywait)(sem);
  if (UNLIKELY(self))
    Tried(self, res == 0);
  SemaphoreWasTried(CurrentOrNewThread(), sem, res, at);
  return res;
}

ATSAN_INTERCEPTOR(int, sem_timedwait, void *sem, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return WaitForSemaphore(sem, ATSAN_CALLER_POINT(),
                          ATSAN_SCHEDULE_PLACE("sem_timedwait"), deadline,
                          kRealTimeClock,
                          [=] { return REAL(sem_timedwait)(sem, deadline); });
}

ATSAN_INTERCEPTOR(int, sem_clockwait, void *sem, int clock,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return WaitForSemaphore(
      sem, ATSAN_CALLER_POINT(), ATSAN_SCHEDULE_PLACE("sem_clockwait"),
      deadline, clock,
      [=] { return REAL(sem_clockwait)(sem, clock, deadline); });
}

ATSAN_INTERCEPTOR(int, sem_post, void *sem) {
  EnsureReady();
  AccessPoint at = ATSAN_CALLER_POINT();
  if (ScheduledThread *self = CurrentScheduled())
    PointAt(self, ATSAN_SCHEDULE_PLACE("sem_post"), sem, at);
  SteerBefore(ATSAN_SCHEDULE_PLACE("sem_post"));
  LockWillBeReleased(CurrentOrNewThread(), sem, LockMode::kExclusive, at);
  return REAL(sem_post)(sem);
}
