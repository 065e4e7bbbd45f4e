// RUN: for o in 0 1 2 3 s; do %clangxx_atsan -O$o -I %inputs %s -o %t && %exits 66 %t 2>&1 | FileCheck %s || exit 1; done
// RUN: %clangxx_atsan -O2 -DTWIN -I %inputs %s -o %t.twin
// RUN: %silent %t.twin
// Intent: a read that the optimizer makes before a loop, or moves there, has no
// line of its own any more: reports show where its value is used.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Inputs/atsan_test.h"

#include <pthread.h>

#ifdef TWIN
#define ORDER(violating, serial) serial
#else
#define ORDER(violating, serial) violating
#endif

unsigned short numbers[64];

__attribute__((noinline)) static void sum(unsigned short *p, int n) {
  for (int i = 0; i < n; i++) p[i + 1] += p[i]; // HERE
}

static void *other(void *) {
  STEP(ORDER(2, 3)) sum(numbers, 8);
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, other, nullptr);
  __atsan_region_begin("transaction");
  STEP(1) numbers[0] = 1;
  STEP(ORDER(3, 2)) numbers[0] = 2;
  __atsan_region_end();
  pthread_join(t, nullptr);
}

// CHECK: read of 2 bytes at {{.*}} (global 'numbers') by T1, outside any region
// CHECK-NEXT: #0 sum(unsigned short*, int) {{.*}}hoisted_read.cpp:23
