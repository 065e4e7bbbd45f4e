//===-- bounded_buffer.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two consumers wait with "if" in place of "while": the one that was woken
// finds that another one was quicker.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Buffer {
public:
  void put() {
    std::lock_guard<std::mutex> Guard(Lock);
    ++Count;
    NotEmpty.notify_one();
  }
  void take() {
    std::unique_lock<std::mutex> Guard(Lock);
#ifdef FIXED
    while (Count == 0)
#else
    if (Count == 0)
#endif
      NotEmpty.wait(Guard);
    assert(Count > 0);
    --Count;
  }

private:
  std::mutex Lock;
  std::condition_variable NotEmpty;
  int Count = 0;
};

} // namespace

void test() {
  Buffer B;
  inParallel([&] { B.take(); }, [&] { B.take(); },
             [&] {
               B.put();
               B.put();
             });
}
