//===-- queue.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linked queue and its length have a lock each: the length says that there is
// an element, and another consumer has it already.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Queue {
public:
  void add(int Value) {
    Region R("add");
    std::unique_lock<std::mutex> Guard(Lock);
    Values[Last++] = Value;
#ifndef FIXED
    Guard.unlock();
    std::lock_guard<std::mutex> Other(LengthLock);
#endif
    ++Length;
  }
  void takeIfAny() {
    Region R("take if any");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
    if (Length == 0)
      return;
#else
    {
      std::lock_guard<std::mutex> Guard(LengthLock);
      if (Length == 0)
        return;
    }
    std::lock_guard<std::mutex> Guard(Lock);
    std::lock_guard<std::mutex> Other(LengthLock);
#endif
    assert(First < Last);
    ++First;
    --Length;
  }

private:
  std::mutex Lock, LengthLock;
  int Values[4] = {};
  int First = 0, Last = 0, Length = 0;
};

} // namespace

void test() {
  Queue Q;
  inParallel([&] { Q.add(1); }, [&] { Q.takeIfAny(); }, [&] { Q.takeIfAny(); });
}
