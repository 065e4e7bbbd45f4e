//===-- philosophers.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dining philosophers, who all take the fork on their left first.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

#ifndef THREADS
#define THREADS 3
#endif

void test() {
  std::mutex Forks[THREADS];
  eachInParallel(THREADS, [&](int Number) {
    int First = Number, Second = (Number + 1) % THREADS;
#ifdef FIXED
    if (First > Second)
      std::swap(First, Second);
#endif
    std::lock_guard<std::mutex> Left(Forks[First]);
    std::lock_guard<std::mutex> Right(Forks[Second]);
  });
}
