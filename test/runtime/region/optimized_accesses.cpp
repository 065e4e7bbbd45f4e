// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: the optimizer neither invents accesses that the program does not make
// (loads that it would do ahead of a branch or of a loop), nor hides those that
// matter.
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// RUN: %clangxx_atsan -O3 -I%inputs %s -o %t.3
// RUN: for t in %t.0 %t.2 %t.3; do for i in branch loop conditional; do \
// RUN:   %silent $t $i || exit 1; \
// RUN:   %exits 66 $t $i taken 2>&1 | FileCheck %s || exit 1; done; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, other;

// CHECK: region 'victim'
// CHECK: global 'x'
// CHECK: SUMMARY: {{.*}}optimized_accesses.cpp:

__attribute__((noinline)) static void branch(bool taken) {
  USE(taken ? x : other);
}

__attribute__((noinline)) static void loop(bool taken) {
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    if (taken)
      sum += x;
    __asm__ volatile("" : "+r"(sum));
  }
  USE(sum);
}

__attribute__((noinline)) static void conditional(bool taken) {
  int value = 0;
  if (taken)
    value = x;
  USE(value);
}

int main(int argc, char **argv) {
  bool taken = called_with(argc, argv, "taken");
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  auto function = is("branch") ? branch : is("loop") ? loop : conditional;
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) function(taken);
        STEP(3) function(taken);
      },
      [] {
        STEP(2) x = 1;
      });
}
