// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: env ATSAN_OPTIONS=halt_on_error=0:max_reports=1 %exits 66 %t 2>&1 | FileCheck %s --check-prefix=ONE
// Intent: with halt_on_error=0, each pair of region and closing access is
// reported once, and max_reports stops the printing.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

int x;

static void *reader(void *) {
  for (int i = 0; i < 3; i++) {
    __atsan_region_begin("reader");
    int sum;
    STEP(1 + 3 * i) sum = x;
    STEP(3 + 3 * i) {
      sum += x; // The same place each time.
    }
    __atsan_region_end();
  }
  __atsan_region_begin("writer");
  STEP(10) x++;
  STEP(12) x = 0;
  __atsan_region_end();
  return nullptr;
}

static void *writer(void *) {
  for (int i = 0; i < 3; i++)
    STEP(2 + 3 * i) x = i;
  STEP(11) x = 0;
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, reader, nullptr);
  pthread_create(&b, nullptr, writer, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  fprintf(stderr, "went on\n");
}

// TWO-COUNT-2: SUMMARY: AtomicitySanitizer: atomicity-violation
// TWO-NOT: SUMMARY
// TWO: went on
// ONE-COUNT-1: SUMMARY: AtomicitySanitizer: atomicity-violation
// ONE: AtomicitySanitizer: max_reports=1 reached, further errors are not shown
// ONE-NOT: SUMMARY
// ONE: went on
