// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: __atomic_restart() gives up what the region has done so far; what
// follows is a region all the same. Outside every region it does nothing.
// RUN: %silent %t restart
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %exits 66 %t late 2>&1 | FileCheck --check-prefix=LATE %s
// RUN: %silent %t outside
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

std::atomic<int> counter;

static void add(bool restart) {
  atsan::atomic_region region("add");
  STEP(1) USE(counter.load());
  step_begin(3);
  if (restart)
    __atomic_restart();
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: region 'add'
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}restart.cpp:
  int seen = counter.load();
  if (!counter.compare_exchange_strong(seen, seen + 1))
    abort();
  step_end(3);
}

// What follows the restart is a region all the same.
static void restart_too_early() {
  atsan::atomic_region region("late");
  STEP(1) USE(counter.load());
  __atomic_restart();
  STEP(2) USE(counter.load());
  // LATE: region 'late'
  // LATE: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}restart.cpp:
  STEP(4) counter.store(7);
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "late")) {
    in_parallel(restart_too_early, [] {
      STEP(3) counter++;
    });
  } else if (called_with(argc, argv, "outside")) {
    __atomic_restart(); // No region: nothing to give up.
  } else {
    bool restart = called_with(argc, argv, "restart");
    in_parallel([=] { add(restart); },
                [] {
                  STEP(2) counter++;
                });
    return counter == 2 ? 0 : 1;
  }
}
