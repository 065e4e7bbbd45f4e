//===-- sequence_lock.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reader of a sequence lock does not look whether the writer has been there
// while it was reading.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Pair {
public:
  void write(int Value) {
    Sequence++;
    A.store(Value);
    B.store(Value);
    Sequence++;
  }
  void read() {
    int SeenA, SeenB;
    unsigned Before;
    do {
      while ((Before = Sequence.load()) % 2)
        std::this_thread::yield();
      SeenA = A.load();
      SeenB = B.load();
    } while (isStale(Before));
    assert(SeenA == SeenB);
  }

private:
  bool isStale(unsigned Before) {
#ifdef FIXED
    return Sequence.load() != Before;
#else
    (void)Before;
    return false;
#endif
  }

  std::atomic<unsigned> Sequence{0};
  std::atomic<int> A{0}, B{0};
};

} // namespace

void test() {
  Pair P;
  inParallel([&] { P.write(1); }, [&] { P.read(); });
}
