// RUN: %clangxx -O1 -pthread %s -o %t.native && %t.native | FileCheck %s
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o %t
// RUN: env ATSAN_OPTIONS=trace=%t.trace %t | FileCheck %s
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=PRINT %s
// RUN: env ATSAN_OPTIONS=schedule_strategy=random:schedule_seed=1 %t | FileCheck %s
// Intent: a deadline that libc refuses is refused under control, too, whether
// the lock is free or not; a wait for a condition then gives no mutex up.
// CHECK: free: mutex 0 EINVAL, clock EINVAL; rwlock EINVAL EINVAL; C11 success
// CHECK-NEXT: held: mutex EINVAL EINVAL, clock EINVAL; rwlock EINVAL EINVAL; C11 error
// CHECK-NEXT: semaphore EINVAL EINVAL, clock EINVAL
// CHECK-NEXT: condition EINVAL EINVAL, clock EINVAL; C11 error
// PRINT-NOT: wait
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <thread>
#include <threads.h>
#include <time.h>

static const timespec late = {2000000000, 0};
static const timespec below = {2000000000, -1},
                      above = {2000000000, 1000000000};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t c11;

static const char *name(int error) {
  return error == 0 ? "0" : error == EINVAL ? "EINVAL" : "another error";
}

static const char *name_of_c11(int result) {
  return result == thrd_success ? "success"
         : result == thrd_error ? "error"
                                : "another result";
}

static void locks(const char *what) {
  const int lock = pthread_mutex_timedlock(&mutex, &below);
  printf("%s: mutex %s ", what, name(lock));
  // It is held by now.
  printf("%s, ", name(pthread_mutex_timedlock(&mutex, &above)));
  printf("clock %s; ",
         name(pthread_mutex_clocklock(&mutex, CLOCK_BOOTTIME, &late)));
  if (lock == 0)
    pthread_mutex_unlock(&mutex);
  printf("rwlock %s ", name(pthread_rwlock_timedrdlock(&rwlock, &above)));
  printf("%s; ", name(pthread_rwlock_timedwrlock(&rwlock, &below)));
  const int result = mtx_timedlock(&c11, &below);
  printf("C11 %s\n", name_of_c11(result));
  if (result == thrd_success)
    mtx_unlock(&c11);
}

static void semaphores() {
  sem_t none, one;
  sem_init(&none, 0, 0);
  sem_init(&one, 0, 1);
  printf("semaphore %s ", name(sem_timedwait(&none, &below) ? errno : 0));
  printf("%s, ", name(sem_timedwait(&one, &above) ? errno : 0));
  printf("clock %s\n",
         name(sem_clockwait(&none, CLOCK_BOOTTIME, &late) ? errno : 0));
}

static void conditions() {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  cnd_t of_c11;
  cnd_init(&of_c11);
  pthread_mutex_lock(&mutex);
  mtx_lock(&c11);
  printf("condition %s ",
         name(pthread_cond_timedwait(&condition, &mutex, &below)));
  printf("%s, ", name(pthread_cond_timedwait(&condition, &mutex, &above)));
  printf("clock %s; ", name(pthread_cond_clockwait(&condition, &mutex,
                                                   CLOCK_BOOTTIME, &late)));
  printf("C11 %s\n", name_of_c11(cnd_timedwait(&of_c11, &c11, &below)));
  mtx_unlock(&c11);
  pthread_mutex_unlock(&mutex);
}

int main() {
  mtx_init(&c11, mtx_timed);
  std::thread([] { locks("free"); }).join();
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&rwlock);
  mtx_lock(&c11);
  std::thread([] { locks("held"); }).join();
  mtx_unlock(&c11);
  pthread_rwlock_unlock(&rwlock);
  pthread_mutex_unlock(&mutex);
  std::thread([] {
    semaphores();
    conditions();
  }).join();
}
