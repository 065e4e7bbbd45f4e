// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: without symbols a report is still a report: modules and offsets, the
// same verdict and exit code.
// RUN: env ATSAN_OPTIONS=symbolize=0 %exits 66 %t 2>&1 | FileCheck %s
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'reader'
// CHECK: #0 {{.*}}({{.*}}no_symbolizer{{.*}}+0x{{[0-9a-f]+}})
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}no_symbolizer{{.*}}+0x{{[0-9a-f]+}}
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
