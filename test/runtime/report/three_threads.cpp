// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %python %S/Inputs/golden.py %s.expected %t
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: a cycle through completed regions of two more threads, in a call
// chain.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

struct Account {
  int id;
  long cents;
};

Account accounts[3];

__attribute__((noinline)) static void put(Account *account, long cents) {
  account->cents = cents;
}

__attribute__((noinline)) static long get(const Account *account) {
  return account->cents;
}

static void *audit(void *) {
  __atsan_region_begin("audit");
  STEP(ORDER(1, 3)) put(&accounts[0], 1);
  STEP(4) get(&accounts[2]);
  __atsan_region_end();
  return nullptr;
}

static void *transfer(void *) {
  STEP(ORDER(2, 1)) {
    __atsan_region_begin("transfer");
    put(&accounts[1], get(&accounts[0]));
    __atsan_region_end();
  }
  return nullptr;
}

static void *report(void *) {
  STEP(ORDER(3, 2)) {
    __atsan_region_begin("report");
    put(&accounts[2], get(&accounts[1]));
    __atsan_region_end();
  }
  return nullptr;
}

int main() {
  pthread_t a, b, c;
  pthread_create(&a, nullptr, audit, nullptr);
  pthread_create(&b, nullptr, transfer, nullptr);
  pthread_create(&c, nullptr, report, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  pthread_join(c, nullptr);
}
