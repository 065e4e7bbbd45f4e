//===- sell.cpp - Two customers -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: sell [apart]
//
// The second customer buys while the first one pays, or, apart, afterwards.
//
//===----------------------------------------------------------------------===//
#include "office.h"

#include <sanitizer/atsan.hpp>
#include <sched.h>
#include <thread>

static int Stage;

// Not instrumented: the checker must see no order in it.
ATSAN_NO_SANITIZE __attribute__((noinline)) static void setStage(int N) {
  __atomic_store_n(&Stage, N, __ATOMIC_RELEASE);
}
ATSAN_NO_SANITIZE __attribute__((noinline)) static void awaitStage(int N) {
  while (__atomic_load_n(&Stage, __ATOMIC_ACQUIRE) < N)
    sched_yield();
}

int main(int Argc, char **) {
  const bool Apart = Argc > 1;
  bool Second = false;
  std::thread Customer([&] {
    awaitStage(1);
    Second = sellTicket([] {});
    setStage(2);
  });
  const bool First = Apart ? sellTicket([] {}) : sellTicket([] {
    setStage(1);
    awaitStage(2);
  });
  setStage(1);
  Customer.join();
  // Apart, there is no ticket left for the second one.
  return First && Second != Apart ? 0 : 1;
}
