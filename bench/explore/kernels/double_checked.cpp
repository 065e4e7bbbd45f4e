//===-- double_checked.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Double-checked locking that says "it is there" before it is.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Lazy {
public:
  int get() {
    if (!IsThere.load()) {
      std::lock_guard<std::mutex> Guard(Lock);
      if (!IsThere.load()) {
#ifdef FIXED
        Value.store(42);
        IsThere.store(true);
#else
        IsThere.store(true);
        Value.store(42);
#endif
      }
    }
    return Value.load();
  }

private:
  std::mutex Lock;
  std::atomic<bool> IsThere{false};
  std::atomic<int> Value{0};
};

} // namespace

void test() {
  Lazy L;
  inParallel([&] { assert(L.get() == 42); }, [&] { assert(L.get() == 42); });
}
