// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a signal handler may leave a region, or a blocking call in one, by
// siglongjmp; the program goes on and later verdicts are right.
// RUN: %silent %t
// RUN: %silent %t wait
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// RUN: %exits 66 %t wait bad 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

static int x;
static sigjmp_buf target;
static pthread_barrier_t never;
static int waits, bad;

static void handler(int number) {
  (void)number;
  siglongjmp(target, 1);
}

// CHECK: region 'next'
// CHECK: SUMMARY: {{.*}}longjmp_signal.c:
static void *victim(void *arg) {
  (void)arg;
  step_begin(1);
  if (!sigsetjmp(target, 1)) {
    __atsan_region_begin("left by a signal");
    USE(x);
    step_end(1);
    /* A condition wait would take its mutex along. */
    if (waits)
      pthread_barrier_wait(&never);
    for (;;) sched_yield();
  }
  STEP(3) USE(x);
  __atsan_region_begin("next");
  STEP(4) USE(x);
  STEP(6) USE(x);
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  STEP(2) {
    x = 1;
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
  }
  STEP(5) {
    if (bad)
      x = 2;
  }
  return NULL;
}

int main(int argc, char **argv) {
  static pthread_t a;
  pthread_t b;
  int i;
  for (i = 1; i < argc; i++) {
    waits |= !strcmp(argv[i], "wait");
    bad |= !strcmp(argv[i], "bad");
  }
  signal(SIGUSR1, handler);
  pthread_barrier_init(&never, NULL, 2);
  pthread_create(&a, NULL, victim, NULL);
  pthread_create(&b, NULL, writer, &a);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
