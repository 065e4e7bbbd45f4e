//===-- semaphore.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A semaphore is increased before what it announces is there.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

struct Mailbox {
  std::counting_semaphore<4> Letters{0};
  std::atomic<int> Letter{0};

  void send() {
#ifdef FIXED
    Letter.store(1);
    Letters.release();
#else
    Letters.release();
    Letter.store(1);
#endif
  }
  void receive() {
    Letters.acquire();
    assert(Letter.load() == 1);
  }
};

} // namespace

void test() {
  Mailbox M;
  inParallel([&] { M.send(); }, [&] { M.receive(); });
}
