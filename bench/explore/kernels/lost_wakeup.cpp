//===-- lost_wakeup.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread looks whether it has to wait, and begins to wait after that: in
// between, it is woken in vain.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

struct Event {
  std::mutex Lock;
  std::condition_variable Changed;
  std::atomic<bool> HasHappened{false};

  void wait() {
#ifdef FIXED
    std::unique_lock<std::mutex> Guard(Lock);
    Changed.wait(Guard, [this] { return HasHappened.load(); });
#else
    if (HasHappened.load())
      return;
    std::unique_lock<std::mutex> Guard(Lock);
    Changed.wait(Guard);
#endif
  }
  void happen() {
    std::lock_guard<std::mutex> Guard(Lock);
    HasHappened.store(true);
    Changed.notify_all();
  }
};

} // namespace

void test() {
  Event E;
  inParallel([&] { E.wait(); }, [&] { E.happen(); });
}
