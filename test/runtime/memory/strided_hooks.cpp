// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the hooks that stand for all accesses of a loop find what the loop
// itself would have found, and name the size of one access.
// RUN: %exits 66 %t 40 2>&1 | FileCheck %s
// RUN: %silent %t 41
// RUN: %exits 66 %t rows 44 2>&1 | FileCheck --check-prefix=ROWS %s
// RUN: %silent %t rows 46
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <stddef.h>
#include <string>

extern "C" void __atsan_read_strided(void *first, size_t size, ptrdiff_t stride,
                                     size_t count);
extern "C" void __atsan_write_strided(void *first, size_t size,
                                      ptrdiff_t stride, size_t count);

extern "C" void __atsan_read_rows(void *first, size_t size, size_t width,
                                  ptrdiff_t stride, size_t rows);
extern "C" void __atsan_write_rows(void *first, size_t size, size_t width,
                                   ptrdiff_t stride, size_t rows);

alignas(8) static int data[100];
static int changed;

static void victim() {
  atsan::atomic_region region("victim");
  STEP(1) __atsan_read_strided(data + 98, sizeof(int), -2 * sizeof(int), 50);
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: Later: write of 4 bytes
  // CHECK: SUMMARY: {{.*}}strided_hooks.cpp:[[#@LINE+1]]:{{[0-9]+}} in victim
  STEP(3) __atsan_write_strided(data, sizeof(int), 2 * sizeof(int), 50);
}

// Four elements, and a gap of two.
static void victim_of_rows() {
  atsan::atomic_region region("victim");
  STEP(1) __atsan_write_rows(data, sizeof(int), 4, 6 * sizeof(int), 16);
  // ROWS: ERROR: AtomicitySanitizer: atomicity violation
  // ROWS: First: write of 4 bytes at [[AT:0x[0-9a-f]+]] (global 'data') by T1
  // ROWS: Later: write of 4 bytes at [[AT]] {{.*}} by T2
  // ROWS: Later: read of 4 bytes at [[AT]] {{.*}} by T1
  // ROWS: SUMMARY: {{.*}}strided_hooks.cpp:[[#@LINE+1]]:{{[0-9]+}} in victim_of_rows
  STEP(3) __atsan_read_rows(data + 90, sizeof(int), 4, -6 * sizeof(int), 16);
}

int main(int argc, char **argv) {
  for (int i = 40; i < 47; i++)
    if (called_with(argc, argv, std::to_string(i).c_str()))
      changed = i;
  in_parallel(called_with(argc, argv, "rows") ? victim_of_rows : victim, [] {
    STEP(2) data[changed] = 1;
  });
}
