//===-- reorder.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads but one set two variables, one after the other; one looks whether
// they fit each other.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

#ifndef THREADS
#define THREADS 2
#endif

namespace {

struct Pair {
  std::mutex Lock;
  std::atomic<int> A{0}, B{0};

  void set() {
    Region R("set");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
#endif
    A.store(1);
    B.store(-1);
  }
  void check() {
    Region R("check");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
#endif
    const int SeenA = A.load(), SeenB = B.load();
    assert(SeenA + SeenB == 0);
  }
};

} // namespace

void test() {
  Pair P;
  eachInParallel(THREADS, [&](int Number) {
    if (Number == THREADS - 1)
      P.check();
    else
      P.set();
  });
}
