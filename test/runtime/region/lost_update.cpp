// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: two regions update one variable, and one update is lost; with the
// same verdict at every optimization level.
// RUN: %exits 66 %t.0 2>&1 | FileCheck %s
// RUN: %silent %t.0 good
// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t.1
// RUN: %exits 66 %t.1 2>&1 | FileCheck %s
// RUN: %silent %t.1 good
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// RUN: %exits 66 %t.2 2>&1 | FileCheck %s
// RUN: %silent %t.2 good
// RUN: %clangxx_atsan -O3 -I%inputs %s -o %t.3
// RUN: %exits 66 %t.3 2>&1 | FileCheck %s
// RUN: %silent %t.3 good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int balance;

static void deposit(int first, int second) {
  atsan::atomic_region region("deposit");
  int seen;
  STEP(first) seen = balance;
  // CHECK: =={{[0-9]+}}==ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: region 'deposit'
  // CHECK: read of 4 bytes at 0x{{[0-9a-f]+}} (global 'balance')
  // CHECK-NEXT: #0 {{.*}}deposit{{.*}}lost_update.cpp:[[#@LINE-4]]:
  // CHECK: write of 4 bytes at 0x{{[0-9a-f]+}} (global 'balance')
  // CHECK-NEXT: #0 {{.*}}deposit{{.*}}lost_update.cpp:[[#@LINE+2]]:
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}lost_update.cpp:[[#@LINE+1]]:{{[0-9]+}} in deposit
  STEP(second) balance = seen + 100;
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  in_parallel([=] { deposit(1, good ? 2 : 3); },
              [=] { deposit(good ? 3 : 2, 4); });
  return balance == (good ? 200 : 100) ? 0 : 1;
}
