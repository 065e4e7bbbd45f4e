// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: cycles through regions that have ended long before, one of them
// entered by program order alone.
// RUN: %exits 66 %t chain 2>&1 | FileCheck --check-prefix=CHAIN %s
// RUN: %silent %t chain good
// RUN: %exits 66 %t order 2>&1 | FileCheck --check-prefix=ORDER %s
// RUN: %silent %t order good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int a, b, c, other;

// One is open all the time. Two and three come and go meanwhile.
static void chain(bool good) {
  in_parallel(
      [=] {
        atsan::atomic_region region("one");
        STEP(1) a = 1;
        STEP(4) {
        }
        // CHAIN: ERROR: AtomicitySanitizer: atomicity violation
        // CHAIN: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}completed_transactions.cpp:[[#@LINE+1]]:
        STEP(5) USE(*either(good, &other, &c));
      },
      [] {
        STEP(2) {
          atsan::atomic_region region("two");
          USE(a);
          b = 1;
        }
      },
      [] {
        STEP(3) {
          atsan::atomic_region region("three");
          if (b)
            c = 1;
        }
      });
}

// paper-errata.md: T1 begin; T1 w(a); T2 r(a); T2 begin; T2 w(b); T2 end; T1
// r(b).
static void order(bool good) {
  in_parallel(
      [=] {
        atsan::atomic_region region("one");
        STEP(1) a = 1;
        // ORDER: ERROR: AtomicitySanitizer: atomicity violation
        // ORDER: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}completed_transactions.cpp:[[#@LINE+1]]:
        STEP(4) USE(b);
      },
      [=] {
        STEP(2) USE(*either(good, &other, &a));
        STEP(3) {
          atsan::atomic_region region("two");
          b = 1;
        }
      });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  if (called_with(argc, argv, "chain"))
    chain(good);
  else
    order(good);
}
