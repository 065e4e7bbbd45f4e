// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: inner regions are part of the outermost one: their end ends nothing,
// and what is between them is in the region too.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t after
// RUN: %silent %t apart
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

static void read_x(int step) {
  atsan::atomic_region region("read");
  STEP(step) USE(x);
}

static void outer(int first, int second) {
  atsan::atomic_region region("outer");
  read_x(first);
  {
    atsan::atomic_region empty("empty");
  }
  read_x(second);
}

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'outer'
// CHECK-NOT: 'read'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}nested.cpp:{{[0-9]+}}:{{[0-9]+}} in read_x

int main(int argc, char **argv) {
  if (called_with(argc, argv, "after")) {
    in_parallel([] { outer(1, 2); },
                [] {
                  STEP(3) x = 1;
                });
  } else if (called_with(argc, argv, "apart")) {
    in_parallel(
        [] {
          read_x(1);
          read_x(3);
        },
        [] {
          STEP(2) x = 1;
        });
  } else {
    in_parallel([] { outer(1, 3); },
                [] {
                  STEP(2) x = 1;
                });
  }
}
