// RUN: %clangxx_atsan -O1 -fno-builtin -I%inputs %s -o %t
// Intent: fast_unwind_on_malloc=0 names the function with the `new`, although
// the C++ library's operator new has no frame pointer.
// RUN: env ATSAN_OPTIONS=fast_unwind_on_malloc=0 %exits 66 %t 2>&1 | FileCheck %s
// CHECK: heap block of 400 bytes allocated by
// CHECK-NEXT: operator new
// CHECK-NEXT: makeBlock(){{.*}}allocation_stack.cpp:[[# @LINE + 16]]
// CHECK-NEXT: callMakeBlock(){{.*}}allocation_stack.cpp
// CHECK-NEXT: main
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

static int *block;

// Not a tail call.
#define STAY asm volatile("" ::: "memory")

__attribute__((noinline)) static int *makeBlock() {
  int *made = new int[100]();
  STAY;
  return made;
}
__attribute__((noinline)) static int *callMakeBlock() {
  int *made = makeBlock();
  STAY;
  return made;
}

static void add() {
  __atsan_region_begin("add");
  int seen;
  STEP(1) seen = *block;
  STEP(3) *block = seen + 1;
  __atsan_region_end();
}

static void clear() {
  STEP(2) *block = 0;
}

int main() {
  block = callMakeBlock();
  in_parallel(add, clear);
}
