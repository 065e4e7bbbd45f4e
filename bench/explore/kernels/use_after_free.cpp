//===-- use_after_free.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A session is looked up under the lock and used after that; it can be gone by
// then.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Sessions {
public:
  void use() {
    Region R("use");
    std::unique_lock<std::mutex> Guard(Lock);
    Session *Found = Current;
#ifndef FIXED
    Guard.unlock();
#endif
    if (Found)
      ++Found->Uses;
  }
  void remove() {
    std::lock_guard<std::mutex> Guard(Lock);
    delete std::exchange(Current, nullptr);
  }

private:
  struct Session {
    int Uses = 0;
  };
  std::mutex Lock;
  Session *Current = new Session;
};

} // namespace

void test() {
  Sessions S;
  inParallel([&] { S.use(); }, [&] { S.remove(); });
}
