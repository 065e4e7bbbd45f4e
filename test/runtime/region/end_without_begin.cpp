// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: an end that ends nothing is reported with a stack, is no crash, fails
// the run, and lets the program go on if that is wanted.
// RUN: %exits 66 %t 2>&1 | FileCheck --implicit-check-not=went %s
// RUN: env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t 2>&1 | FileCheck --check-prefixes=CHECK,ON %s
// RUN: %exits 66 %t named 2>&1 | FileCheck --check-prefix=NAMED %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

__attribute__((noinline)) static void unbalanced(bool named) {
  __atomic_begin();
  __atomic_end();
  // CHECK: =={{[0-9]+}}==ERROR: AtomicitySanitizer: {{.*}}__atomic_end() without a matching __atomic_begin()
  // CHECK: #0 {{.*}}unbalanced{{.*}}end_without_begin.cpp:[[#@LINE+4]]
  // CHECK: #1 {{.*}}main
  // CHECK: SUMMARY: AtomicitySanitizer: region-end-without-begin {{.*}}end_without_begin.cpp:[[#@LINE+2]]
  if (!named)
    __atomic_end();
  else
    __atsan_region_end();
  // NAMED: __atsan_region_end() without a matching __atsan_region_begin()
  // NAMED: SUMMARY: AtomicitySanitizer: region-end-without-begin {{.*}}end_without_begin.cpp:[[#@LINE-2]]
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "good"))
    return 0;
  unbalanced(called_with(argc, argv, "named"));
  fprintf(stderr, "went on\n"); // ON: went on
}
