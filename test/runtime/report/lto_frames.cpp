// RUN: %clangxx_atsan -O2 -flto -fuse-ld=lld -I %inputs %s -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O2 -flto=thin -fuse-ld=lld -I %inputs %s -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O2 -flto -fuse-ld=lld -DTWIN -I %inputs %s -o %t.twin
// RUN: %silent %t.twin
// Intent: a hook that is called last in its function is no tail call, also when
// the program is optimized once more at link time: its function is in reports.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

long x;

__attribute__((noinline)) static void put(long value) { x = value; }

static void *other(void *) {
  STEP(ORDER(2, 3)) put(7);
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, other, nullptr);
  __atsan_region_begin("transaction");
  STEP(1) put(1);
  STEP(ORDER(3, 2)) put(2);
  __atsan_region_end();
  pthread_join(t, nullptr);
}

// CHECK:      First: write of 8 bytes
// CHECK-NEXT: #0 put
// CHECK-NEXT: #1 main
// CHECK:      Later: write of 8 bytes
// CHECK-NEXT: #0 put
// CHECK-NEXT: #1 other
// CHECK:      SUMMARY: {{.*}} in put
