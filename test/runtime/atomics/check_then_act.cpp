// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: check-then-act on a std::atomic: no data race anywhere, and still the
// check and the act are not one.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

std::atomic<int> tickets{1};

static void sell(int check, int act) {
  atsan::atomic_region region("sell");
  bool left;
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: region 'sell'
  // CHECK: atomic {{.*}}of 4 bytes
  STEP(check) left = tickets.load() > 0;
  STEP(act) {
    if (left)
      tickets.fetch_sub(1); // CHECK: check_then_act.cpp:[[#@LINE]]
  }
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  in_parallel([=] { sell(1, good ? 2 : 3); }, [=] { sell(good ? 3 : 2, 4); });
  return tickets == (good ? 0 : -1) ? 0 : 1;
}
