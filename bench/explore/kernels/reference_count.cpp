//===-- reference_count.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that releases an object looks whether it is the last one, and counts
// down after that.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

struct Object {
  std::atomic<int> Owners{2}, Deaths{0};

  void release() {
    Region R("release");
#ifdef FIXED
    if (Owners.fetch_sub(1) == 1)
      Deaths++;
#else
    if (Owners.load() == 1)
      Deaths++;
    else
      Owners.fetch_sub(1);
#endif
  }
};

} // namespace

void test() {
  Object O;
  inParallel([&] { O.release(); }, [&] { O.release(); });
  assert(O.Deaths == 1);
}
