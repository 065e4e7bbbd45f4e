// RUN: %clangxx_atsan -O1 -I %inputs %s -o %t
// RUN: env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t > %t.out 2>&1; FileCheck %s < %t.out
// RUN: %clangxx_atsan -O2 -I %inputs %s -o %t
// RUN: env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t > %t.out 2>&1; FileCheck %s < %t.out
// RUN: %clangxx_atsan -O2 -DTWIN -I %inputs %s -o %t.twin
// RUN: %silent %t.twin
// Intent: accesses in branches keep their lines, though the optimizer could
// make one of them, or one call of their hooks.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

long x, y;

__attribute__((noinline)) static void put(int which, long value) {
  switch (which) {
  case 0:
    x = value;
    break;
  case 1:
    y = value;
    break;
  }
}

static void *other(void *) {
  STEP(ORDER(2, 3)) {
    put(0, 7);
    put(1, 7);
  }
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, other, nullptr);
  __atsan_region_begin("transaction");
  STEP(1) {
    put(0, 1);
    put(1, 1);
  }
  STEP(ORDER(3, 2)) {
    put(0, 2);
    put(1, 2);
  }
  __atsan_region_end();
  pthread_join(t, nullptr);
}

// CHECK:      ERROR:
// CHECK:      First: write of 8 bytes at {{.*}} (global 'x')
// CHECK-NEXT: #0 put{{.*}}:24:
// CHECK:      SUMMARY: {{.*}}:24:7 in put
// CHECK:      ERROR:
// CHECK:      First: write of 8 bytes at {{.*}} (global 'y') by T1
// CHECK-NEXT: #0 put{{.*}}:27:
// CHECK:      SUMMARY: {{.*}}:27:7 in put
