// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a short range, or loop, is taken for known only where all of it is,
// in whatever direction the loop went.
// RUN: %exits 66 %t 1 2>&1 | FileCheck %s
// RUN: %exits 66 %t 10 2>&1 | FileCheck %s
// RUN: %exits 66 %t 22 2>&1 | FileCheck %s
// RUN: %silent %t 0
// RUN: %silent %t 11
// RUN: %silent %t 23
// RUN: %exits 66 %t gaps 9 2>&1 | FileCheck %s --check-prefix=GAPS
// RUN: %silent %t gaps 8
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

alignas(64) static int data[32], spare[32];
static int place;
int other;

// Elsewhere first, so that the hooks know their place in the code.
static int *const arrays[] = {spare, data};

static void victim() {
  atsan::atomic_region region("victim");
  STEP(1) {
#pragma clang loop unroll(disable)
    for (int *at : arrays) {
      __atsan_read_strided(at, sizeof(int), sizeof(int), 3);
      __atsan_write_strided(at + 3, sizeof(int), sizeof(int), 8);
      // 1 and 2 have been read only.
      __atsan_write_strided(at + 4, sizeof(int), -sizeof(int), 4);
      __atsan_write_range(at + 20, 2 * sizeof(int));
      __atsan_write_range(at + 20, 3 * sizeof(int));
    }
  }
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: First: write of {{4|8|12}} bytes
  STEP(3) other = 1;
}

// What comes behind accesses that need no edge.
static void victim_of_gaps() {
  atsan::atomic_region region("victim of gaps");
  STEP(1) other = 1;
  // GAPS: ERROR: AtomicitySanitizer: atomicity violation
  // GAPS: Later: read of 4 bytes
  STEP(3) {
#pragma clang loop unroll(disable)
    for (int *at : arrays)
      __atsan_read_strided(at, sizeof(int), 3 * sizeof(int), 4);
  }
}

static char last_byte(const int *of) {
  return reinterpret_cast<const char *>(of)[sizeof(int) - 1];
}

int main(int argc, char **argv) {
  place = atoi(argv[argc - 1]);
  if (called_with(argc, argv, "gaps"))
    in_parallel(victim_of_gaps, [] {
      STEP(2) data[place] = other;
    });
  else
    in_parallel(victim, [] {
      STEP(2) other = last_byte(data + place) + 1;
    });
}
