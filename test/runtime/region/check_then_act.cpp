// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: every access holds the lock, so there is no data race; and still the
// check and the act are not one.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>

std::mutex lock;
int stock = 1;
int sold;

static int get() {
  std::lock_guard<std::mutex> guard(lock);
  return stock;
}

static void take() {
  std::lock_guard<std::mutex> guard(lock);
  stock--;
  sold++;
}

static void buy(int check, int act) {
  atsan::atomic_region region("buy");
  bool available;
  STEP(check) available = get() > 0;
  STEP(act) {
    if (available)
      take();
  }
}

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'buy'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}check_then_act.cpp:{{[0-9]+}}:{{[0-9]+}} in take

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  in_parallel([=] { buy(1, good ? 2 : 3); }, [=] { buy(good ? 3 : 2, 4); });
  return sold == 1 ? 0 : 1;
}
