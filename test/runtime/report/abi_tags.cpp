// RUN: %clangxx_atsan -O1 -I %inputs %s -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O1 -DTWIN -I %inputs %s -o %t.twin
// RUN: %silent %t.twin
// Intent: functions and variables with std::string in their types have the
// names that the source gives them.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Inputs/atsan_test.hpp"

#include <string>

#ifdef TWIN
#define ORDER(violating, serial) serial
#else
#define ORDER(violating, serial) violating
#endif

std::string text = "abc";

__attribute__((noinline)) static std::string change() {
  text[1] = 'x';
  return "";
}

int main() {
  in_parallel(
      [] {
        atsan::atomic_region region("two changes");
        STEP(1) change();
        STEP(ORDER(3, 2)) change();
      },
      [] {
        STEP(ORDER(2, 3)) change();
      });
}

// CHECK-NOT: [abi:
// CHECK: write of 1 byte at {{.*}} (global 'text') by
// CHECK-NEXT: #0 change()
// CHECK-NOT: [abi:
// CHECK: SUMMARY: {{.*}} in change()
