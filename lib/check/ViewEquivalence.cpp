//===- ViewEquivalence.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ViewEquivalence.h"
#include <algorithm>
#include <map>
#include <numeric>

using namespace atsan::check;
namespace trace = atsan::trace;

namespace {

constexpr size_t MaxTransactions = 7;

/// For each variable, the access that wrote it last, plus 1.
using Writes = std::map<uint64_t, size_t>;

/// The write that each read reads from, and the last writes.
struct View {
  std::map<size_t, size_t> ReadsFrom;
  Writes Last;

  void run(const std::vector<ViewAccess> &Accesses, size_t I) {
    const trace::Event &E = Accesses[I].What;
    if (trace::reads(E.Kind)) {
      auto From = Last.find(E.Address);
      ReadsFrom[I] = From == Last.end() ? 0 : From->second;
    }
    if (trace::writes(E.Kind))
      Last[E.Address] = I + 1;
  }
  bool operator==(const View &V) const {
    return ReadsFrom == V.ReadsFrom && Last == V.Last;
  }
};

} // namespace

bool atsan::check::isViewSerializable(const std::vector<ViewAccess> &Accesses) {
  uint32_t Count = 0;
  View Observed;
  for (size_t I = 0; I < Accesses.size(); ++I) {
    Count = std::max(Count, Accesses[I].Transaction + 1);
    Observed.run(Accesses, I);
    for (const ViewAccess &Other : Accesses) {
      const trace::Event &E = Accesses[I].What, &F = Other.What;
      if (E.Address <= F.Address && F.Address - E.Address < E.Size &&
          (E.Address != F.Address || E.Size != F.Size))
        return false;
    }
  }
  if (Count > MaxTransactions)
    return false;
  std::vector<uint32_t> Order(Count);
  std::iota(Order.begin(), Order.end(), 0);
  do {
    View Serial;
    std::map<uint32_t, uint32_t> LastOf; // The last transaction of each thread.
    bool InOrder = true;
    for (uint32_t T : Order)
      for (size_t I = 0; I < Accesses.size(); ++I)
        if (Accesses[I].Transaction == T) {
          uint32_t &Before = LastOf[Accesses[I].What.Thread];
          InOrder &= Before <= T;
          Before = T;
          Serial.run(Accesses, I);
        }
    if (InOrder && Serial == Observed)
      return true;
  } while (std::next_permutation(Order.begin(), Order.end()));
  return false;
}
