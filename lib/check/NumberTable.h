//===- NumberTable.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds things that are numbered 0, 1, ... and kept elsewhere, by their hashes:
// four bytes for each, side by side, where std::unordered_map goes from node to
// node. Analyses that look up something for each access spend most of their
// time on waiting for memory.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_NUMBERTABLE_H
#define ATSAN_CHECK_NUMBERTABLE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace atsan::check {

/// Not thread-safe.
class NumberTable {
public:
  static uint64_t mix(uint64_t Hash, uint64_t Word) {
    Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15u;
    return Hash ^ (Hash >> 32);
  }

  /// The place of the thing with this hash for which Is(number) holds: its
  /// number plus 1. 0: there is none; a new one's number plus 1 goes there.
  /// Valid until grow() or fill().
  template <typename Function> uint32_t &place(uint64_t Hash, Function Is) {
    size_t At = Hash & (Places.size() - 1);
    while (Places[At] && !Is(Places[At] - 1))
      At = (At + 1) & (Places.size() - 1);
    return Places[At];
  }
  /// To be called when one is new. \p Count: how many there are now; HashOf:
  /// of a number.
  template <typename Function> void grow(size_t Count, Function HashOf) {
    if (Count * 2 > Places.size())
      fill(Count, HashOf);
  }
  /// Finds the things by other numbers, or hashes, from now on.
  template <typename Function> void fill(size_t Count, Function HashOf) {
    size_t Size = Places.size();
    while (Count * 2 > Size)
      Size *= 2;
    Places.assign(Size, 0);
    for (uint32_t I = 0; I != Count; ++I)
      place(HashOf(I), [](uint32_t) { return false; }) = I + 1;
  }

  void clear() { std::fill(Places.begin(), Places.end(), 0); }

private:
  std::vector<uint32_t> Places = std::vector<uint32_t>(64);
};

} // namespace atsan::check

#endif // ATSAN_CHECK_NUMBERTABLE_H
