//===- LargestPrefix.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The largest of the first so many numbers of a growing list, one of them left
// out: a Fenwick tree of the two largest.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_LARGESTPREFIX_H
#define ATSAN_REGISTERS_LARGESTPREFIX_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace atsan::registers {

/// All functions take O(log n).
class LargestPrefix {
public:
  void reserve(size_t Count) { Nodes.reserve(Count); }
  void append(uint32_t S) {
    const size_t I = Nodes.size() + 1;
    Two New = {S, 0, static_cast<uint32_t>(I - 1)};
    for (size_t Child = I - 1; Child > I - lowest(I); Child -= lowest(Child))
      New.add(Nodes[Child - 1]);
    Nodes.push_back(New);
  }
  /// Makes one of them larger.
  void raise(uint32_t Index, uint32_t S) {
    for (size_t I = Index + size_t(1); I <= Nodes.size(); I += lowest(I))
      Nodes[I - 1].add(S, Index);
  }
  /// 0 if there is none.
  uint32_t largestExcept(uint32_t Index, size_t First) const {
    uint32_t Largest = 0;
    for (size_t I = First; I; I -= lowest(I)) {
      const Two &N = Nodes[I - 1];
      Largest = std::max(Largest, N.Which == Index ? N.Second : N.Largest);
    }
    return Largest;
  }

private:
  struct Two {
    uint32_t Largest, Second; ///< The two have different indices.
    uint32_t Which;           ///< The index of the largest.

    void add(uint32_t S, uint32_t Index) {
      if (Index == Which) {
        Largest = std::max(Largest, S);
      } else if (S > Largest) {
        Second = Largest;
        Largest = S;
        Which = Index;
      } else {
        Second = std::max(Second, S);
      }
    }
    void add(const Two &Other) {
      const uint32_t OtherSecond = Other.Second;
      add(Other.Largest, Other.Which);
      Second = std::max(Second, OtherSecond);
    }
  };
  static size_t lowest(size_t I) { return I & (~I + 1); }

  std::vector<Two> Nodes;
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_LARGESTPREFIX_H
