// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a signal that comes while the thread runs the checker's own code is
// handled as everywhere else: the handler's accesses count, at the point where
// that code is left.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <signal.h>

static int x, unrelated;
static int good;
static volatile sig_atomic_t handled;
static char large[1 << 22];

// CHECK: region 'interrupted'
// CHECK: SUMMARY: {{.*}}signal_in_runtime.c:[[# @LINE + 4]]
static void handler(int number) {
  (void)number;
  STEP(2) USE(x);
  STEP(4) USE(*either(good, &unrelated, &x));
  handled = 1;
}

static void *interrupted(void *arg) {
  (void)arg;
  __atsan_region_begin("interrupted");
  // The signal is sent when memset begins, and that passes most of its time in
  // the runtime.
  STEP(1) memset(large, 1, sizeof(large));
  while (!handled) {
    share(large);
    memset(large, 1, sizeof(large));
  }
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  while (!shared());
  pthread_kill(*(pthread_t *)arg, SIGUSR1);
  STEP(3) x = 1;
  return NULL;
}

int main(int argc, char **argv) {
  static pthread_t a;
  pthread_t b;
  (void)argv;
  good = argc > 1;
  signal(SIGUSR1, handler);
  pthread_create(&a, NULL, interrupted, NULL);
  pthread_create(&b, NULL, writer, &a);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
