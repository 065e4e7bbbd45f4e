// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the hooks that stand for all accesses of a loop find what the loop
// itself would have found, and name the size of one access.
// RUN: %exits 66 %t 40 2>&1 | FileCheck %s
// RUN: %silent %t 41
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <stddef.h>

extern "C" void __atsan_read_strided(void *first, size_t size, ptrdiff_t stride,
                                     size_t count);
extern "C" void __atsan_write_strided(void *first, size_t size,
                                      ptrdiff_t stride, size_t count);

static int data[100];
static int changed;

static void victim() {
  atsan::atomic_region region("victim");
  STEP(1) __atsan_read_strided(data + 98, sizeof(int), -2 * sizeof(int), 50);
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: Later: write of 4 bytes
  // CHECK: SUMMARY: {{.*}}strided_hooks.cpp:[[#@LINE+1]]:{{[0-9]+}} in victim
  STEP(3) __atsan_write_strided(data, sizeof(int), 2 * sizeof(int), 50);
}

int main(int argc, char **argv) {
  changed = called_with(argc, argv, "40") ? 40 : 41;
  in_parallel(victim, [] {
    STEP(2) data[changed] = 1;
  });
}
