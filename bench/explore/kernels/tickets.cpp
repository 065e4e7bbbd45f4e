//===-- tickets.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last ticket is sold twice: who sells looks whether there is one, and
// takes it after that.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Office {
public:
  void sell() {
    Region R("sell");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
    if (Left > 0)
      --Left;
#else
    if (isAnyLeft())
      take();
#endif
  }
  int left() const { return Left; }

private:
  bool isAnyLeft() {
    std::lock_guard<std::mutex> Guard(Lock);
    return Left > 0;
  }
  void take() {
    std::lock_guard<std::mutex> Guard(Lock);
    --Left;
  }

  std::mutex Lock;
  int Left = 2;
};

} // namespace

void test() {
  Office O;
  eachInParallel(3, [&](int) { O.sell(); });
  assert(O.left() >= 0);
}
