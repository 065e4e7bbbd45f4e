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

using namespace __atsan;

extern "C" {
int pthread_barrier_init(void *barrier, const void *attr, unsigned count);
int pthread_barrier_destroy(void *barrier);
}

// --- Condition variables. ----------------------------------------------------

// The mutex is given up and taken again; also by a cancelled wait.
template <class Wait>
static int WaitForCondition(const void *cond, const void *mutex,
                            const AccessPoint &at, Wait wait) {
  Thread *thr = CurrentOrNewThread();
  RegionBoundary boundary;
  boundary.Enter(thr, kSplitWait, at);
  LockWillBeReleased(thr, mutex, LockMode::kExclusive, at);
  Observe(thr, EventKind::Wait, reinterpret_cast<uptr>(cond), at);
  ScopedBlocked blocked(thr, at);
  auto awake = [&] {
    blocked.Leave();
    LockWasAcquired(thr, mutex, LockMode::kExclusive, at);
    boundary.Leave();
  };
  int res = CallCancellable(wait, awake);
  awake();
  return res;
}

ATSAN_INTERCEPTOR_VER("GLIBC_2.3.2", int, pthread_cond_wait, void *cond,
                      void *mutex) {
  EnsureReady();
  return WaitForCondition(cond, mutex, ATSAN_CALLER_POINT(),
                          [=] { return REAL(pthread_cond_wait)(cond, mutex); });
}

ATSAN_INTERCEPTOR_VER("GLIBC_2.3.2", int, pthread_cond_timedwait, void *cond,
                      void *mutex, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return WaitForCondition(cond, mutex, ATSAN_CALLER_POINT(), [=] {
    return REAL(pthread_cond_timedwait)(cond, mutex, deadline);
  });
}

ATSAN_INTERCEPTOR(int, pthread_cond_clockwait, void *cond, void *mutex,
                  int clock, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return WaitForCondition(cond, mutex, ATSAN_CALLER_POINT(), [=] {
    return REAL(pthread_cond_clockwait)(cond, mutex, clock, deadline);
  });
}

ATSAN_INTERCEPTOR(int, cnd_wait, void *cond, void *mutex) {
  EnsureReady();
  return WaitForCondition(cond, mutex, ATSAN_CALLER_POINT(),
                          [=] { return REAL(cnd_wait)(cond, mutex); });
}

ATSAN_INTERCEPTOR(int, cnd_timedwait, void *cond, void *mutex,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return WaitForCondition(cond, mutex, ATSAN_CALLER_POINT(), [=] {
    return REAL(cnd_timedwait)(cond, mutex, deadline);
  });
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

ATSAN_INTERCEPTOR(int, pthread_barrier_wait, void *barrier) {
  EnsureReady();
  AccessPoint at = ATSAN_CALLER_POINT();
  Thread *thr = CurrentOrNewThread();
  RegionBoundary boundary;
  boundary.Enter(thr, kSplitBarrier, at);
  uptr addr = reinterpret_cast<uptr>(barrier);
  if (IsObserved())
    ObserveSlow(thr, EventKind::BarrierArrive, addr, Parties(barrier), at,
                /*is_stack=*/false, nullptr);
  int res;
  {
    ScopedBlocked blocked(thr, at);
    res = REAL(pthread_barrier_wait)(barrier);
  }
  Observe(thr, EventKind::BarrierLeave, addr, at);
  boundary.Leave();
  return res;
}

// --- Semaphores: locks that anybody may give back. ---------------------------

template <class Wait>
static int WaitForSemaphore(const void *sem, const AccessPoint &at, Wait wait) {
  Thread *thr = CurrentOrNewThread();
  ScopedBlocked blocked(thr, at);
  int res = CallCancellable(wait, [&] { blocked.Leave(); });
  blocked.Leave();
  if (res == 0)
    LockWasAcquired(thr, sem, LockMode::kExclusive, at);
  return res;
}

ATSAN_INTERCEPTOR(int, sem_wait, void *sem) {
  EnsureReady();
  return WaitForSemaphore(sem, ATSAN_CALLER_POINT(),
                          [=] { return REAL(sem_wait)(sem); });
}

ATSAN_INTERCEPTOR(int, sem_trywait, void *sem) {
  EnsureReady();
  return WaitForSemaphore(sem, ATSAN_CALLER_POINT(),
                          [=] { return REAL(sem_trywait)(sem); });
}

ATSAN_INTERCEPTOR(int, sem_timedwait, void *sem, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return WaitForSemaphore(sem, ATSAN_CALLER_POINT(),
                          [=] { return REAL(sem_timedwait)(sem, deadline); });
}

ATSAN_INTERCEPTOR(int, sem_clockwait, void *sem, int clock,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  return WaitForSemaphore(sem, ATSAN_CALLER_POINT(), [=] {
    return REAL(sem_clockwait)(sem, clock, deadline);
  });
}

ATSAN_INTERCEPTOR(int, sem_post, void *sem) {
  EnsureReady();
  LockWillBeReleased(CurrentOrNewThread(), sem, LockMode::kExclusive,
                     ATSAN_CALLER_POINT());
  return REAL(sem_post)(sem);
}
