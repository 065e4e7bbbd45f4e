//===-- atsan_interceptors_lock.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutexes, reader-writer locks and spin locks. Locks are not data: only with
// lock_edges=1 do they mean something to the checker (rule 6). A thread that
// waits for one shows its frames to reports.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_lock_edges.h"
#include "runtime/regions/atsan_critical_section.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_steer.h"

using namespace __atsan;

DECLARE_REAL(int, mtx_trylock, void *m)
DECLARE_REAL(int, pthread_mutex_lock, void *m)
DECLARE_REAL(int, pthread_mutex_unlock, void *m)
DECLARE_REAL(int, pthread_rwlock_tryrdlock, void *m)
DECLARE_REAL(int, pthread_rwlock_trywrlock, void *m)
DECLARE_REAL(int, pthread_spin_trylock, void *m)

// Whether somebody wants to know of locks. Mostly nobody does: then only where
// a thread may wait is noted, for reports.
static bool LocksAreWatched() {
  return UNLIKELY(IsObserved() || flags()->lock_edges ||
                  critical_sections_are_regions);
}

// Whether a mutex that is free may be locked, and any be unlocked, with no more
// ado: nobody wants to know, and no schedule is controlled.
static bool LocksAreIgnored() {
  return LIKELY(runtime_ready) && LIKELY(!SchedulesAreControlled()) &&
         !LocksAreWatched();
}

// The point is passed by value: it is not in memory unless it is told.
static NOINLINE void TellAcquired(Thread *thr, const void *addr, LockMode mode,
                                  AccessPoint at) {
  LockWasAcquired(thr, addr, mode, at);
  SectionLockTaken(thr, addr, at);
}

static NOINLINE void TellReleased(const void *addr, LockMode mode,
                                  AccessPoint at) {
  Thread *thr = CurrentOrNewThread();
  SectionLockGivenBack(thr, addr);
  LockWillBeReleased(thr, addr, mode, at);
}

static NOINLINE void TellFailed(Thread *thr, const void *addr, LockMode mode,
                                AccessPoint at) {
  if (IsObserved())
    ObserveSlow(
        thr, EventKind::TryFailed, reinterpret_cast<uptr>(addr),
        mode == LockMode::kShared ? TryOf::SharedTry : TryOf::ExclusiveTry, at,
        /*is_stack=*/false, nullptr);
}

// A lock that is about to be taken.
struct Taking {
  const void *lock;
  LockMode mode;
  AccessPoint at;
  const Place *place;  // The function, for schedules.
  SyncObject kind;
  bool tries = false;
  const void *deadline = nullptr;
  int clock = kRealTimeClock;
  // What the function returns.
  int busy = errno_EBUSY;
  int timed_out = kTimedOutError;
  int invalid = errno_EINVAL;

  Taking Try() const {
    Taking t = *this;
    t.tries = true;
    return t;
  }
  Taking Until(const void *when, int of_clock = kRealTimeClock) const {
    Taking t = *this;
    t.deadline = when;
    t.clock = of_clock;
    return t;
  }
  Taking OfC11() const {
    // thrd_busy, thrd_timedout, thrd_error.
    constexpr int kBusy = 1, kTimedOut = 4, kError = 2;
    Taking t = *this;
    t.busy = kBusy;
    t.invalid = kError;
    t.timed_out = kTimedOut;
    return t;
  }
};

