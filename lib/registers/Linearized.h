//===- Linearized.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has taken effect in each configuration of the frontier, as chains with
// common begins. Needed only where a linearization is asked for.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_LINEARIZED_H
#define ATSAN_REGISTERS_LINEARIZED_H

#include "lib/registers/ConfigSet.h"

namespace atsan::registers {

/// The chain 0 is empty.
class Linearized {
public:
  explicit Linearized(bool IsKept) : IsKept(IsKept) {}

  /// The chain with one operation more.
  uint32_t add(uint32_t Chain, uint32_t Operation) {
    if (!IsKept)
      return 0;
    Nodes.push_back({Chain, Operation});
    return static_cast<uint32_t>(Nodes.size());
  }
  std::vector<uint32_t> chain(uint32_t Chain) const {
    std::vector<uint32_t> Out;
    for (; Chain; Chain = Nodes[Chain - 1].Before)
      Out.push_back(Nodes[Chain - 1].Operation);
    std::reverse(Out.begin(), Out.end());
    return Out;
  }
  /// Forgets, when there is much of it, what no configuration refers to.
  template <unsigned Words> void collect(ConfigSet<Words> &Live) {
    if (Nodes.size() < Threshold)
      return;
    std::vector<uint32_t> NewName(Nodes.size() + 1, 0);
    for (const Config<Words> &C : Live)
      for (uint32_t N = C.Past; N && !NewName[N]; N = Nodes[N - 1].Before)
        NewName[N] = 1;
    uint32_t Count = 0;
    for (uint32_t N = 1; N <= Nodes.size(); ++N) {
      if (!NewName[N])
        continue;
      const Node Old = Nodes[N - 1];
      NewName[N] = ++Count;
      Nodes[Count - 1] = {NewName[Old.Before], Old.Operation};
    }
    Nodes.resize(Count);
    Threshold = std::max<size_t>(FirstThreshold, size_t(2) * Count);
    Live.rewrite([&](Config<Words> &C) { C.Past = NewName[C.Past]; });
  }

private:
  struct Node {
    uint32_t Before, Operation;
  };
  static constexpr size_t FirstThreshold = 1 << 16;

  bool IsKept;
  size_t Threshold = FirstThreshold;
  std::vector<Node> Nodes;
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_LINEARIZED_H
