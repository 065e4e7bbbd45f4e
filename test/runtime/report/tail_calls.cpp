// RUN: for o in 0 1 2 3 s; do %clangxx_atsan -O$o -I %inputs %s -o %t && %exits 66 %t 2>&1 | FileCheck %s || exit 1; done
// RUN: %clangxx_atsan -O2 -flto -fuse-ld=lld -I %inputs %s -o %t && %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O2 -DTWIN -I %inputs %s -o %t.twin
// RUN: %silent %t.twin
// Intent: functions that end with a call of another one are in stacks, of
// accesses and of where a region began.
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

#define CALL __attribute__((noinline)) static

int x;

CALL void set(int value) { x = value; }
CALL void middle(int value) { set(value + 1); }
CALL void outer(int value) { middle(value + 1); }

CALL void begin() { __atsan_region_begin("two steps"); }
CALL void begin_by() { begin(); }

static void *other(void *) {
  STEP(ORDER(2, 3)) outer(1);
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, other, nullptr);
  begin_by();
  STEP(1) outer(2);
  STEP(ORDER(3, 2)) outer(3);
  __atsan_region_end();
  pthread_join(t, nullptr);
}

// CHECK: First: write of 4 bytes
// CHECK-NEXT: #0 set(int)
// CHECK-NEXT: #1 middle(int)
// CHECK-NEXT: #2 outer(int)
// CHECK-NEXT: #3 main
// CHECK: Region 'two steps' of the main thread began:
// CHECK-NEXT: #0 begin()
// CHECK-NEXT: #1 begin_by()
// CHECK-NEXT: #2 main
