//===-- circular_buffer.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot of a circular buffer is reserved under the lock, and filled after
// that.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Buffer {
public:
  void put(int Value) {
    Region R("put");
    std::unique_lock<std::mutex> Guard(Lock);
    const int Slot = Next++ % kSize;
#ifndef FIXED
    Guard.unlock();
#endif
    Slots[Slot] = Value;
  }
  /// Returns 0 if there is nothing.
  int take() {
    std::lock_guard<std::mutex> Guard(Lock);
    if (First == Next)
      return 0;
    const int Value = Slots[First++ % kSize];
    assert(Value != 0);
    return Value;
  }

private:
  static constexpr int kSize = 4;
  std::mutex Lock;
  int Slots[kSize] = {};
  int First = 0, Next = 0;
};

} // namespace

void test() {
  Buffer B;
  inParallel(
      [&] {
        B.put(1);
        B.put(2);
      },
      [&] {
        B.take();
        B.take();
      });
}
