// RUN: %clangxx_atsan -O3 -march=x86-64-v3 -I%inputs %s -o %t
// Intent: vectorized loops, masked and gathering ones too, access the bytes
// that the program names.
// RUN: for i in add gather mask; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
// RUN: %clangxx_atsan -O3 -march=x86-64-v3 -S -emit-llvm -I%inputs %s -o - | FileCheck --check-prefix=IR %s
// IR: <8 x i32>
// REQUIRES: avx2
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

constexpr int kSize = 1024;
static int a[kSize + 1], b[kSize], where[kSize];

// CHECK: region 'vector'
// CHECK: SUMMARY: {{.*}}vector.cpp:

__attribute__((noinline)) static void add(int *to, const int *from) {
  for (int i = 0; i < kSize; i++) to[i] += from[i];
}

__attribute__((noinline)) static int gather(const int *from, const int *index) {
  int sum = 0;
  for (int i = 0; i < kSize; i++) sum += from[index[i]];
  return sum;
}

// Even elements only.
__attribute__((noinline)) static void mask(int *to, const int *from) {
  for (int i = 0; i < kSize; i++)
    if (from[i])
      to[i] = from[i];
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  for (int i = 0; i < kSize; i++) {
    where[i] = i;
    b[i] = i % 2 == 0;
  }
  auto run = [](int *element, void (*function)()) {
    in_parallel(
        [=] {
          atsan::atomic_region region("vector");
          STEP(1) function();
          STEP(3) function();
        },
        [=] {
          STEP(2) *element = 1;
        });
  };
  if (called_with(argc, argv, "add"))
    run(&a[good ? kSize : kSize - 1], [] { add(a, b); });
  if (called_with(argc, argv, "gather"))
    run(&a[good ? kSize : 517], [] { USE(gather(a, where)); });
  if (called_with(argc, argv, "mask"))
    run(&a[good ? 517 : 516], [] { mask(a, b); });
}
