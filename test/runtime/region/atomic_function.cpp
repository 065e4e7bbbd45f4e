// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: a function marked ATSAN_ATOMIC is a region, also a method, a
// recursive function and one that is inlined; its caller is not.
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// RUN: %exits 66 %t.0 function 2>&1 | FileCheck --check-prefix=FUNCTION %s
// RUN: %exits 66 %t.2 function 2>&1 | FileCheck --check-prefix=FUNCTION %s
// RUN: %exits 66 %t.0 method 2>&1 | FileCheck --check-prefix=METHOD %s
// RUN: %exits 66 %t.2 method 2>&1 | FileCheck --check-prefix=METHOD %s
// RUN: %exits 66 %t.0 recursive 2>&1 | FileCheck --check-prefix=RECURSIVE %s
// RUN: %exits 66 %t.2 recursive 2>&1 | FileCheck --check-prefix=RECURSIVE %s
// RUN: %silent %t.0 caller
// RUN: %silent %t.2 caller
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

// FUNCTION: ERROR: AtomicitySanitizer: atomicity violation
// FUNCTION: region 'read_twice(int, int)'
// FUNCTION: SUMMARY: {{.*}} in read_twice
ATSAN_ATOMIC static int read_twice(int first, int second) {
  STEP(first) USE(x);
  STEP(second) USE(x);
  return second;
}

struct Reader {
  // METHOD: region 'Reader::read(int, int)'
  // METHOD: SUMMARY: {{.*}} in Reader::read
  ATSAN_ATOMIC void read(int first, int second) {
    STEP(first) USE(x);
    if (first == second)
      return;
    STEP(second) USE(x);
  }
};

// RECURSIVE: region 'recursive(int, int)'
// RECURSIVE: SUMMARY: {{.*}} in recursive
ATSAN_ATOMIC static int recursive(int step, int last) {
  STEP(step) USE(x);
  return step == last ? x : recursive(step + 2, last) + 1;
}

int main(int argc, char **argv) {
  auto write = [] {
    STEP(2) x = 1;
  };
  if (called_with(argc, argv, "function"))
    in_parallel([] { read_twice(1, 3); }, write);
  if (called_with(argc, argv, "method"))
    in_parallel([] { Reader().read(1, 3); }, write);
  if (called_with(argc, argv, "recursive"))
    in_parallel([] { recursive(1, 5); }, write,
                [] {
                  STEP(4) x = 2;
                });
  if (called_with(argc, argv, "caller"))
    in_parallel(
        [] {
          Reader().read(1, 1);
          Reader().read(3, 3);
        },
        write);
}
