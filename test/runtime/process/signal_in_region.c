// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: what a signal handler does counts to the thread that it runs in: the
// region that it interrupts includes it. A synchronous signal and an
// asynchronous one.
// RUN: %exits 66 %t raise 2>&1 | FileCheck %s
// RUN: %silent %t raise good
// RUN: %exits 66 %t kill 2>&1 | FileCheck %s
// RUN: %silent %t kill good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

static int x, unrelated;
static int good, by_kill;

// CHECK: region 'interrupted'
// CHECK: SUMMARY: {{.*}}signal_in_region.c:

static void handler(int number) {
  (void)number;
  STEP(3) USE(*either(good, &unrelated, &x));
}

static void *interrupted(void *arg) {
  (void)arg;
  __atsan_region_begin("interrupted");
  STEP(1) USE(x);
  if (!by_kill) {
    step_begin(3);
    raise(SIGUSR1);
  }
  step_begin(4);
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  STEP(2) x = 1;
  if (by_kill)
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
  return NULL;
}

int main(int argc, char **argv) {
  static pthread_t a;
  pthread_t b;
  by_kill = argc > 1 && !strcmp(argv[1], "kill");
  good = argc > 2;
  signal(SIGUSR1, handler);
  pthread_create(&a, NULL, interrupted, NULL);
  pthread_create(&b, NULL, writer, &a);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
