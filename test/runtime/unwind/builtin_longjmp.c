// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: __builtin_longjmp ends the regions that were begun since its
// __builtin_setjmp, and no others.
// RUN: %silent %t leaves
// RUN: %exits 66 %t stays 2>&1 | FileCheck %s
// CHECK: region 'outer'
// CHECK: SUMMARY: {{.*}}builtin_longjmp.c
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

static void *target[5];
static int x, stays;

__attribute__((noinline)) static void leave(void) {
  __atsan_region_begin("left");
  if (!stays)
    STEP(1) USE(x);
  __builtin_longjmp(target, 1);
}

static void *jumper(void *arg) {
  (void)arg;
  if (stays) {
    __atsan_region_begin("outer");
    STEP(1) USE(x);
  }
  if (!__builtin_setjmp(target))
    leave();
  STEP(3) USE(x);
  if (stays)
    __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  STEP(2) x = 1;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  (void)argc;
  stays = !strcmp(argv[1], "stays");
  pthread_create(&a, NULL, jumper, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
