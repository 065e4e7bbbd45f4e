// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// Intent: reads that only the optimizer would add are no reads of the program:
// a conditional read made unconditional, a read of one of two variables made a
// read of both, and the gaps of a strided loop that is vectorized. The twins
// read what the others only seem to.
// RUN: %silent %t.2 untaken
// RUN: %exits 66 %t.2 taken 2>&1 | FileCheck %s
// RUN: %silent %t.2 first
// RUN: %exits 66 %t.2 second 2>&1 | FileCheck %s
// RUN: %silent %t.2 stride
// RUN: %exits 66 %t.2 dense 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O3 -march=x86-64-v3 -I%inputs %s -o %t.3
// RUN: %silent %t.3 untaken
// RUN: %silent %t.3 first
// RUN: %silent %t.3 stride
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int limit, other_limit;
unsigned cells[2 * 64];

__attribute__((noinline)) static int read_if(bool taken) {
  int value = 3;
  if (taken)
    value = limit;
  return value;
}

__attribute__((noinline)) static int read_one(bool second) {
  return second ? limit : other_limit;
}

__attribute__((noinline)) static unsigned sum(const unsigned *from, long count,
                                              long stride) {
  unsigned result = 0;
  if (stride == 2)
    for (long i = 0; i < count; i++) result += from[2 * i];
  else
    for (long i = 0; i < count; i++) result += from[i];
  return result;
}

int main(int argc, char **argv) {
  bool taken = called_with(argc, argv, "taken");
  if (taken || called_with(argc, argv, "untaken"))
    in_parallel(
        [=] {
          atsan::atomic_region region("reads");
          STEP(1) USE(read_if(taken));
          STEP(3) USE(read_if(taken));
        },
        [] {
          STEP(2) limit = 5;
        });
  else if (bool second = called_with(argc, argv, "second");
           second || called_with(argc, argv, "first"))
    in_parallel(
        [=] {
          atsan::atomic_region region("reads");
          STEP(1) USE(read_one(second));
          STEP(3) USE(read_one(second));
        },
        [] {
          STEP(2) limit = 5;
        });
  else
    in_parallel(
        [=] {
          atsan::atomic_region region("sums");
          long stride = called_with(argc, argv, "stride") ? 2 : 1;
          STEP(1) USE(sum(cells, 64, stride));
          STEP(3) USE(sum(cells, 64, stride));
        },
        [] {
          STEP(2) cells[1] = 5;
        });
}
