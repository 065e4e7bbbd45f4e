// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: accesses outside every region are transactions too: one write, or one
// read, in the middle of a region is enough. The order of a thread's unary
// accesses counts as well.
// RUN: %exits 66 %t read-write-read 2>&1 | FileCheck %s
// RUN: %silent %t read-write-read good
// RUN: %exits 66 %t write-read-write 2>&1 | FileCheck %s
// RUN: %silent %t write-read-write good
// RUN: %exits 66 %t write-write-read 2>&1 | FileCheck %s
// RUN: %silent %t write-write-read good
// RUN: %exits 66 %t unary-order 2>&1 | FileCheck %s
// RUN: %silent %t unary-order good
// RUN: %silent %t read-read-read
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, y;

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'victim'
// CHECK: outside any region
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}unary.cpp:

template <class First, class Second, class Between>
static void run(bool good, First first, Second second, Between between) {
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) first();
        STEP(good ? 2 : 3) second();
      },
      [=] {
        STEP(good ? 3 : 2) between();
      });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  auto read = [] { USE(x); };
  auto write = [] { x = 1; };
  auto foreign_read = [] { USE(x); };
  auto foreign_write = [] { x = 2; };
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  if (is("read-write-read"))
    run(good, read, read, foreign_write);
  if (is("write-read-write"))
    run(good, write, write, foreign_read);
  if (is("write-write-read"))
    run(good, write, read, foreign_write);
  if (is("unary-order"))
    run(
        good, read, [] { USE(y); },
        [] {
          x = 2;
          y = 2;
        });
  if (is("read-read-read"))
    run(false, read, read, foreign_read);
}
