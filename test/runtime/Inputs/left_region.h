//===-- left_region.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread leaves the region 'inside' in a way of the test's, and another one
// writes before it reads x again. That is right, unless the region 'outside'
// was open all the time (argument "open"), or the write comes into the region
// 'next' (argument "later").
//
//===----------------------------------------------------------------------===//
#ifndef LEFT_REGION_H
#define LEFT_REGION_H

#include "atsan_test.h"

#include <pthread.h>
#include <string.h>

static int x;
static const char *how; // The first argument.
static int open_outside, later;

// Begins the region, reads x, and leaves all frames below the caller's.
static void leave_region(void);

static void *victim(void *arg) {
  (void)arg;
  if (open_outside)
    __atsan_region_begin("outside");
  STEP(1) {
    leave_region();
    USE(x);
  }
  STEP(3) USE(x);
  if (open_outside)
    __atsan_region_end();
  __atsan_region_begin("next");
  STEP(4) USE(x);
  STEP(6) USE(x);
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  STEP(2) x = 1;
  STEP(5) {
    if (later)
      x = 2;
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  how = argv[1];
  open_outside = argc > 2 && !strcmp(argv[2], "open");
  later = argc > 2 && !strcmp(argv[2], "later");
  pthread_create(&a, NULL, victim, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}

#endif // LEFT_REGION_H
