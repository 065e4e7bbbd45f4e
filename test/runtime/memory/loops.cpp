// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: accesses of loops, which are reported when the loop is over, are
// those that the program makes: every element that the loop touches and no
// other, at the line of the access, also downwards, with gaps, by column, and
// not at all where the loop is skipped. Outside regions they are in program
// order.
//
// RUN: for i in fill sum downwards column last; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck --check-prefixes=CHECK,$i %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
// RUN: %silent %t skipped
// RUN: for i in order-ab order-ba; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck --check-prefixes=ORDER %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
// RUN: %clangxx_atsan -O1 -S -emit-llvm -I%inputs %s -o - | FileCheck --check-prefix=IR %s
// IR: call void @__atsan_write_strided(
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

constexpr int kRows = 40, kColumns = 25, kSize = kRows * kColumns;
static int a[kSize + 1], b[kSize + 1];

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'loop'
// fill: SUMMARY: {{.*}}loops.cpp:[[#@LINE+3]]:
__attribute__((noinline)) static void fill(int first, int end) {
  for (int i = first; i < end; i++) {
    a[i] = i;
  }
}

// sum: SUMMARY: {{.*}}loops.cpp:[[#@LINE+4]]:
__attribute__((noinline)) static int sum(int end) {
  int total = 0;
  for (int i = 0; i < end; i++) {
    total += a[i];
  }
  return total;
}

// downwards: SUMMARY: {{.*}}loops.cpp:[[#@LINE+3]]:
__attribute__((noinline)) static void downwards(int first) {
  for (int i = first; i >= 7; i -= 3) {
    a[i] = i;
  }
}

// column: SUMMARY: {{.*}}loops.cpp:[[#@LINE+3]]:
__attribute__((noinline)) static void column(int number, int columns) {
  for (int row = 0; row < kRows; row++) {
    a[row * columns + number]++;
  }
}

// last: SUMMARY: {{.*}}loops.cpp:[[#@LINE+4]]:
__attribute__((noinline)) static int last(int end) {
  int total = 0, i = 0;
  do {
    total += a[i];
  } while (++i < end);
  return total;
}

// ORDER: ERROR: AtomicitySanitizer: atomicity violation
__attribute__((noinline)) static int product(int end) {
  int total = 0;
  for (int i = 0; i < end; i++) total += b[i] * a[i];
  return total;
}

// A region runs the loop twice; in between, another thread writes an element.
static void run(int *element, void (*loop)()) {
  in_parallel(
      [=] {
        atsan::atomic_region region("loop");
        STEP(1) loop();
        STEP(3) loop();
      },
      [=] {
        STEP(2) *element = 1;
      });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  if (called_with(argc, argv, "fill"))
    run(&a[good ? 4 : 5], [] { fill(5, 900); });
  if (called_with(argc, argv, "sum"))
    run(&a[good ? 900 : 899], [] { USE(sum(900)); });
  // 900, 897, ..., 9.
  if (called_with(argc, argv, "downwards"))
    run(&a[good ? 6 : 9], [] { downwards(900); });
  if (called_with(argc, argv, "column"))
    run(&a[39 * kColumns + (good ? 4 : 3)], [] { column(3, kColumns); });
  if (called_with(argc, argv, "last"))
    run(&a[good ? 1 : 0], [] { USE(last(1)); });
  if (called_with(argc, argv, "skipped"))
    run(&a[5], [] { fill(5, 5); });
  // The loop is outside regions and reads element 5 of both arrays before
  // element 6. It reads the first element that the region writes after that,
  // and the second one before that: a cycle, if it reads the first one first.
  auto order = [=](int *one, int *other) {
    in_parallel(
        [=] {
          atsan::atomic_region region("order");
          STEP(1) one[good ? 6 : 5] = 1;
          STEP(3) other[good ? 5 : 6] = 1;
        },
        [=] {
          STEP(2) USE(product(900));
        });
  };
  if (called_with(argc, argv, "order-ab"))
    order(a, b);
  if (called_with(argc, argv, "order-ba"))
    order(b, a);
}
