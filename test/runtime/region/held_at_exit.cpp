// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a violation that a failed compare-exchange closes is reported at the
// latest when the thread ends, or the process, however it ends: the attempt was
// not given up.
// RUN: for i in return exit _exit thread; do \
// RUN:   %exits 66 %t $i bad 2>&1 | FileCheck %s || exit 1; \
// RUN:   %exits 0 %t $i 2>&1 | FileCheck --allow-empty --check-prefix=GOOD %s || exit 1; done
// GOOD-NOT: ERROR
// CHECK: region 'attempt'
// CHECK: SUMMARY: {{.*}}held_at_exit.cpp:[[# @LINE + 19]]:
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

std::atomic<int> counter;

static bool thread_ends;

// What it does next would say whether it goes on.
static void attempt() {
  __atsan_region_begin("attempt");
  int seen = 0;
  STEP(1) seen = counter;
  STEP(3) counter.compare_exchange_strong(seen, 7);
  step_begin(thread_ends ? 4 : 100);
}

int main(int argc, char **argv) {
  bool bad = called_with(argc, argv, "bad");
  thread_ends = called_with(argc, argv, "thread");
  std::thread thread(attempt);
  STEP(2) {
    if (bad)
      counter = 1;
  }
  step_begin(4);
  if (thread_ends)
    thread.join();
  else
    thread.detach();
  if (called_with(argc, argv, "exit"))
    exit(0);
  if (called_with(argc, argv, "_exit"))
    _exit(0);
}
