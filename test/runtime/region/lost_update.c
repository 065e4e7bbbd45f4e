// RUN: %clang_atsan -O1 -I%inputs %s -o %t
// Intent: the C interface; a region without a name is called by its place.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

static int balance;
static int order[2][2] = {{1, 3}, {2, 4}};

static void *deposit(void *arg) {
  const int *step = arg;
  int seen;
  __atomic_begin(); // CHECK: region at lost_update.c:[[#@LINE]]
  STEP(step[0]) seen = balance;
  STEP(step[1]) balance = seen + 100;
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}lost_update.c:[[#@LINE-1]]:{{[0-9]+}} in deposit
  __atomic_end();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread[2];
  int i;
  (void)argv;
  if (argc > 1) {
    order[0][1] = 2;
    order[1][0] = 3;
  }
  for (i = 0; i < 2; i++) pthread_create(&thread[i], NULL, deposit, order[i]);
  for (i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  return 0;
}
