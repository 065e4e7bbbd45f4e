// RUN: for o in 0 1 2 3 s; do %clangxx_atsan -O$o -I %inputs %s -o %t && %exits 66 %t 2>&1 | FileCheck %s || exit 1; done
// RUN: %clangxx_atsan -O2 -DTWIN -I %inputs %s -o %t.twin
// RUN: %silent %t.twin
// Intent: where the optimizer makes one store of two to the same variable, in
// no line of the source, reports show a line of what is stored.
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

unsigned short last = 7;

__attribute__((noinline)) static void next() {
  last++;
  if (last == 0)
    last++; // 0 is no number.
}

static void *other(void *) {
  STEP(ORDER(2, 3)) next();
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, other, nullptr);
  __atsan_region_begin("two numbers");
  STEP(1) next();
  STEP(ORDER(3, 2)) next();
  __atsan_region_end();
  pthread_join(t, nullptr);
}

// CHECK: write of 2 bytes at {{.*}} (global 'last') by the main thread
// CHECK-NEXT: #0 next() {{.*}}merged_store.cpp:{{23|24}}
