//===-- wrong_lock.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads add to a number under a lock, but one of them takes another lock.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

#ifndef THREADS
#define THREADS 2
#endif

namespace {

struct Sum {
  std::mutex Right, Wrong;
  int Value = 0;

  void add(std::mutex &Lock) {
    Region R("add");
    std::lock_guard<std::mutex> Guard(Lock);
    const int Seen = Value;
    Value = Seen + 1;
  }
};

} // namespace

void test() {
  Sum S;
  eachInParallel(THREADS, [&](int Number) {
#ifdef FIXED
    (void)Number;
    S.add(S.Right);
#else
    S.add(Number == 0 ? S.Wrong : S.Right);
#endif
  });
  assert(S.Value == THREADS);
}
