//===-- iterator.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector with a lock in each operation: while one thread goes through it,
// another one removes an element.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Vector {
public:
  int sum() {
    Region R("sum");
#ifdef FIXED
    std::lock_guard<std::recursive_mutex> Guard(Lock);
#endif
    int Sum = 0;
    for (int I = 0; I < size(); ++I)
      Sum += at(I);
    return Sum;
  }
  void removeLast() {
    std::lock_guard<std::recursive_mutex> Guard(Lock);
    Values.pop_back();
  }

private:
  int size() {
    std::lock_guard<std::recursive_mutex> Guard(Lock);
    return static_cast<int>(Values.size());
  }
  int at(int I) {
    std::lock_guard<std::recursive_mutex> Guard(Lock);
    return Values.at(I);
  }

  std::recursive_mutex Lock;
  std::vector<int> Values = {1, 2, 3};
};

} // namespace

void test() {
  Vector V;
  inParallel([&] { V.sum(); }, [&] { V.removeLast(); });
}
