// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=ONE %s
// RUN: %atsan predict --all %t.trace | FileCheck --check-prefix=ALL %s
// Intent: an access outside of any region is at one place, whoever called the
// function that it is in, and a region begins at one place. So there is one
// prediction where a region is interrupted there; --all shows each.
// ONE: 3 more orders of accesses of these regions would be bad, too; --all shows each
// ONE: Verdict: potential (1 finding;
// ALL-NOT: more order
// ALL: Verdict: potential (4 findings;
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <mutex>

static std::mutex guard;
static int balance;

static int locked_balance() {
  std::lock_guard<std::mutex> hold(guard);
  return balance;
}

__attribute__((noinline)) static int sum_of_two() {
  atsan::atomic_region region("sum");
  const int first = locked_balance();
  return first + locked_balance();
}

__attribute__((noinline)) static void set(int to) {
  std::lock_guard<std::mutex> hold(guard);
  balance = to;
}

__attribute__((noinline)) static int today() { return 1 + sum_of_two(); }
__attribute__((noinline)) static int tomorrow() { return 2 + sum_of_two(); }
__attribute__((noinline, disable_tail_calls)) static void deposit() { set(1); }
__attribute__((noinline, disable_tail_calls)) static void withdraw() { set(2); }

int main() {
  int result = 0;
  in_parallel(
      [&] {
        STEP(1) result = today() + tomorrow();
      },
      [] {
        STEP(2) deposit();
      },
      [] {
        STEP(3) withdraw();
      });
  return result < 0;
}
