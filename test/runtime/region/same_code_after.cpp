// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: what a thread does outside regions is told from what the same code
// did in a region that began in the same frame.
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

static int a, x, y;

__attribute__((noinline)) static void pass(bool once_in_region) {
  volatile bool in_region = once_in_region; // One write in the code.
  if (in_region)
    __atsan_region_begin("over");
  // CHECK: region 'victim'
  // CHECK-NOT: 'over'
  // CHECK: same_code_after.cpp:[[# @LINE + 1]]
  x = 1;
  // CHECK-NOT: 'over'
  // CHECK: SUMMARY
  if (in_region)
    __atsan_region_end();
}

int main(int argc, char **argv) {
  int *last = called_with(argc, argv, "bad") ? &x : &y;
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) a = 1;
        STEP(4) USE(*last);
      },
      [=] {
        volatile int rounds = 5; // One call of pass() in the code.
        for (int i = 0; i < rounds; i++) {
          if (i == 4)
            STEP(2) USE(a);
          pass(i < 4);
        }
        STEP(3) USE(y);
      });
}
