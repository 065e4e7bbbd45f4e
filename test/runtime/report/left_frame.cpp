// RUN: %clangxx_atsan -O0 -I %inputs %s -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O2 -I %inputs %s -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O2 -DTWIN -I %inputs %s -o %t.twin
// RUN: %silent %t.twin
// Intent: a function begins a region and returns, as an interpreter's does.
// Then another call of it stands where its frame was: it is not the region's
// frame, and its callers are not those of the begin.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

int x;
volatile int after_call;

enum Operation { kBegin, kRead, kWrite, kEnd };

#define CALL __attribute__((noinline)) static void

CALL step(Operation operation) {
  switch (operation) {
  case kBegin:
    __atsan_region_begin("transaction");
    break;
  case kRead:
    after_call = x;
    break;
  case kWrite:
    x = 1;
    break;
  case kEnd:
    __atsan_region_end();
    break;
  }
  after_call = 1;
}

CALL execute(Operation operation) {
  step(operation);
  after_call = 2;
}

CALL begin_transaction() {
  execute(kBegin);
  after_call = 3;
}
CALL read_value() {
  execute(kRead);
  after_call = 3;
}
CALL write_value() {
  execute(kWrite);
  after_call = 3;
}
CALL end_transaction() {
  execute(kEnd);
  after_call = 3;
}

static void *other(void *) {
  STEP(ORDER(2, 3)) x = 7;
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, other, nullptr);
  begin_transaction();
  STEP(1) read_value();
  STEP(ORDER(3, 2)) write_value();
  end_transaction();
  pthread_join(t, nullptr);
}

// CHECK:      Step 1:
// CHECK-NEXT: First: read of 4 bytes
// CHECK-NEXT: #0 step
// CHECK-NEXT: #1 execute
// CHECK-NEXT: #2 read_value
// CHECK-NEXT: #3 main
// CHECK:      Later: write of 4 bytes
// CHECK:      Step 2:
// CHECK:      Later: write of 4 bytes
// CHECK-NEXT: #0 step
// CHECK-NEXT: #1 execute
// CHECK-NEXT: #2 write_value
// CHECK-NEXT: #3 main
