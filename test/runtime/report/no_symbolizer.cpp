// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: env ATSAN_SYMBOLIZER_PATH=/nonexistent/llvm-symbolizer %python %S/Inputs/golden.py %s.expected %t
// Intent: without a symbolizer one warning says so, and stacks have addresses.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

long balance;

static void *deposit(void *) {
  __atsan_region_begin("deposit");
  long seen;
  STEP(1) seen = balance;
  STEP(3) balance = seen + 100;
  __atsan_region_end();
  return nullptr;
}

static void *withdraw(void *) {
  STEP(2) balance = -30;
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, deposit, nullptr);
  pthread_create(&b, nullptr, withdraw, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
