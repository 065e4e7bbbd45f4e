// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %python %S/Inputs/golden.py %s.expected %t
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: variables on the stack of a thread that waits, and of the thread that
// reports.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

long *published;

static void *count(void *arg) {
  long *total = static_cast<long *>(arg);
  long own[2] = {0, 0};
  published = own;
  step_begin(2);
  // The frames of a thread are known while it waits in an intercepted function.
  await_main_asleep();
  step_end(2);
  __atsan_region_begin("count");
  STEP(ORDER(3, 4)) *total = *total + 1;
  STEP(5) *total += own[1];
  __atsan_region_end();
  return nullptr;
}

static void *reset(void *arg) {
  long *total = static_cast<long *>(arg);
  STEP(ORDER(4, 3)) {
    long seen = *total;
#ifndef TWIN
    published[1] = seen;
#endif
  }
  return nullptr;
}

int main() {
  long total = 0;
  pthread_t a, b;
  pthread_create(&a, nullptr, count, &total);
  pthread_create(&b, nullptr, reset, &total);
  STEP(1);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
