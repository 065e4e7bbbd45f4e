// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the example of CAV'08, section 3: t2 has ended and has an edge to t3,
// but its node may not be deleted yet, because the last event makes an edge out
// of it.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, z, unrelated;

static void t1() {
  atsan::atomic_region region("t1");
  STEP(1) USE(x);
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK-DAG: region 't1'
  // CHECK-DAG: region 't2'
  // CHECK-NOT: region 't3'
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}deleted_transaction.cpp:[[#@LINE+1]]:{{[0-9]+}} in t1
  STEP(5) x = 1;
}

static void t2(bool good) {
  atsan::atomic_region region("t2");
  STEP(2) {
    *(good ? &unrelated : &x) = 2;
    USE(z);
  }
  step_begin(4);
}

static void t3() {
  atsan::atomic_region region("t3");
  STEP(3) z = 3;
  step_begin(6);
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  in_parallel(t1, t3, [=] {
    t2(good);
    step_end(4);
  });
}
