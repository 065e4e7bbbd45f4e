// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a program may bring its own suppressions; a file adds to them.
// RUN: env ATSAN_OPTIONS=print_suppressions=0 %silent %t mine
// RUN: %exits 66 %t other 2>&1 | FileCheck %s
// CHECK: region 'other'
// RUN: echo 'region:other' > %t.supp
// RUN: env ATSAN_OPTIONS="suppressions='%t.supp':print_suppressions=0" %silent %t mine
// RUN: env ATSAN_OPTIONS="suppressions='%t.supp':print_suppressions=0" %silent %t other
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

extern "C" const char *__atsan_default_suppressions() {
  return "# known\nregion:mine";
}

int x;

int main(int, char **argv) {
  in_parallel(
      [=] {
        atsan::atomic_region region(argv[1]);
        STEP(1) USE(x);
        STEP(3) USE(x);
      },
      [] {
        STEP(2) x = 1;
      });
}
