// RUN: %clang_atsan -D_GNU_SOURCE -O1 -I%inputs %s -o %t -lpthread
// Intent: every way to join is a join, which writes the result; a failed
// attempt is none, and detaching neither.
// RUN: for i in join timed clock try; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; done
// RUN: env ATSAN_OPTIONS=region_splits=none %exits 66 %t result 2>&1 | FileCheck --check-prefix=RESULT %s
// RUN: env ATSAN_OPTIONS=region_splits=none %silent %t result good
// RUN: %silent %t failed
// RUN: %silent %t detach
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

static int x, y;

// RESULT: region 'joins'
// RESULT: SUMMARY: {{.*}} in join_in_region
static void *result;

static void *ends(void *arg) { return arg; }

static void *writes_result(void *arg) {
  STEP(2) *(arg ? &result : &arg) = &x;
  return NULL;
}

// Between a read and the join's write of the result, another thread writes it.
static int join_in_region(int good) {
  pthread_t a, b;
  pthread_create(&a, NULL, ends, NULL);
  pthread_create(&b, NULL, writes_result, good ? NULL : &x);
  __atsan_region_begin("joins");
  STEP(1) USE(result);
  step_begin(3);
  pthread_join(a, &result);
  __atsan_region_end();
  pthread_join(b, NULL);
  return 0;
}

// CHECK: region 'reader'
// CHECK: join
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation

/* reader: r x; child: w x; main joins the child and writes y; reader: r y. */
static void *reader(void *arg) {
  (void)arg;
  __atsan_region_begin("reader");
  STEP(1) USE(x);
  STEP(4) USE(y);
  __atsan_region_end();
  return NULL;
}

static void *child(void *arg) {
  STEP(2) x = 1;
  if (arg) /* Is not to end before it may. */
    step_begin(5);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  struct timespec soon = {0, 0}, late;
  const char *how = argc > 1 ? argv[1] : "";
  int failed = !strcmp(how, "failed"), detach = !strcmp(how, "detach");
  int error = 0;
  if (!strcmp(how, "result"))
    return join_in_region(argc > 2);
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, child, failed ? &x : NULL);
  step_begin(3);
  clock_gettime(CLOCK_REALTIME, &late);
  late.tv_sec += 60;
  if (!strcmp(how, "join"))
    error = pthread_join(b, NULL);
  if (!strcmp(how, "timed"))
    error = pthread_timedjoin_np(b, NULL, &late);
  if (!strcmp(how, "clock"))
    error = pthread_clockjoin_np(b, NULL, CLOCK_REALTIME, &late);
  if (!strcmp(how, "try"))
    while (pthread_tryjoin_np(b, NULL)) sched_yield();
  if (failed &&
      (!pthread_tryjoin_np(b, NULL) || !pthread_timedjoin_np(b, NULL, &soon)))
    error = 1;
  if (detach)
    error = pthread_detach(b);
  if (error)
    return 1;
  y = 1;
  step_end(3);
  pthread_join(a, NULL);
  if (failed)
    pthread_join(b, NULL);
  return 0;
}
