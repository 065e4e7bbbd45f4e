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

static __thread int mine;
static int counter, handled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) {
  (void)number;
  __atsan_region_begin("handler");
  mine++;
  mine++;
  __atsan_region_end();
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
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

int main(void) {
  struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  pthread_t a, b;
  signal(SIGPROF, handler);
  setitimer(ITIMER_REAL, &never, NULL);
  setitimer(ITIMER_PROF, &often, NULL);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  setitimer(ITIMER_PROF, &never, NULL);
  return counter == 40000 ? 0 : 1;
}
