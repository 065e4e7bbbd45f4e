//===-- token_ring.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A token goes round a ring of places with a lock each; on its way, nobody has
// it.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

constexpr int kPlaces = 3;

struct Ring {
  std::mutex Locks[kPlaces];
  bool HasToken[kPlaces] = {true};

  void pass(int Place) {
    Region R("pass");
    const int Next = (Place + 1) % kPlaces;
#ifdef FIXED
    std::lock_guard<std::mutex> Low(Locks[std::min(Place, Next)]);
    std::lock_guard<std::mutex> High(Locks[std::max(Place, Next)]);
    if (!HasToken[Place])
      return;
    HasToken[Place] = false;
    HasToken[Next] = true;
#else
    {
      std::lock_guard<std::mutex> Guard(Locks[Place]);
      if (!HasToken[Place])
        return;
      HasToken[Place] = false;
    }
    std::lock_guard<std::mutex> Guard(Locks[Next]);
    HasToken[Next] = true;
#endif
  }

  int count() {
    Region R("count");
    for (std::mutex &Lock : Locks)
      Lock.lock();
    int Count = 0;
    for (bool Has : HasToken)
      Count += Has;
    for (std::mutex &Lock : Locks)
      Lock.unlock();
    return Count;
  }
};

} // namespace

void test() {
  Ring R;
  inParallel([&] { R.pass(0); }, [&] { R.pass(1); },
             [&] { assert(R.count() == 1); });
}
