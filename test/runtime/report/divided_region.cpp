// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %python %S/Inputs/golden.py %s.expected %t
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: a region that a barrier divides: what follows is a transaction of its
// own, and the report says so.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

int total;
pthread_barrier_t phase;

static void *sum_up(void *) {
  __atsan_region_begin("sum up");
  int seen;
  STEP(1) seen = total;
  pthread_barrier_wait(&phase);
  STEP(ORDER(2, 3)) seen = total;
  STEP(4) total = seen + 1;
  __atsan_region_end();
  return nullptr;
}

static void *reset(void *) {
  pthread_barrier_wait(&phase);
  STEP(ORDER(3, 2)) total = 0;
  return nullptr;
}

int main() {
  pthread_barrier_init(&phase, nullptr, 2);
  pthread_t a, b;
  pthread_create(&a, nullptr, sum_up, nullptr);
  pthread_create(&b, nullptr, reset, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
