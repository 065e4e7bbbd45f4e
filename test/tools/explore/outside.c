// RUN: %clang_atsan -O1 -fatomicity-schedule -I%inputs %s -o %t
// Intent: a wait for what another process or a thread that is not controlled
// may do is no deadlock: at a semaphore, a mutex, a read-write lock, a
// condition or a barrier that processes share; at a private semaphore,
// condition or mutex while there is a thread that libc made for a timer. It
// ends when it does happen, not when virtual time is over. Twins: the same
// waits of private objects, and of shared ones that a thread of the program
// holds, are deadlocks.
// RUN: for how in semaphore limit named mutex limit-mutex rwlock condition limit-condition barrier timer timer-condition timer-mutex; do \
// RUN:   env ATSAN_OPTIONS=schedule_strategy=surw %silent %t $how || exit 1; \
// RUN: done
// RUN: %run %atsan explore --runs=3 --output=%t.out -- %t semaphore | FileCheck %s
// CHECK: 3 schedules, 1 class: nothing found
// Nor does systematic say that it has seen all.
// RUN: for how in semaphore condition timer; do \
// RUN:   %run %atsan explore --strategy=systematic --runs=3 --output=%t.all -- %t $how > %t.seen || exit 1; \
// RUN:   FileCheck --check-prefix=NOT-ALL %s < %t.seen || exit 1; \
// RUN: done
// NOT-ALL: explore: {{[0-9]+ schedules?}}
// RUN: for how in semaphore mutex rwlock condition barrier held; do \
// RUN:   env ATSAN_OPTIONS=schedule_strategy=surw %exits 66 %t $how twin 2>&1 | FileCheck --check-prefix=TWIN %s || exit 1; \
// RUN: done
// TWIN: deadlock: no thread can go on
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct {
  sem_t semaphore, ready;
  sem_t *named;
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  pthread_cond_t condition;
  pthread_barrier_t barrier;
  int is_set;
} *s;

static const char *how;
static int is(const char *word) { return !strcmp(how, word); }

static void make(int shared) {
  pthread_mutexattr_t mutex;
  pthread_rwlockattr_t rwlock;
  pthread_condattr_t condition;
  pthread_barrierattr_t barrier;
  s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
           -1, 0);
  CHECK(s != MAP_FAILED);
  sem_init(&s->semaphore, shared, 0);
  sem_init(&s->ready, 1, 0);
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, shared);
  pthread_mutex_init(&s->mutex, &mutex);
  pthread_rwlockattr_init(&rwlock);
  pthread_rwlockattr_setpshared(&rwlock, shared);
  pthread_rwlock_init(&s->rwlock, &rwlock);
  pthread_condattr_init(&condition);
  pthread_condattr_setpshared(&condition, shared);
  pthread_cond_init(&s->condition, &condition);
  pthread_barrierattr_init(&barrier);
  pthread_barrierattr_setpshared(&barrier, shared);
  pthread_barrier_init(&s->barrier, &barrier, 2);
}

// Virtual time, of which much passes where nobody can go on.
static struct timespec in_seconds(int seconds) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += seconds;
  return time;
}

static void lock_condition(void) { CHECK(!pthread_mutex_lock(&s->mutex)); }

static void await_condition(void) {
  const struct timespec limit = in_seconds(50);
  lock_condition();
  sem_post(&s->ready);
  while (!s->is_set)
    CHECK(is("limit-condition")
              ? !pthread_cond_timedwait(&s->condition, &s->mutex, &limit)
              : !pthread_cond_wait(&s->condition, &s->mutex));
  pthread_mutex_unlock(&s->mutex);
}

static void set_condition(void) {
  lock_condition();
  s->is_set = 1;
  pthread_cond_broadcast(&s->condition);
  pthread_mutex_unlock(&s->mutex);
}

