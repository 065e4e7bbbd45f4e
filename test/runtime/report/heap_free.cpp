// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %python %S/Inputs/golden.py %s.expected %t
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: a block that is freed in the middle of a region that has read it.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

#include <stdlib.h>

int *shared_block;
int stop;

static void *use(void *) {
  __atsan_region_begin("use");
  int sum;
  STEP(1) sum = *shared_block;
  STEP(ORDER(3, 2)) sum += stop;
  __atsan_region_end();
  return sum ? nullptr : nullptr;
}

static void *discard(void *) {
  STEP(ORDER(2, 3)) {
    free(shared_block);
    stop = 1;
  }
  return nullptr;
}

int main() {
  shared_block = static_cast<int *>(calloc(4, sizeof(int)));
  pthread_t a, b;
  pthread_create(&a, nullptr, use, nullptr);
  pthread_create(&b, nullptr, discard, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
