// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: signal handlers run inside regions, in the runtime's own code and in
// atomic operations, thousands of times: no crash, no deadlock, and the same
// verdicts.
// RUN: %silent %t
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, x;
static int handled;

ATSAN_NO_SANITIZE __attribute__((noinline)) static void count_handled(void) {
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

static void handler(int number) {
  /* Of each thread: on a slow machine two signals come within one region, and
     what threads share would then be a violation. */
  static __thread int here;
  (void)number;
  __atomic_fetch_add(&here, 1, __ATOMIC_RELAXED);
  count_handled();
}

static void *work(void *arg) {
  int i;
  (void)arg;
  for (i = 0; i < 20000; i++) {
    __atsan_region_begin("work");
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    __atsan_region_end();
  }
  return NULL;
}

// CHECK: region 'reader'
// CHECK: SUMMARY: {{.*}}signals.c:
static void *reader(void *arg) {
  (void)arg;
  __atsan_region_begin("reader");
  STEP(1) USE(x);
  STEP(3) USE(x);
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  STEP(2) x = 1;
  return NULL;
}

static void run_two(void *(*first)(void *), void *(*second)(void *)) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

int main(int argc, char **argv) {
  struct itimerval often = {{0, 200}, {0, 200}}, never;
  (void)argv;
  memset(&never, 0, sizeof(never));
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &often, NULL);
  run_two(work, work);
  if (argc > 1)
    run_two(reader, writer);
  setitimer(ITIMER_REAL, &never, NULL);
  return counter == 40000 && handled > 0 ? 0 : 1;
}
