// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a retry loop that says __atomic_restart() is a region that succeeds
// at its last attempt; without it, all attempts are one region.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t restart
// What is recorded of them is decided alike.
// RUN: env ATSAN_OPTIONS=trace=%t.restart.trace %silent %t restart
// RUN: env ATSAN_OPTIONS=trace=%t.trace:exitcode=0 %t 2>&1 | FileCheck %s
// RUN: for a in scg conflict-graph; do %atsan check --algorithm=$a %t.restart.trace && \
// RUN:   %exits 66 %atsan check --algorithm=$a %t.trace || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

std::atomic<int> counter;

static void add(bool restart) {
  atsan::atomic_region region("add");
  int seen;
  STEP(1) seen = counter.load();
  step_begin(3);
  while (!counter.compare_exchange_strong(seen, seen + 1)) {
    // CHECK: region 'add'
    // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}retry_loop.cpp:
    if (restart)
      __atomic_restart();
    seen = counter.load();
  }
  step_end(3);
}

int main(int argc, char **argv) {
  bool restart = called_with(argc, argv, "restart");
  in_parallel([=] { add(restart); },
              [] {
                STEP(2) counter++;
              });
  return counter == 2 ? 0 : 1;
}