#define ATSAN_TAKING(function, kind, lock, mode)          \
  Taking {                                                \
    lock, LockMode::mode, ATSAN_CALLER_POINT(),           \
        ATSAN_SCHEDULE_PLACE(#function), SyncObject::kind \
  }

template <class Lock>
static int AcquireSteered(const Taking &t, Lock lock) {
  SteeredThread *self = CurrentSteered();
  if (!self)
    return lock();
  SteerAt(self, t.place);
  SteerWantsLock(self, reinterpret_cast<uptr>(t.lock));
  const int res = lock();
  SteerTriedLock(self, reinterpret_cast<uptr>(t.lock), HasLocked(res));
  return res;
}

// While schedules are controlled.
template <class Lock, class TryLock>
static NOINLINE int AcquireScheduled(const Taking &t, Lock lock,
                                     TryLock try_lock) {
  ScheduledThread *self = CurrentScheduled();
  if (!self)
    return AcquireSteered(t, lock);
  // Where libc refuses the deadline, it does not wait, and knows what to say.
  if (!IsDeadline(t.deadline, t.clock))
    return LockScheduled({self, t.place, t.lock, t.mode == LockMode::kShared,
                          /*tries=*/true, /*deadline=*/0, t.at},
                         t.invalid, t.timed_out, lock);
  return LockScheduled({self, t.place, t.lock, t.mode == LockMode::kShared,
                        t.tries, DeadlineAt(t.deadline, t.clock), t.at, t.kind},
                       t.busy, t.timed_out, try_lock);
}

// Calls `lock`, whose result tells HasLocked whether it has taken the lock.
// While schedules are controlled, it calls try_lock instead, when the lock is
// free.
template <class Lock, class TryLock>
ALWAYS_INLINE int Acquire(const Taking &t, Lock lock, TryLock try_lock) {
  Thread *thr = CurrentOrNewThread();
  int res;
  {
    ScopedBlocked blocked(thr, t.at);
    res = UNLIKELY(SchedulesAreControlled())
              ? AcquireScheduled(t, lock, try_lock)
              : lock();
  }
  if (LocksAreWatched()) {
    if (HasLocked(res))
      TellAcquired(thr, t.lock, t.mode, t.at);
    else if (res == t.busy || res == t.timed_out)
      TellFailed(thr, t.lock, t.mode, t.at);
  }
  return res;
}

template <class TryLock>
ALWAYS_INLINE int TryAcquire(const Taking &t, TryLock try_lock) {
  return Acquire(t.Try(), try_lock, try_lock);
}

template <class Unlock>
static int ReleaseSteered(const void *addr, const Place *place, Unlock unlock) {
  SteeredThread *self = CurrentSteered();
  if (!self)
    return unlock();
  SteerAt(self, place);
  // Before, since somebody else may take it at once.
  SteerUnlocked(self, reinterpret_cast<uptr>(addr));
  return unlock();
}

template <class Unlock>
static NOINLINE int ReleaseScheduled(const void *addr, const Place *place,
                                     const AccessPoint &at, Unlock unlock) {
  ScheduledThread *self = CurrentScheduled();
  if (!self)
    return ReleaseSteered(addr, place, unlock);
  UnlockPoint(self, place, addr, at);
  const int res = unlock();
  Unlocked(self, addr);
  return res;
}

template <class Unlock>
ALWAYS_INLINE int Release(const void *addr, LockMode mode, AccessPoint at,
                          const Place *place, Unlock unlock) {
  auto tell_and_unlock = [&] {
    if (LocksAreWatched())
      TellReleased(addr, mode, at);
    return unlock();
  };
  if (UNLIKELY(SchedulesAreControlled()))
    return ReleaseScheduled(addr, place, at, tell_and_unlock);
  return tell_and_unlock();
}

// --- Mutexes. ----------------------------------------------------------------

ATSAN_INTERCEPTOR(int, pthread_mutex_trylock, void *m) {
  EnsureReady();
  return TryAcquire(ATSAN_TAKING(pthread_mutex_trylock, kMutex, m, kExclusive),
                    [=] { return REAL(pthread_mutex_trylock)(m); });
}

// Critical sections with hooks in them make threads wait more often, but mostly
// not for long: to sleep and to be woken up takes more time than these rounds.
static int TryOften(void *m) {
  constexpr u32 kRounds = 3, kFirstPause = 8;
  int res = REAL(pthread_mutex_trylock)(m);
  for (u32 round = 0; UNLIKELY(res == errno_EBUSY) && round < kRounds;
       round++) {
    proc_yield(kFirstPause << round);
    res = REAL(pthread_mutex_trylock)(m);
  }
  return res;
}

static NOINLINE int LockMutex(void *m, AccessPoint at) {
  EnsureReady();
  return Acquire(
      {m, LockMode::kExclusive, at, ATSAN_SCHEDULE_PLACE("pthread_mutex_lock"),
       SyncObject::kMutex},
      [=] {
        int res = TryOften(m);
        // The real function also says what the error is.
        return LIKELY(HasLocked(res)) ? res : REAL(pthread_mutex_lock)(m);
      },
      [=] { return REAL(pthread_mutex_trylock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_mutex_lock, void *m) {
  if (LocksAreIgnored()) {
    const int res = REAL(pthread_mutex_trylock)(m);
    if (LIKELY(HasLocked(res)))
      return res;
  }
  return LockMutex(m, ATSAN_CALLER_POINT());
}

ATSAN_INTERCEPTOR(int, pthread_mutex_timedlock, void *m, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(
      ATSAN_TAKING(pthread_mutex_timedlock, kMutex, m, kExclusive)
          .Until(deadline),
      [=] { return REAL(pthread_mutex_timedlock)(m, deadline); },
      [=] { return REAL(pthread_mutex_trylock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_mutex_clocklock, void *m, int clock,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(
      ATSAN_TAKING(pthread_mutex_clocklock, kMutex, m, kExclusive)
          .Until(deadline, clock),
      [=] { return REAL(pthread_mutex_clocklock)(m, clock, deadline); },
      [=] { return REAL(pthread_mutex_trylock)(m); });
}

static NOINLINE int UnlockMutex(void *m, AccessPoint at) {
  EnsureReady();
  return Release(m, LockMode::kExclusive, at,
                 ATSAN_SCHEDULE_PLACE("pthread_mutex_unlock"),
                 [=] { return REAL(pthread_mutex_unlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_mutex_unlock, void *m) {
  if (LocksAreIgnored())
    return REAL(pthread_mutex_unlock)(m);
  return UnlockMutex(m, ATSAN_CALLER_POINT());
}

// The functions of C11 do not call those of POSIX by name.

ATSAN_INTERCEPTOR(int, mtx_lock, void *m) {
  EnsureReady();
  return Acquire(
      ATSAN_TAKING(mtx_lock, kMutex, m, kExclusive).OfC11(),
      [=] { return REAL(mtx_lock)(m); }, [=] { return REAL(mtx_trylock)(m); });
}

ATSAN_INTERCEPTOR(int, mtx_trylock, void *m) {
  EnsureReady();
  return TryAcquire(ATSAN_TAKING(mtx_trylock, kMutex, m, kExclusive).OfC11(),
                    [=] { return REAL(mtx_trylock)(m); });
}

ATSAN_INTERCEPTOR(int, mtx_timedlock, void *m, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(
      ATSAN_TAKING(mtx_timedlock, kMutex, m, kExclusive)
          .OfC11()
          .Until(deadline),
      [=] { return REAL(mtx_timedlock)(m, deadline); },
      [=] { return REAL(mtx_trylock)(m); });
}

ATSAN_INTERCEPTOR(int, mtx_unlock, void *m) {
  EnsureReady();
  return Release(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 ATSAN_SCHEDULE_PLACE("mtx_unlock"),
                 [=] { return REAL(mtx_unlock)(m); });
}

// --- Reader-writer locks. ----------------------------------------------------

ATSAN_INTERCEPTOR(int, pthread_rwlock_rdlock, void *m) {
  EnsureReady();
  return Acquire(
      ATSAN_TAKING(pthread_rwlock_rdlock, kRwlock, m, kShared),
      [=] { return REAL(pthread_rwlock_rdlock)(m); },
      [=] { return REAL(pthread_rwlock_tryrdlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_tryrdlock, void *m) {
  EnsureReady();
  return TryAcquire(ATSAN_TAKING(pthread_rwlock_tryrdlock, kRwlock, m, kShared),
                    [=] { return REAL(pthread_rwlock_tryrdlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_timedrdlock, void *m,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(
      ATSAN_TAKING(pthread_rwlock_timedrdlock, kRwlock, m, kShared)
          .Until(deadline),
      [=] { return REAL(pthread_rwlock_timedrdlock)(m, deadline); },
      [=] { return REAL(pthread_rwlock_tryrdlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_clockrdlock, void *m, int clock,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(
      ATSAN_TAKING(pthread_rwlock_clockrdlock, kRwlock, m, kShared)
          .Until(deadline, clock),
      [=] { return REAL(pthread_rwlock_clockrdlock)(m, clock, deadline); },
      [=] { return REAL(pthread_rwlock_tryrdlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_wrlock, void *m) {
  EnsureReady();
  return Acquire(
      ATSAN_TAKING(pthread_rwlock_wrlock, kRwlock, m, kExclusive),
      [=] { return REAL(pthread_rwlock_wrlock)(m); },
      [=] { return REAL(pthread_rwlock_trywrlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_trywrlock, void *m) {
  EnsureReady();
  return TryAcquire(
      ATSAN_TAKING(pthread_rwlock_trywrlock, kRwlock, m, kExclusive),
      [=] { return REAL(pthread_rwlock_trywrlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_timedwrlock, void *m,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(
      ATSAN_TAKING(pthread_rwlock_timedwrlock, kRwlock, m, kExclusive)
          .Until(deadline),
      [=] { return REAL(pthread_rwlock_timedwrlock)(m, deadline); },
      [=] { return REAL(pthread_rwlock_trywrlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_clockwrlock, void *m, int clock,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(
      ATSAN_TAKING(pthread_rwlock_clockwrlock, kRwlock, m, kExclusive)
          .Until(deadline, clock),
      [=] { return REAL(pthread_rwlock_clockwrlock)(m, clock, deadline); },
      [=] { return REAL(pthread_rwlock_trywrlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_unlock, void *m) {
  EnsureReady();
  return Release(m, RwlockMode(m), ATSAN_CALLER_POINT(),
                 ATSAN_SCHEDULE_PLACE("pthread_rwlock_unlock"),
                 [=] { return REAL(pthread_rwlock_unlock)(m); });
}

// --- Spin locks. -------------------------------------------------------------

ATSAN_INTERCEPTOR(int, pthread_spin_lock, void *m) {
  EnsureReady();
  return Acquire(
      ATSAN_TAKING(pthread_spin_lock, kOther, m, kExclusive),
      [=] { return REAL(pthread_spin_lock)(m); },
      [=] { return REAL(pthread_spin_trylock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_spin_trylock, void *m) {
  EnsureReady();
  return TryAcquire(ATSAN_TAKING(pthread_spin_trylock, kOther, m, kExclusive),
                    [=] { return REAL(pthread_spin_trylock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_spin_unlock, void *m) {
  EnsureReady();
  return Release(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 ATSAN_SCHEDULE_PLACE("pthread_spin_unlock"),
                 [=] { return REAL(pthread_spin_unlock)(m); });
}
