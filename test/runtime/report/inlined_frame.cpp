// RUN: for o in 0 1 2; do %clangxx_atsan -O$o -g -I%inputs %s -o %t.$o && %exits 66 %t.$o 2>&1 | FileCheck %s || exit 1; done
// Intent: a variable has a name although the frame was last seen in code that
// was inlined into it: that of atsan::atomic_region, here.
// CHECK: is 12 bytes inside variable 'plain' on the stack of T1, in the frame of 'within', declared at {{.*}}inlined_frame.cpp:[[#]].
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

// It runs on, inside the region.
extern "C" __attribute__((noinline)) void within() {
  int plain[20] = {};
  atsan::atomic_region region("r");
  share(&plain[3]);
  STEP(1);
  step_begin(5);
}

int main() {
  in_parallel(
      within,
      [] {
        step_begin(2);
        atsan::atomic_region region("torn");
        int *at = static_cast<int *>(shared());
        USE(*at);
        step_end(2);
        STEP(4) USE(*at);
      },
      [] {
        STEP(3) *static_cast<int *>(shared()) = 1;
      });
}
