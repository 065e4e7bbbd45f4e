// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a barrier wait divides the regions that it stands in; without that,
// all regions around the barrier are one knot.
// RUN: %silent %t
// RUN: env ATSAN_OPTIONS=region_splits=barrier %silent %t
// RUN: env ATSAN_OPTIONS=region_splits=none %exits 66 %t 2>&1 | FileCheck %s
// RUN: env ATSAN_OPTIONS=region_splits=start,join,wait %exits 66 %t 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

enum { kThreads = 3, kRounds = 4 };

static pthread_barrier_t barrier;
static int cell[kThreads];
static int number[kThreads] = {0, 1, 2};

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'stencil'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}barrier.c:{{[0-9]+}}:{{[0-9]+}} in work

static void *work(void *arg) {
  int me = *(int *)arg, i;
  __atsan_region_begin("stencil");
  for (i = 0; i < kRounds; i++) {
    int value = cell[(me + 1) % kThreads];
    pthread_barrier_wait(&barrier);
    cell[me] = value + 1;
    pthread_barrier_wait(&barrier);
  }
  __atsan_region_end();
  return NULL;
}

int main(void) {
  pthread_t thread[kThreads];
  int i;
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (i = 0; i < kThreads; i++)
    pthread_create(&thread[i], NULL, work, &number[i]);
  for (i = 0; i < kThreads; i++) pthread_join(thread[i], NULL);
  pthread_barrier_destroy(&barrier);
  return 0;
}
