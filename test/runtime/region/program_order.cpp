// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: two regions of one thread, in program order, take the cycle from one
// variable to another; each alone would be harmless.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, y;

static void reader(bool good) {
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: Program order:
  atsan::atomic_region region("reader");
  STEP(good ? 2 : 1) USE(x);
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}program_order.cpp:[[#@LINE+1]]:{{[0-9]+}} in reader
  STEP(4) USE(y);
}

static void writer(bool good) {
  STEP(good ? 1 : 2) {
    atsan::atomic_region region("write x");
    x = 1;
  }
  STEP(3) {
    atsan::atomic_region region("write y");
    y = 1;
  }
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  in_parallel([=] { reader(good); }, [=] { writer(good); });
}
