//===-- ring_buffer.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ring for one writer and one reader: the writer says that there is a value
// before it has written it.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Ring {
public:
  void put(int Value) {
    const unsigned At = Written.load();
#ifdef FIXED
    Slots[At % kSize].store(Value);
    Written.store(At + 1);
#else
    Written.store(At + 1);
    Slots[At % kSize].store(Value);
#endif
  }
  void takeIfAny() {
    const unsigned At = Read.load();
    if (Written.load() == At)
      return;
    assert(Slots[At % kSize].load() != 0);
    Read.store(At + 1);
  }

private:
  static constexpr unsigned kSize = 4;
  std::atomic<int> Slots[kSize] = {};
  std::atomic<unsigned> Written{0}, Read{0};
};

} // namespace

void test() {
  Ring R;
  inParallel(
      [&] {
        R.put(1);
        R.put(2);
      },
      [&] {
        R.takeIfAny();
        R.takeIfAny();
      });
}
