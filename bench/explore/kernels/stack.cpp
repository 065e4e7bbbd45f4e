//===-- stack.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever pops from a stack looks whether it is empty in a critical section of
// its own.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Stack {
public:
  void push(int Value) {
    std::lock_guard<std::mutex> Guard(Lock);
    Values[Size++] = Value;
  }
  void popIfAny() {
    Region R("pop if any");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
    if (Size)
      --Size;
#else
    if (!isEmpty())
      pop();
#endif
  }

private:
  bool isEmpty() {
    std::lock_guard<std::mutex> Guard(Lock);
    return Size == 0;
  }
  int pop() {
    std::lock_guard<std::mutex> Guard(Lock);
    assert(Size > 0);
    return Values[--Size];
  }

  std::mutex Lock;
  int Values[4] = {};
  int Size = 0;
};

} // namespace

void test() {
  Stack S;
  S.push(1);
  inParallel([&] { S.popIfAny(); }, [&] { S.popIfAny(); });
}
