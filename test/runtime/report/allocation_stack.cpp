// RUN: %clangxx_atsan -O1 -fno-builtin -I%inputs %s -o %t
// RUN: %clangxx_atsan -O1 -fno-builtin -DOWN_NEW -I%inputs %s -o %t.own
// Intent: the stack of a block begins with the function with the `new`,
// although the C++ library's operator new has no frame pointer. One of the
// program's own is a function as any other.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %exits 66 %t nothrow 2>&1 | FileCheck %s
// RUN: %exits 66 %t malloc 2>&1 | FileCheck %s
// RUN: env ATSAN_OPTIONS=fast_unwind_on_malloc=0 %exits 66 %t 2>&1 | FileCheck %s
// CHECK: heap block of 400 bytes allocated by
// CHECK-NEXT: makeBlock(char const*){{.*}}allocation_stack.cpp
// CHECK-NEXT: callMakeBlock(char const*){{.*}}allocation_stack.cpp
// CHECK-NEXT: main
// RUN: %exits 66 %t.own 2>&1 | FileCheck --check-prefix=OWN %s
// OWN: heap block of 400 bytes allocated by
// OWN-NEXT: operator new{{.*}}allocation_stack.cpp
// OWN-NEXT: makeBlock(char const*){{.*}}allocation_stack.cpp
// OWN-NEXT: callMakeBlock(char const*){{.*}}allocation_stack.cpp
// OWN-NEXT: main
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <cstdlib>
#include <cstring>
#include <new>

static int *block, *other_block;

// Not a tail call.
#define STAY asm volatile("" ::: "memory")

#ifdef OWN_NEW
__attribute__((noinline)) void *operator new[](size_t size) {
  void *made = std::malloc(size);
  STAY;
  return made;
}
#endif

__attribute__((noinline)) static int *makeBlock(const char *way) {
  int *made;
  if (!std::strcmp(way, "nothrow"))
    made = new (std::nothrow) int[100];
  else if (!std::strcmp(way, "malloc"))
    made = static_cast<int *>(std::malloc(400));
  else
    made = new int[100];
  STAY;
  return made;
}
__attribute__((noinline)) static int *callMakeBlock(const char *way) {
  int *made = makeBlock(way);
  STAY;
  return made;
}
// Its stack differs in the caller only.
__attribute__((noinline)) static int *callMakeOtherBlock(const char *way) {
  int *made = makeBlock(way);
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

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  other_block = callMakeOtherBlock(way);
  block = callMakeBlock(way);
  in_parallel(add, clear);
}
