//===-- reader_writer.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table is searched under the reader's lock; what is missing is added under
// the writer's lock, without another look.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Table {
public:
  void add(int Key) {
    Region R("add");
#ifdef FIXED
    std::unique_lock<std::shared_mutex> Guard(Lock);
    if (has(Key))
      return;
#else
    {
      std::shared_lock<std::shared_mutex> Guard(Lock);
      if (has(Key))
        return;
    }
    std::unique_lock<std::shared_mutex> Guard(Lock);
#endif
    Keys[Count++] = Key;
  }
  int count() const { return Count; }

private:
  bool has(int Key) const {
    for (int I = 0; I != Count; ++I)
      if (Keys[I] == Key)
        return true;
    return false;
  }

  std::shared_mutex Lock;
  int Keys[4] = {};
  int Count = 0;
};

} // namespace

void test() {
  Table T;
  inParallel([&] { T.add(7); }, [&] { T.add(7); });
  assert(T.count() == 1);
}
