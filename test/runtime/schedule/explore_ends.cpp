// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// Intent: a violation is not lost behind what comes after it in the same run.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DASSERTS %s -o asserts
// RUN: not --crash ./asserts 2>&1 | FileCheck --check-prefix=ASSERTS %s
// ASSERTS: explore: a finding in schedule {{[0-9]+}}, which ends the process; before that, a region was violated: the replay says how
// RUN: env ATSAN_OPTIONS=schedule=asserts.1.sched %exits 66 ./asserts 2>&1 | FileCheck --check-prefix=REPLAY %s
// REPLAY: atomicity violation: lost update
//
// A failed expectation, which lets the function go on, does not hide it either.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DEXPECTS %s -o expects
// RUN: %exits 66 ./expects 2>&1 | FileCheck --check-prefix=EXPECTS %s
// EXPECTS: explore: a finding in schedule
// EXPECTS: atomicity violation: lost update
//
// A function that does not do the same again is said to be one.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DONCE %s -o once
// RUN: ./once 2>&1 | FileCheck --check-prefix=ONCE %s
// ONCE: (replayed 0 of 20 times)
// ONCE: WARNING: AtomicitySanitizer: explore: the finding did not happen again in 20 runs
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DFIXED -DASSERTS %s -o fixed
// RUN: %silent ./fixed
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#undef NDEBUG
#include <cassert>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <sanitizer/atsan_explore.h>
#include <thread>

static std::mutex lock;
static int balance;

static void withdraw() {
  atsan::atomic_region region("withdraw");
#ifdef FIXED
  std::lock_guard<std::mutex> guard(lock);
  balance--;
#else
  int before;
  {
    std::lock_guard<std::mutex> guard(lock);
    before = balance;
  }
  std::lock_guard<std::mutex> guard(lock);
  balance = before - 1;
#endif
}

static void test(void *) {
  static bool is_over;
  balance = 2;
  std::thread a(withdraw);
  if (is_over)
    a.join();
  std::thread b(withdraw);
  if (!is_over)
    a.join();
  b.join();
#ifdef ASSERTS
  assert(balance == 0);
#elif defined(EXPECTS)
  if (balance)
    __atsan_explore_failed();
#elif defined(ONCE)
  is_over |= balance != 0;
#endif
}

int main() { __atsan_explore(test, nullptr, nullptr); }
