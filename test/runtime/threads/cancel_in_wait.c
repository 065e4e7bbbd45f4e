// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a thread that is cancelled in a condition wait inside a region takes
// the lock back, runs its clean-up, and ends; its region ends with it, in two
// parts.
// RUN: %exits 0 %t
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// RUN: env ATSAN_OPTIONS=region_splits=none %exits 66 %t 2>&1 | FileCheck --check-prefix=WHOLE %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int x, y;
static int bad;

// CHECK: region 'cancelled'
// CHECK: region 'other'
// CHECK: SUMMARY: {{.*}}cancel_in_wait.c:
// WHOLE: region 'cancelled'
// WHOLE: SUMMARY: {{.*}}cancel_in_wait.c:

static void clean_up(void *arg) {
  USE(x);
  y = 1;
  pthread_mutex_unlock(arg);
}

static void *cancelled(void *arg) {
  (void)arg;
  __atsan_region_begin("cancelled");
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean_up, &lock);
  step_begin(1);
  USE(x);
  step_end(1);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(0);
  return NULL;
}

/* Writes x before the clean-up reads it, and reads y after it was written. */
static void *other(void *arg) {
  step_begin(2);
  pthread_mutex_lock(&lock); /* The other one waits now. */
  __atsan_region_begin("other");
  x = 1;
  pthread_mutex_unlock(&lock);
  step_end(2);
  pthread_cancel(*(pthread_t *)arg);
  step_begin(4);
  if (bad)
    USE(y);
  __atsan_region_end();
  return NULL;
}

int main(int argc, char **argv) {
  static pthread_t a;
  pthread_t b;
  (void)argv;
  bad = argc > 1;
  pthread_create(&a, NULL, cancelled, NULL);
  pthread_create(&b, NULL, other, &a);
  pthread_join(a, NULL);
  step_end(3);
  pthread_join(b, NULL);
  return 0;
}
