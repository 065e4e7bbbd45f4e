//===-- barrier_reuse.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier of one's own, used twice: a thread that is late in leaving the
// first round finds that the second one has begun.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Barrier {
public:
  void wait() {
    std::unique_lock<std::mutex> Guard(Lock);
    if (++Count == kThreads) {
      Count = 0;
      ++Round;
      Open.notify_all();
      return;
    }
#ifdef FIXED
    const int Mine = Round;
    Open.wait(Guard, [&] { return Round != Mine; });
#else
    Open.wait(Guard, [&] { return Count == 0; });
#endif
  }

private:
  static constexpr int kThreads = 2;
  std::mutex Lock;
  std::condition_variable Open;
  int Count = 0, Round = 0;
};

} // namespace

void test() {
  Barrier B;
  eachInParallel(2, [&](int) {
    B.wait();
    B.wait();
  });
}
