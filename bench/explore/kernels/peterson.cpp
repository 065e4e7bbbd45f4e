//===-- peterson.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Peterson's algorithm with its first two steps exchanged: both threads get in.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Exclusion {
public:
  void enter(int Me) {
#ifdef FIXED
    Wants[Me].store(true);
    Turn.store(1 - Me);
#else
    Turn.store(1 - Me);
    Wants[Me].store(true);
#endif
    while (Wants[1 - Me].load() && Turn.load() != Me)
      std::this_thread::yield();
  }
  void leave(int Me) { Wants[Me].store(false); }

private:
  std::atomic<bool> Wants[2] = {};
  std::atomic<int> Turn{0};
};

} // namespace

void test() {
  Exclusion E;
  std::atomic<int> Inside{0};
  eachInParallel(2, [&](int Number) {
    E.enter(Number);
    assert(Inside.fetch_add(1) == 0);
    Inside--;
    E.leave(Number);
  });
}
