//===- Sweep.h --------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes through operations that are in the order of their calls, event by event
// in the order of time. Where stamps are equal, calls come first.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_SWEEP_H
#define ATSAN_REGISTERS_SWEEP_H

#include "lib/registers/Operation.h"
#include <algorithm>
#include <functional>
#include <vector>

namespace atsan::registers {

/// Returned by a visitor's call() to end the sweep.
constexpr uint32_t StopSweep = ~uint32_t(0);

/// Tells \p V of each event. V.call(I), I being the index of the operation,
/// returns a number of the visitor's choice, which V.ret(I, Number) is given.
/// Ends when call() returns StopSweep or ret() false, and returns false then.
/// O(n log k) for k operations that are open at once.
template <class Visitor>
bool sweep(const std::vector<Operation> &Operations, Visitor &V) {
  struct Open {
    Stamp Return;
    uint32_t Index, Number;
    bool operator>(const Open &B) const {
      return Return != B.Return ? Return > B.Return : Index > B.Index;
    }
  };
  std::vector<Open> Returns; // A heap, the next return in front.
  const auto PopReturn = [&] {
    std::pop_heap(Returns.begin(), Returns.end(), std::greater<>());
    const Open Next = Returns.back();
    Returns.pop_back();
    return V.ret(Next.Index, Next.Number);
  };
  for (uint32_t I = 0; I != Operations.size(); ++I) {
    const Operation &O = Operations[I];
    while (!Returns.empty() && Returns.front().Return < O.Call)
      if (!PopReturn())
        return false;
    const uint32_t Number = V.call(I);
    if (Number == StopSweep)
      return false;
    if (O.isUnknown())
      continue;
    Returns.push_back({O.Return, I, Number});
    std::push_heap(Returns.begin(), Returns.end(), std::greater<>());
  }
  while (!Returns.empty())
    if (!PopReturn())
      return false;
  return true;
}

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_SWEEP_H
