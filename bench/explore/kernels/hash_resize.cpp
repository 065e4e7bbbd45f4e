//===-- hash_resize.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The place of a key in a hash table is computed, and the table grows before it
// is used.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Table {
public:
  void add(unsigned Key) {
    Region R("add");
#ifdef FIXED
    std::lock_guard<std::recursive_mutex> Guard(Lock);
#endif
    const unsigned Place = Key % size();
    put(Place, Key);
  }
  void grow() {
    Region R("grow");
    std::lock_guard<std::recursive_mutex> Guard(Lock);
    std::vector<unsigned> Bigger(Slots.size() * 2);
    for (unsigned Key : Slots)
      if (Key)
        Bigger[Key % Bigger.size()] = Key;
    Slots = std::move(Bigger);
  }
  bool has(unsigned Key) const { return Slots[Key % Slots.size()] == Key; }

private:
  unsigned size() {
    std::lock_guard<std::recursive_mutex> Guard(Lock);
    return static_cast<unsigned>(Slots.size());
  }
  void put(unsigned Place, unsigned Key) {
    std::lock_guard<std::recursive_mutex> Guard(Lock);
    Slots[Place] = Key;
  }

  std::recursive_mutex Lock;
  std::vector<unsigned> Slots = std::vector<unsigned>(2);
};

} // namespace

void test() {
  Table T;
  inParallel([&] { T.add(3); }, [&] { T.grow(); });
  assert(T.has(3));
}
