// RUN: %clang_atsan -O1 -std=c11 -D_DEFAULT_SOURCE -I%inputs %s -o %t -lpthread
// Intent: the threads, mutexes and conditions of <threads.h> are known: start
// and join are edges and boundaries, cnd_wait is a boundary.
// RUN: %exits 66 %t race 2>&1 | FileCheck %s
// RUN: %silent %t
// RUN: env ATSAN_OPTIONS=region_splits=start,join %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t start
// RUN: env ATSAN_OPTIONS=region_splits=none %exits 66 %t start 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <string.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int items;

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'consume'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation

static int consume(void *arg) {
  (void)arg;
  __atsan_region_begin("consume");
  mtx_lock(&lock);
  step_begin(1);
  USE(items);
  step_end(1);
  while (items == 0) cnd_wait(&changed, &lock);
  items--;
  mtx_unlock(&lock);
  __atsan_region_end();
  return 3;
}

static int produce(void *arg) {
  (void)arg;
  step_begin(2);
  mtx_lock(&lock);
  items++;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  return 4;
}

static int read_twice(void *arg) {
  (void)arg;
  __atsan_region_begin("consume");
  STEP(1) USE(items);
  STEP(3) USE(items);
  /* Ends with the thread. */
  thrd_exit(3);
}

static int write_once(void *arg) {
  (void)arg;
  STEP(2) items = 1;
  return 4;
}

static int child(void *arg) {
  (void)arg;
  items++;
  return 0;
}

int main(int argc, char **argv) {
  thrd_t a, b;
  int result_a, result_b;
  const char *mode = argc > 1 ? argv[1] : "";
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  if (!strcmp(mode, "start")) {
    __atsan_region_begin("consume");
    thrd_create(&a, child, NULL);
    thrd_join(a, NULL);
    USE(items);
    __atsan_region_end();
    return 0;
  }
  if (!strcmp(mode, "race")) {
    thrd_create(&a, read_twice, NULL);
    thrd_create(&b, write_once, NULL);
  } else {
    thrd_create(&a, consume, NULL);
    thrd_create(&b, produce, NULL);
  }
  thrd_join(a, &result_a);
  thrd_join(b, &result_b);
  mtx_destroy(&lock);
  cnd_destroy(&changed);
  return result_a == 3 && result_b == 4 ? 0 : 1;
}
