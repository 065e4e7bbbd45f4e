// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: a region that one function has begun many times is begun by another
// one: the report names that one, though its accesses are known already.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

int left = 100;

__attribute__((noinline)) ATSAN_ATOMIC void sell(void (*between)(void)) {
  int seen = left;
  between();
  left = seen - 1;
}

ATSAN_TEST_HELPER void nothing() {}
ATSAN_TEST_HELPER void wait_for_refund() {
  step_end(ORDER(2, 3));
  step_begin(4);
}

__attribute__((noinline)) static int wholesale() {
  for (int i = 0; i < 10; i++) sell(nothing);
  return left;
}

__attribute__((noinline)) static int retail() {
  sell(wait_for_refund);
  return left;
}

static void *seller(void *) {
  STEP(1) wholesale();
  step_begin(ORDER(2, 3));
  retail();
  step_end(4);
  return nullptr;
}

static void *refund(void *) {
  STEP(ORDER(3, 2)) left++;
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, seller, nullptr);
  pthread_create(&b, nullptr, refund, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}

// CHECK-NOT: wholesale
// CHECK: #0 {{.*}}sell(
// CHECK-NEXT: #1 {{.*}}retail()
// CHECK-NOT: wholesale
// CHECK: #0 {{.*}}sell(
// CHECK-NEXT: #1 {{.*}}retail()
// CHECK-NOT: wholesale
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation
