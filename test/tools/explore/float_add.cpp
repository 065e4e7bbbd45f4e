// RUN: %clangxx_atsan -std=c++20 -O1 -fatomicity-schedule %s -o %t
// RUN: %atsan explore --runs=100 -- %t | FileCheck %s
// RUN: %clangxx_atsan -std=c++20 -O1 -fatomicity-schedule -DTWICE %s -o %t.twice
// RUN: %run %atsan explore --runs=100 -- %t.twice > %t.log; FileCheck --check-prefix=TWICE %s < %t.log
// Intent: to add to an atomic floating-point number is one operation in every
// schedule, and others come between two of them. libstdc++'s header tries in a
// loop, which is nobody's data.
// CHECK: {{([2-9]|[1-9][0-9]+) distinct classes: nothing found}}
// TWICE: 1 atomicity violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <sanitizer/atsan.hpp>
#include <thread>

static std::atomic<double> Sum{0};

static void add() {
  for (int I = 0; I < 2; ++I) {
    atsan::atomic_region Region("add");
    Sum.fetch_add(1);
#ifdef TWICE
    Sum -= 0.5;
#endif
  }
}

int main() {
  std::thread A(add), B(add);
  A.join();
  B.join();
}