// What the program waits for.
static void await_other(void) {
  const struct timespec limit = in_seconds(50);
  if (is("semaphore") || is("timer"))
    CHECK(!sem_wait(&s->semaphore));
  else if (is("limit"))
    CHECK(!sem_timedwait(&s->semaphore, &limit));
  else if (is("named"))
    CHECK(!sem_wait(s->named));
  else if (is("mutex") || is("timer-mutex"))
    CHECK(!pthread_mutex_lock(&s->mutex));
  else if (is("limit-mutex"))
    CHECK(!pthread_mutex_timedlock(&s->mutex, &limit));
  else if (is("rwlock"))
    CHECK(!pthread_rwlock_rdlock(&s->rwlock));
  else if (is("barrier"))
    pthread_barrier_wait(&s->barrier);
  else
    await_condition();
}

static void a_while(void) {
  const struct timespec time = {0, 200 * 1000 * 1000};
  nanosleep(&time, NULL);
}

// The other process. It is not controlled, and its time is real.
static void do_other(void) {
  if (is("mutex") || is("limit-mutex"))
    pthread_mutex_lock(&s->mutex);
  if (is("rwlock"))
    pthread_rwlock_wrlock(&s->rwlock);
  if (is("condition") || is("limit-condition"))
    sem_wait(&s->ready);
  else
    sem_post(&s->ready);
  a_while();
  if (is("semaphore") || is("limit"))
    sem_post(&s->semaphore);
  else if (is("named"))
    sem_post(s->named);
  else if (is("mutex") || is("limit-mutex"))
    pthread_mutex_unlock(&s->mutex);
  else if (is("rwlock"))
    pthread_rwlock_unlock(&s->rwlock);
  else if (is("barrier"))
    pthread_barrier_wait(&s->barrier);
  else
    set_condition();
}

// The timer's thread.
static void on_timer(union sigval unused) {
  (void)unused;
  if (is("timer-mutex")) {
    pthread_mutex_lock(&s->mutex);
    sem_post(&s->ready);
    a_while();
    pthread_mutex_unlock(&s->mutex);
  } else if (is("timer")) {
    sem_post(&s->semaphore);
  } else {
    sem_wait(&s->ready);
    set_condition();
  }
}

static void with_timer(void) {
  struct sigevent event = {0};
  struct itimerspec when = {{0, 0}, {0, 100 * 1000 * 1000}};
  timer_t timer;
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = on_timer;
  CHECK(!timer_create(CLOCK_MONOTONIC, &event, &timer));
  CHECK(!timer_settime(timer, 0, &when, NULL));
  if (is("timer-mutex"))
    CHECK(!sem_wait(&s->ready));
  await_other();
}

static void with_process(void) {
  int status;
  char name[40];
  pid_t pid;
  snprintf(name, sizeof(name), "/atsan-test-%d", (int)getpid());
  if (is("named"))
    CHECK((s->named = sem_open(name, O_CREAT | O_EXCL, 0600, 0)));
  pid = fork();
  if (pid == 0) {
    do_other();
    _exit(0);
  }
  if (!is("condition") && !is("limit-condition"))
    CHECK(!sem_wait(&s->ready));
  await_other();
  if (is("named"))
    sem_unlink(name);
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

static void *wait_in_vain(void *unused) {
  (void)unused;
  await_other();
  return NULL;
}

static void lock_both(void) {
  pthread_mutex_lock(&s->mutex);
  pthread_rwlock_wrlock(&s->rwlock);
}

int main(int argc, char **argv) {
  pthread_t thread;
  how = argv[1];
  if (argc > 2) {
    const int is_held = is("held");
    make(is_held);
    if (is_held)
      how = "mutex";
    if (!is("condition"))
      lock_both();
    pthread_create(&thread, NULL, wait_in_vain, NULL);
    pthread_join(thread, NULL);
  } else if (!strncmp(how, "timer", 5)) {
    make(0);
    with_timer();
  } else {
    make(1);
    with_process();
  }
  return 0;
}
