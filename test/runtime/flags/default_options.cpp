// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a program may bring its own options; the environment overrides them.
// RUN: %exits 11 %t 2>&1 | FileCheck %s
// RUN: env ATSAN_OPTIONS=exitcode=12 %exits 12 %t 2>&1 | FileCheck %s
// RUN: env ATSAN_OPTIONS=region_splits=start %silent %t
// CHECK: region 'parent'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

extern "C" const char *__atsan_default_options() {
  return "exitcode=11:region_splits=join,barrier";
}

int x;

int main() {
  std::thread child;
  {
    atsan::atomic_region region("parent");
    child = std::thread([] {
      STEP(1) x++;
    });
    STEP(2) USE(x);
  }
  child.join();
}
