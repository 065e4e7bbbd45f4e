//===-- shutdown.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A job is handed to a pool that has been shut down since somebody looked:
// nobody will do it.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Pool {
public:
  void submit() {
    Region R("submit");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
    if (!IsDown)
      ++Jobs;
#else
    if (!isDown())
      add();
#endif
  }
  void shutDown() {
    std::lock_guard<std::mutex> Guard(Lock);
    IsDown = true;
    Jobs = 0; // All that are left are done.
  }
  int jobs() const { return Jobs; }

private:
  bool isDown() {
    std::lock_guard<std::mutex> Guard(Lock);
    return IsDown;
  }
  void add() {
    std::lock_guard<std::mutex> Guard(Lock);
    ++Jobs;
  }

  std::mutex Lock;
  bool IsDown = false;
  int Jobs = 0;
};

} // namespace

void test() {
  Pool P;
  inParallel([&] { P.submit(); }, [&] { P.submit(); }, [&] { P.shutDown(); });
  assert(P.jobs() == 0);
}
