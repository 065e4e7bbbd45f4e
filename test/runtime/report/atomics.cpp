// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %python %S/Inputs/golden.py %s.expected %t
// RUN: env ATSAN_OPTIONS=trace=%t.trace %exits 66 %t
// RUN: not %atsan check %t.trace | FileCheck %s
// CHECK: in region 'tickets::sell(int)'
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: check-then-act on an atomic; ATSAN_ATOMIC functions are named as in
// the source, also by `atsan check`.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

#include <atomic>

namespace tickets {
int left = 1;

ATSAN_ATOMIC void sell(int buyer) {
  bool some;
  STEP(ORDER(1, 2)) some = __atomic_load_n(&left, __ATOMIC_SEQ_CST) > 0;
  STEP(3) {
    if (some)
      __atomic_store_n(&left, -buyer, __ATOMIC_SEQ_CST);
  }
}
} // namespace tickets

static void *seller(void *) {
  tickets::sell(1);
  return nullptr;
}

static void *refund(void *) {
  STEP(ORDER(2, 1)) __atomic_fetch_add(&tickets::left, 1, __ATOMIC_SEQ_CST);
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, seller, nullptr);
  pthread_create(&b, nullptr, refund, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
