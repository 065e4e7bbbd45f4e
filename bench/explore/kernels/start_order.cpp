//===-- start_order.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread uses what its parent sets up after it has started it.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

struct Settings {
  int Size = 8;
};

} // namespace

void test() {
  Settings S;
  std::atomic<const Settings *> Given{nullptr};
#ifdef FIXED
  Given.store(&S);
#endif
  std::thread Worker([&] {
    const Settings *Seen = Given.load();
    assert(Seen && Seen->Size == 8);
  });
#ifndef FIXED
  Given.store(&S);
#endif
  Worker.join();
}
