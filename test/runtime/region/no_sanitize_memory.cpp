// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: ATSAN_NO_SANITIZE is about a function's own accesses; memory
// functions that it calls are intercepted and count.
// RUN: %silent %t own
// RUN: %exits 66 %t 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

char buffer[4000];

// CHECK: region 'reader'
// CHECK: SUMMARY: {{.*}}no_sanitize_memory.cpp:

ATSAN_NO_SANITIZE static void store_by_call(int size) {
  memset(buffer, 1, size);
}

ATSAN_NO_SANITIZE static void store_itself() { buffer[7] = 1; }

int main(int argc, char **argv) {
  bool itself = called_with(argc, argv, "own");
  in_parallel(
      [=] {
        atsan::atomic_region region("reader");
        STEP(1) USE(buffer[7]);
        STEP(3) USE(buffer[7]);
      },
      [=] {
        STEP(2) itself ? store_itself() : store_by_call(argc * 4000);
      });
}
