//===-- cache_lookup.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache is looked up, and what is missing is inserted in another critical
// section.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Cache {
public:
  int get(int Key) {
    Region R("get");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
    auto Found = Values.find(Key);
    if (Found == Values.end())
      Found = Values.emplace(Key, compute(Key)).first;
    return Found->second;
#else
    {
      std::lock_guard<std::mutex> Guard(Lock);
      auto Found = Values.find(Key);
      if (Found != Values.end())
        return Found->second;
    }
    const int Value = compute(Key);
    std::lock_guard<std::mutex> Guard(Lock);
    const bool IsNew = Values.emplace(Key, Value).second;
    assert(IsNew);
    return Value;
#endif
  }

private:
  static int compute(int Key) { return Key * Key; }

  std::mutex Lock;
  std::map<int, int> Values;
};

} // namespace

void test() {
  Cache C;
  inParallel([&] { C.get(3); }, [&] { C.get(3); });
}
