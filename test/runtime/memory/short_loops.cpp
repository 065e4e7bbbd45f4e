// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a short range, or loop, is taken for known only where all of it is,
// in whatever direction the loop went.
// RUN: %exits 66 %t 1 2>&1 | FileCheck %s
// RUN: %exits 66 %t 10 2>&1 | FileCheck %s
// RUN: %exits 66 %t 22 2>&1 | FileCheck %s
// RUN: %silent %t 0
// RUN: %silent %t 11
// RUN: %silent %t 23
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <stddef.h>
#include <stdlib.h>

extern "C" void __atsan_read_strided(void *first, size_t size, ptrdiff_t stride,
                                     size_t count);
extern "C" void __atsan_write_strided(void *first, size_t size,
                                      ptrdiff_t stride, size_t count);
extern "C" void __atsan_write_range(void *first, size_t size);

alignas(64) static int data[32];
static int index_of_read;
int other;

static void victim() {
  atsan::atomic_region region("victim");
  STEP(1) {
    __atsan_read_strided(data, sizeof(int), sizeof(int), 3);
    __atsan_write_strided(data + 3, sizeof(int), sizeof(int), 8);
    // 1 and 2 have been read only.
    __atsan_write_strided(data + 4, sizeof(int), -sizeof(int), 4);
    __atsan_write_range(data + 20, 2 * sizeof(int));
    __atsan_write_range(data + 20, 3 * sizeof(int));
  }
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: First: write of {{4|12}} bytes
  STEP(3) other = 1;
}

int main(int argc, char **argv) {
  index_of_read = atoi(argv[argc - 1]);
  in_parallel(victim, [] {
    STEP(2) other = data[index_of_read] + 1;
  });
}
