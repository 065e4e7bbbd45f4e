//===-- two_stage.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two-stage kernel of "Concurrent Bug Patterns and How to Test Them" (IPDPS
// 2003): two variables that belong together have a lock each, and are updated
// one after the other. All threads but one update; one looks at both.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

#ifndef THREADS
#define THREADS 2
#endif

namespace {

struct Stages {
  std::mutex FirstLock, SecondLock;
  int First = 0, Second = 0;

  void update() {
    Region R("update");
    {
      std::lock_guard<std::mutex> Guard(FirstLock);
#ifdef FIXED
      std::lock_guard<std::mutex> Inner(SecondLock);
#endif
      First = 1;
#ifdef FIXED
      Second = First + 1;
#endif
    }
#ifndef FIXED
    std::lock_guard<std::mutex> Guard(SecondLock);
    Second = First + 1;
#endif
  }

  void look() {
    Region R("look");
    std::unique_lock<std::mutex> Guard(FirstLock);
    const int SeenFirst = First;
    if (!SeenFirst)
      return;
#ifndef FIXED
    Guard.unlock();
#endif
    std::lock_guard<std::mutex> Inner(SecondLock);
    assert(Second == SeenFirst + 1);
  }
};

} // namespace

void test() {
  Stages S;
  eachInParallel(THREADS, [&](int Number) {
    if (Number == THREADS - 1)
      S.look();
    else
      S.update();
  });
}
