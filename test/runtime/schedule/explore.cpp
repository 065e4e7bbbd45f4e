// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o test
// Intent: a test that passes is turned into a reproduced bug, in process; the
// schedule that is written shows it again, also after an unrelated edit; the
// correct twin is never reported.
// RUN: %exits 66 ./test 2>&1 | FileCheck %s
// CHECK: explore: a finding in schedule [[#]] (replayed 20 of 20 times)
// CHECK-NEXT: replay it: ATSAN_OPTIONS=schedule=test.1.sched ./test
// CHECK: ERROR: AtomicitySanitizer: atomicity violation: lost update
// CHECK: Region 'withdraw' of T{{.*}} is not atomic
// CHECK: #{{.*}} withdraw(int) {{.*}}explore.cpp
// CHECK-NOT: atsan_scheduled
// RUN: env ATSAN_OPTIONS=schedule=test.1.sched %exits 66 ./test 2>&1 | FileCheck --check-prefix=REPLAY %s
// REPLAY-NOT: diverged
// REPLAY: atomicity violation: lost update
// RUN: %clangxx_atsan -O2 -fatomicity-schedule -DEDITED %s -o test
// RUN: env ATSAN_OPTIONS=schedule=test.1.sched %exits 66 ./test 2>&1 | FileCheck --check-prefix=REPLAY %s
//
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DFIXED %s -o fixed
// RUN: %silent ./fixed
// RUN: %silent ./fixed systematic
// The schedule of another program: said once, and nothing else changes.
// RUN: env ATSAN_OPTIONS=schedule=test.1.sched ./fixed 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: WARNING: AtomicitySanitizer: the run has diverged from the schedule at its line {{[0-9]}}
//
// Without the sanitizer the function runs once; without points, only locks and
// their like can be told apart, which is enough here.
// RUN: %clangxx -std=c++17 -isystem %atsan_include %s -o plain -lpthread && ./plain
// RUN: not ./test no-such-strategy 2>&1 | FileCheck --check-prefix=STRATEGY %s
// STRATEGY: 'no-such-strategy' is no strategy
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mutex>
#include <sanitizer/atsan.hpp>
#include <sanitizer/atsan_explore.hpp>
#include <thread>

#ifdef EDITED
int unrelated(int n) { return n < 2 ? n : unrelated(n - 1) + unrelated(n - 2); }
#endif

std::mutex lock;
int balance;

int get() {
  std::lock_guard<std::mutex> guard(lock);
  return balance;
}

void set(int value) {
  std::lock_guard<std::mutex> guard(lock);
  balance = value;
}

void withdraw(int amount) {
  atsan::atomic_region region("withdraw");
#ifdef FIXED
  std::lock_guard<std::mutex> guard(lock);
  if (balance >= amount)
    balance -= amount;
#else
  int before = get();
  if (before >= amount)
    set(before - amount);
#endif
}

int main(int argc, char **argv) {
  atsan::explore_options options;
  options.strategy = argc > 1 ? argv[1] : nullptr;
  options.runs = 300;
  return atsan::explore(
      [] {
        balance = 10;
        std::thread a(withdraw, 3), b(withdraw, 4);
        a.join();
        b.join();
      },
      options);
}
