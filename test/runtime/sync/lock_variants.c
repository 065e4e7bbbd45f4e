// RUN: %clang_atsan -O1 -D_GNU_SOURCE -I%inputs %s -o %t -lpthread
// Intent: with lock_edges=1 every way to take a lock and to give it back
// counts, and an attempt that fails or times out does not. Without it none of
// them does.
//
// RUN: for i in try timed clock rdtry wrtry rdtimed wrtimed rdclock wrclock spintry \
// RUN:   semtry semtimed semclock; do \
// RUN:   %silent %t $i || exit 1; \
// RUN:   env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   env ATSAN_OPTIONS=lock_edges=1 %silent %t $i fails || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static int y, fails;
static const char *how;

// CHECK: region 'victim'
// CHECK: lock
// CHECK: SUMMARY: {{.*}}lock_variants.c:

static int is(const char *word) { return !strcmp(how, word); }

static void lock(void) {
  if (strstr(how, "sem"))
    sem_wait(&semaphore);
  else if (strstr(how, "spin"))
    pthread_spin_lock(&spin);
  else if (strstr(how, "rd") || strstr(how, "wr"))
    pthread_rwlock_wrlock(&rwlock);
  else
    pthread_mutex_lock(&mutex);
}

static void unlock(void) {
  if (strstr(how, "sem"))
    sem_post(&semaphore);
  else if (strstr(how, "spin"))
    pthread_spin_unlock(&spin);
  else if (strstr(how, "rd") || strstr(how, "wr"))
    pthread_rwlock_unlock(&rwlock);
  else
    pthread_mutex_unlock(&mutex);
}

static int attempt(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  /* In the past, if it is to fail. */
  until.tv_sec += fails ? -1 : 60;
  if (is("try"))
    return pthread_mutex_trylock(&mutex);
  if (is("timed"))
    return pthread_mutex_timedlock(&mutex, &until);
  if (is("clock"))
    return pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &until);
  if (is("rdtry"))
    return pthread_rwlock_tryrdlock(&rwlock);
  if (is("wrtry"))
    return pthread_rwlock_trywrlock(&rwlock);
  if (is("rdtimed"))
    return pthread_rwlock_timedrdlock(&rwlock, &until);
  if (is("wrtimed"))
    return pthread_rwlock_timedwrlock(&rwlock, &until);
  if (is("rdclock"))
    return pthread_rwlock_clockrdlock(&rwlock, CLOCK_REALTIME, &until);
  if (is("wrclock"))
    return pthread_rwlock_clockwrlock(&rwlock, CLOCK_REALTIME, &until);
  if (is("spintry"))
    return pthread_spin_trylock(&spin);
  if (is("semtry"))
    return sem_trywait(&semaphore);
  if (is("semtimed"))
    return sem_timedwait(&semaphore, &until);
  return sem_clockwait(&semaphore, CLOCK_REALTIME, &until);
}

/* Gives the lock up once, so that a successful attempt comes after it. */
static void *victim(void *arg) {
  (void)arg;
  __atsan_region_begin("victim");
  STEP(1) {
    lock();
    unlock();
    if (fails)
      lock();
  }
  STEP(3) {
    if (fails)
      unlock();
    USE(y);
  }
  __atsan_region_end();
  return NULL;
}

static void *other(void *arg) {
  (void)arg;
  STEP(2) {
    if (!attempt() == fails)
      abort();
    y = 1;
    if (!fails)
      unlock();
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  how = argv[1];
  fails = argc > 2;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 1);
  pthread_create(&a, NULL, victim, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
