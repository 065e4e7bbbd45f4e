//===-- lost_update.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A counter of which each access is atomic, and an increment is not.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

struct Counter {
  std::atomic<int> Value{0};

  void increment() {
    Region R("increment");
#ifdef FIXED
    Value.fetch_add(1);
#else
    Value.store(Value.load() + 1);
#endif
  }
};

} // namespace

void test() {
  Counter C;
  eachInParallel(3, [&](int) { C.increment(); });
  assert(C.Value == 3);
}
