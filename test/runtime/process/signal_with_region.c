// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a handler's own regions are nested in the region that it interrupts,
// and regions of their own where it interrupts none; thousands of times, and at
// any place.
// RUN: %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

enum { kEnough = 20 };

static __thread int mine;
static int counter, handled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// What threads share in a region that a signal interrupts would make violations
// of the test's own.
ATSAN_NO_SANITIZE __attribute__((noinline)) static void count_handled(void) {
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}
ATSAN_NO_SANITIZE __attribute__((noinline)) static int enough_handled(void) {
  return __atomic_load_n(&handled, __ATOMIC_RELAXED) >= kEnough;
}

static void handler(int number) {
  (void)number;
  __atsan_region_begin("handler");
  mine++;
  mine++;
  __atsan_region_end();
  count_handled();
}

static void *work(void *arg) {
  int i;
  for (i = 0; i < 20000 || !enough_handled(); i++) {
    __atsan_region_begin("work");
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    __atsan_region_end();
  }
  *(int *)arg = i;
  return NULL;
}

int main(void) {
  int rounds[2];
  struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  pthread_t a, b;
  signal(SIGPROF, handler);
  setitimer(ITIMER_REAL, &never, NULL);
  setitimer(ITIMER_PROF, &often, NULL);
  pthread_create(&a, NULL, work, &rounds[0]);
  pthread_create(&b, NULL, work, &rounds[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  setitimer(ITIMER_PROF, &never, NULL);
  return counter == rounds[0] + rounds[1] ? 0 : 1;
}
