// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %python %S/Inputs/golden.py %s.expected %t
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: the shortest cycle, through one access outside any region; a global.
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
  STEP(ORDER(1, 2)) seen = balance;
  STEP(3) balance = seen + 100;
  __atsan_region_end();
  return nullptr;
}

static void *withdraw(void *) {
  STEP(ORDER(2, 1)) balance = -30;
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, deposit, nullptr);
  pthread_create(&b, nullptr, withdraw, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
