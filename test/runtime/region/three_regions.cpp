// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: three regions, each two of them serializable, all three not; none of
// them has ended when the cycle closes.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, y, z, unrelated;

static void one() {
  atsan::atomic_region region("one");
  STEP(1) x = 1;
  STEP(6) USE(z);
  step_end(7);
}

static void two() {
  atsan::atomic_region region("two");
  STEP(2) USE(x);
  STEP(3) y = 1;
  step_begin(8);
}

static void three(bool good) {
  atsan::atomic_region region("three");
  STEP(4) USE(y);
  STEP(5) *(good ? &unrelated : &z) = 1;
  step_begin(8);
}

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK-DAG: region 'one'
// CHECK-DAG: region 'two'
// CHECK-DAG: region 'three'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}three_regions.cpp:{{[0-9]+}}:{{[0-9]+}} in one

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  in_parallel(one, two, [=] { three(good); });
}
