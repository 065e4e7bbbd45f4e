//===-- lazy_init.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is made when it is first needed is made twice.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Lazy {
public:
  int get() {
    Region R("get");
#ifdef FIXED
    std::call_once(Once, [this] { make(); });
#else
    if (!Made.load())
      make();
#endif
    return Made.load()->Value;
  }
  int count() const { return Count; }
  ~Lazy() { delete Made.load(); }

private:
  struct Object {
    int Value = 1;
  };
  void make() {
    Count++;
    delete Made.exchange(new Object);
  }

  std::once_flag Once;
  std::atomic<Object *> Made{nullptr};
  std::atomic<int> Count{0};
};

} // namespace

void test() {
  Lazy L;
  inParallel([&] { L.get(); }, [&] { L.get(); });
  assert(L.count() == 1);
}
