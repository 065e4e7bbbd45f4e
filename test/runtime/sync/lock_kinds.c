// RUN: %clang_atsan -O1 -D_GNU_SOURCE -I%inputs %s -o %t -lpthread
// Intent: with lock_edges=1 every kind of lock counts: mutexes that are
// recursive, error-checking, robust (also one whose owner died), of priority
// protocols or shared between processes; C11 mutexes; named semaphores; waits
// of every kind give the mutex up and take it again. Without it none of them
// does.
//
// RUN: for i in errorcheck robust dead inherit shared c11 c11timed named wait timedwait \
// RUN:   clockwait c11wait c11timedwait; do \
// RUN:   env ATSAN_OPTIONS=region_splits=none %silent %t $i || exit 1; \
// RUN:   env ATSAN_OPTIONS=region_splits=none:lock_edges=1 %exits 66 %t $i 2>&1 \
// RUN:     | FileCheck %s || exit 1; \
// RUN:   env ATSAN_OPTIONS=region_splits=none:lock_edges=1 %silent %t $i good \
// RUN:     || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'victim'
// CHECK: lock
// CHECK: SUMMARY: {{.*}}lock_kinds.c:

static const char *how;
static int good;
static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static sem_t *semaphore;

static int is(const char *word) { return !strcmp(how, word); }

static void must_be(int expected, int result) {
  if (expected != result) {
    fprintf(stderr, "%s: %d in place of %d\n", how, result, expected);
    _Exit(1);
  }
}

static struct timespec soon(int wait) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += wait;
  return time;
}

static void lock(void) {
  struct timespec until = soon(60);
  if (is("named"))
    must_be(0, sem_wait(semaphore));
  else if (is("c11timed"))
    must_be(thrd_success, mtx_timedlock(&c11_mutex, &until));
  else if (strstr(how, "c11"))
    must_be(thrd_success, mtx_lock(&c11_mutex));
  else
    pthread_mutex_lock(&mutex);
}

static void unlock(void) {
  if (is("named"))
    must_be(0, sem_post(semaphore));
  else if (strstr(how, "c11"))
    must_be(thrd_success, mtx_unlock(&c11_mutex));
  else
    must_be(0, pthread_mutex_unlock(&mutex));
}

/* Gives the lock up and takes it again; nobody wakes it, so it times out. */
static void wait_once(void) {
  struct timespec past = soon(-1);
  if (is("timedwait"))
    must_be(ETIMEDOUT, pthread_cond_timedwait(&condition, &mutex, &past));
  else if (is("clockwait"))
    must_be(ETIMEDOUT,
            pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &past));
  else if (is("c11timedwait"))
    must_be(thrd_timedout, cnd_timedwait(&c11_condition, &c11_mutex, &past));
}

/* A dead thread's lock, made usable again. */
static void *dies(void *arg) {
  pthread_mutex_lock(&mutex);
  return arg;
}

static void lock_of_dead(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, dies, NULL);
  pthread_join(thread, NULL);
}

static void twice(void) {
  if (is("wait") || is("c11wait")) {
    /* The other thread wakes it: between its two halves, if with the mutex. */
    lock();
    STEP(1) {
    }
    if (is("wait"))
      must_be(0, pthread_cond_wait(&condition, &mutex));
    else
      must_be(thrd_success, cnd_wait(&c11_condition, &c11_mutex));
    STEP(3) {
    }
    unlock();
    return;
  }
  STEP(1) {
    if (is("dead"))
      must_be(EOWNERDEAD, pthread_mutex_lock(&mutex));
    else
      lock();
    if (is("dead"))
      must_be(0, pthread_mutex_consistent(&mutex));
    unlock();
  }
  STEP(good ? 2 : 3) {
    lock();
    wait_once();
    unlock();
  }
}

static void *victim(void *arg) {
  __atsan_region_begin("victim");
  twice();
  __atsan_region_end();
  return arg;
}

static void wake(void) {
  if (is("wait"))
    pthread_cond_signal(&condition);
  else
    cnd_signal(&c11_condition);
}

static void *other(void *arg) {
  if (strstr(how, "wait") && !strstr(how, "timed") && !strstr(how, "clock")) {
    STEP(2) {
      if (!good)
        lock();
      wake();
      if (!good)
        unlock();
    }
    /* Without the mutex the first call may have come too early. */
    while (good && steps_done() < 3) {
      wake();
      sched_yield();
    }
    return arg;
  }
  STEP(good ? 3 : 2) {
    lock();
    unlock();
  }
  return arg;
}

static void make_mutex(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  if (is("errorcheck"))
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  if (is("robust") || is("dead"))
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  if (is("inherit"))
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
  if (is("shared"))
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
  must_be(0, pthread_mutex_init(&mutex, &attr));
}

int main(int argc, char **argv) {
  pthread_t a, b;
  char name[40];
  how = argv[1];
  good = argc > 2;
  make_mutex();
  mtx_init(&c11_mutex, mtx_timed);
  cnd_init(&c11_condition);
  snprintf(name, sizeof(name), "/atsan_lock_kinds.%d", (int)getpid());
  semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
  sem_unlink(name);
  if (semaphore == SEM_FAILED && is("named"))
    return 1;
  if (is("dead"))
    lock_of_dead();
  pthread_create(&a, NULL, victim, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
