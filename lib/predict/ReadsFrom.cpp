//===- ReadsFrom.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/ReadsFrom.h"
#include <algorithm>

using namespace atsan;
using namespace atsan::predict;
using atsan::trace::Event;

/// The last write of each byte.
class ReadsFrom::Memory {
public:
  /// Executes an event; returns a number that stands for the writes that it
  /// reads: equal for the same writes, and nearly always other for others.
  uint64_t execute(const Event &E, uint64_t Number) {
    uint64_t Read = 0;
    if (!trace::isAccess(E.Kind))
      return Read;
    const uint64_t Size = std::min(E.Size, MostBytes);
    for (uint64_t I = 0; I != Size; ++I) {
      uint64_t &Last = LastWrite[E.Address + I];
      if (trace::reads(E.Kind))
        Read = (Read ^ Last) * 0x9e3779b97f4a7c15u + I;
      if (trace::writes(E.Kind))
        Last = Number;
    }
    return Read;
  }

private:
  /// What is read of larger accesses is taken to be what these bytes show.
  static constexpr uint64_t MostBytes = 64;
  std::unordered_map<uint64_t, uint64_t> LastWrite;
};

ReadsFrom::ReadsFrom(const StepLog &Log) : Log(Log) {
  Memory M;
  uint64_t Number = 0;
  for (const Event &E : Log.events()) {
    OfThread[E.Thread].push_back(++Number);
    Seen.push_back(M.execute(E, Number));
  }
}

uint64_t ReadsFrom::changed(const std::vector<check::Stretch> &Schedule) const {
  Memory M;
  std::map<uint32_t, size_t> Done;
  uint64_t Changed = 0;
  for (const check::Stretch &S : Schedule) {
    const auto It = OfThread.find(S.Thread);
    if (It == OfThread.end())
      continue;
    const std::vector<uint64_t> &Own = It->second;
    size_t &Next = Done[S.Thread];
    for (; Next != Own.size() && Own[Next] <= S.Last; ++Next) {
      const uint64_t Number = Own[Next];
      Changed +=
          M.execute(Log.events()[Number - 1], Number) != Seen[Number - 1];
    }
  }
  return Changed;
}
