//===- bank.cpp - Regions of all kinds, some of them atomic ---------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transfer is a region in a region: the inner one begins only when the
// outer one is excluded. With an argument, one region by this name instead.
//
//===----------------------------------------------------------------------===//
#include "atsan_test.hpp"

int balance;
int total;

namespace bank {

static void read_and_write(int step, int amount) {
  int seen;
  STEP(step) seen = balance;
  STEP(step + 2) balance = seen + amount;
}

ATSAN_ATOMIC __attribute__((noinline)) void withdraw(int amount, int *) {
  read_and_write(1, -amount);
}

ATSAN_ATOMIC __attribute__((noinline)) void transfer() { withdraw(1, nullptr); }

__attribute__((noinline)) void audit() {
  __atomic_begin();
  read_and_write(4, 0);
  __atomic_end();
}

__attribute__((noinline)) void sum() {
  atsan::atomic_region region("sum");
  total = 1;
  total = 2;
}

} // namespace bank

int main(int argc, char **argv) {
  in_parallel(
      [=] {
        if (argc > 1) {
          atsan::atomic_region region(argv[1]);
          bank::read_and_write(1, 1);
          return;
        }
        bank::transfer();
        bank::audit();
        bank::sum();
      },
      [=] {
        STEP(2) balance = 1;
        if (argc == 1) {
          STEP(5) balance = 2;
        }
      });
}
