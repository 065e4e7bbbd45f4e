//===- bank_test.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the CI templates are tried with. With a file named "mended" beside it,
// withdraw waits for the whole deposit.
//
//===----------------------------------------------------------------------===//
#include "atsan_test.h"

#include <pthread.h>

#if __has_include("mended")
#define ORDER(violating, serial) serial
#else
#define ORDER(violating, serial) violating
#endif

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
