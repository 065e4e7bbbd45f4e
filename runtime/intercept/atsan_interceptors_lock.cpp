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

using namespace __atsan;

// Whether somebody wants to know of locks. Mostly nobody does: then only where
// a thread may wait is noted, for reports.
static bool LocksAreWatched() {
  return UNLIKELY(IsObserved() || flags()->lock_edges ||
                  critical_sections_are_regions);
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

// Calls `lock`, whose result tells HasLocked whether it has taken the lock at
// `addr`.
template <class Lock>
ALWAYS_INLINE int Acquire(const void *addr, LockMode mode, AccessPoint at,
                          Lock lock) {
  Thread *thr = CurrentOrNewThread();
  int res;
  {
    ScopedBlocked blocked(thr, at);
    res = lock();
  }
  if (LocksAreWatched() && HasLocked(res))
    TellAcquired(thr, addr, mode, at);
  return res;
}

template <class Unlock>
ALWAYS_INLINE int Release(const void *addr, LockMode mode, AccessPoint at,
                          Unlock unlock) {
  if (LocksAreWatched())
    TellReleased(addr, mode, at);
  return unlock();
}

// --- Mutexes. ----------------------------------------------------------------

ATSAN_INTERCEPTOR(int, pthread_mutex_trylock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
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

ATSAN_INTERCEPTOR(int, pthread_mutex_lock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(), [=] {
    int res = TryOften(m);
    // The real function also says what the error is.
    return LIKELY(HasLocked(res)) ? res : REAL(pthread_mutex_lock)(m);
  });
}

ATSAN_INTERCEPTOR(int, pthread_mutex_timedlock, void *m, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_mutex_timedlock)(m, deadline); });
}

ATSAN_INTERCEPTOR(int, pthread_mutex_clocklock, void *m, int clock,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(), [=] {
    return REAL(pthread_mutex_clocklock)(m, clock, deadline);
  });
}

ATSAN_INTERCEPTOR(int, pthread_mutex_unlock, void *m) {
  EnsureReady();
  return Release(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_mutex_unlock)(m); });
}

// The functions of C11 do not call those of POSIX by name.

ATSAN_INTERCEPTOR(int, mtx_lock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(mtx_lock)(m); });
}

ATSAN_INTERCEPTOR(int, mtx_trylock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(mtx_trylock)(m); });
}

ATSAN_INTERCEPTOR(int, mtx_timedlock, void *m, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(mtx_timedlock)(m, deadline); });
}

ATSAN_INTERCEPTOR(int, mtx_unlock, void *m) {
  EnsureReady();
  return Release(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(mtx_unlock)(m); });
}

// --- Reader-writer locks. ----------------------------------------------------

ATSAN_INTERCEPTOR(int, pthread_rwlock_rdlock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kShared, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_rwlock_rdlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_tryrdlock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kShared, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_rwlock_tryrdlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_timedrdlock, void *m,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(m, LockMode::kShared, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_rwlock_timedrdlock)(m, deadline); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_clockrdlock, void *m, int clock,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(m, LockMode::kShared, ATSAN_CALLER_POINT(), [=] {
    return REAL(pthread_rwlock_clockrdlock)(m, clock, deadline);
  });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_wrlock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_rwlock_wrlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_trywrlock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_rwlock_trywrlock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_timedwrlock, void *m,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_rwlock_timedwrlock)(m, deadline); });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_clockwrlock, void *m, int clock,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(), [=] {
    return REAL(pthread_rwlock_clockwrlock)(m, clock, deadline);
  });
}

ATSAN_INTERCEPTOR(int, pthread_rwlock_unlock, void *m) {
  EnsureReady();
  return Release(m, RwlockMode(m), ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_rwlock_unlock)(m); });
}

// --- Spin locks. -------------------------------------------------------------

ATSAN_INTERCEPTOR(int, pthread_spin_lock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_spin_lock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_spin_trylock, void *m) {
  EnsureReady();
  return Acquire(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_spin_trylock)(m); });
}

ATSAN_INTERCEPTOR(int, pthread_spin_unlock, void *m) {
  EnsureReady();
  return Release(m, LockMode::kExclusive, ATSAN_CALLER_POINT(),
                 [=] { return REAL(pthread_spin_unlock)(m); });
}
