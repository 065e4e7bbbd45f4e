// RUN: %clang -shared -fPIC -DLIBRARY %s -pthread -o %t.so
// RUN: %clang_atsan -I %inputs %s %t.so -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clang_atsan -I %inputs -DTWIN %s %t.so -o %t.twin
// RUN: %silent %t.twin
// Intent: threads that a library starts which was not compiled with the
// sanitizer run our code as others do: their accesses, regions and reports.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifdef LIBRARY

#include <pthread.h>

static pthread_t threads[2];

static void *call(void *function) {
  ((void (*)(void))function)();
  return 0;
}

void run_both(void (*first)(void), void (*second)(void)) {
  pthread_create(&threads[0], 0, call, (void *)first);
  pthread_create(&threads[1], 0, call, (void *)second);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}

#else

#include "atsan_test.h"

void run_both(void (*first)(void), void (*second)(void));

#ifdef TWIN
enum { kFirst = 1, kLast = 2, kBetween = 3 };
#else
enum { kFirst = 1, kBetween = 2, kLast = 3 };
#endif

static int balance;

static void deposit(void) {
  int seen;
  __atsan_region_begin("deposit");
  STEP(kFirst) seen = balance;
  STEP(kLast) balance = seen + 1;
  __atsan_region_end();
}

static void reset(void) {
  STEP(kBetween) balance = 0;
}

int main(void) { run_both(deposit, reset); }

#endif
// CHECK: Region 'deposit' of T1 is not atomic: T2 came in between
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}uninstrumented_library.c:[[#]]:{{.*}} in deposit
