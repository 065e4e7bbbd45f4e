// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx_atsan -O1 -I%inputs -fprofile-instr-generate -fcoverage-mapping %s -o %t/llvm && cd %t && env LLVM_PROFILE_FILE=%t/data.profraw %exits 66 ./llvm 2> /dev/null && test -s data.profraw
// RUN: cd %t && %clangxx_atsan -O1 -I%inputs --coverage -c %s -o gcov.o && %clangxx_atsan --coverage gcov.o -o gcov && %exits 66 ./gcov 2> /dev/null && test -s gcov.gcda
// Intent: a finding that ends the run leaves the coverage data behind.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

int main() {
  in_parallel(
      [] {
        atsan::atomic_region region("reader");
        STEP(1) USE(x);
        STEP(3) USE(x);
      },
      [] {
        STEP(2) x = 1;
      });
}
