//===-- bluetooth.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Bluetooth driver of "KISS: Keep It Simple and Sequential" (PLDI 2004): a
// request looks whether the driver is being stopped, and registers itself after
// that.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Driver {
public:
  void request() {
    if (!enter())
      return;
    assert(!IsStopped);
    leave();
  }
  void stop() {
    {
      std::lock_guard<std::mutex> Guard(Lock);
      IsStopping = true;
    }
    leave();
    std::unique_lock<std::mutex> Guard(Lock);
    NobodyInside.wait(Guard, [this] { return Inside == 0; });
    IsStopped = true;
  }

private:
  bool isStopping() {
    std::lock_guard<std::mutex> Guard(Lock);
    return IsStopping;
  }
  bool enter() {
    Region R("enter");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
    if (IsStopping)
      return false;
#else
    if (isStopping())
      return false;
    std::lock_guard<std::mutex> Guard(Lock);
#endif
    ++Inside;
    return true;
  }
  void leave() {
    std::lock_guard<std::mutex> Guard(Lock);
    if (--Inside == 0)
      NobodyInside.notify_all();
  }

  std::mutex Lock;
  std::condition_variable NobodyInside;
  int Inside = 1; // The driver itself is one.
  bool IsStopping = false;
  std::atomic<bool> IsStopped{false};
};

} // namespace

void test() {
  Driver D;
  inParallel([&] { D.request(); }, [&] { D.request(); }, [&] { D.stop(); });
}
