//===- ByteRanges.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map from bytes to values that keeps one entry for neighbouring bytes with
// the same history: byte-precise, whatever the sizes and alignments of
// accesses. Bytes beyond the top of the address space do not exist.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BYTERANGES_H
#define ATSAN_CHECK_BYTERANGES_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace atsan::check {

/// Not thread-safe. O(log entries) for each entry that is met.
template <typename T> class ByteRanges {
public:
  /// Calls F(Value &, First byte) for every part of the \p Size bytes at
  /// \p Address, in ascending order; what has no value yet begins with T().
  template <typename Function>
  void update(uint64_t Address, uint64_t Size, Function F) {
    if (!Size)
      return;
    const uint64_t Last = lastByte(Address, Size);
    auto I = splitAt(Address);
    for (uint64_t At = Address;; ++I) {
      if (I == Ranges.end() || I->first > At) {
        const uint64_t GapEnd =
            I == Ranges.end() || I->first > Last ? Last : I->first - 1;
        I = Ranges.emplace_hint(I, At, Range{GapEnd, T()});
      } else if (I->second.Last > Last) {
        splitAt(Last + 1);
      }
      F(I->second.Value, At);
      if (I->second.Last == Last)
        return;
      At = I->second.Last + 1;
    }
  }

  void erase(uint64_t Address, uint64_t Size) {
    if (!Size)
      return;
    const uint64_t Last = lastByte(Address, Size);
    auto From = splitAt(Address);
    auto To = Last == UINT64_MAX ? Ranges.end() : splitAt(Last + 1);
    Ranges.erase(From, To);
  }

  /// Calls F(const Value &, First byte, Last byte) for every part of the
  /// \p Size bytes at \p Address that has a value, in ascending order.
  template <typename Function>
  void visit(uint64_t Address, uint64_t Size, Function F) const {
    if (!Size)
      return;
    const uint64_t Last = lastByte(Address, Size);
    auto I = Ranges.upper_bound(Address);
    if (I != Ranges.begin() && std::prev(I)->second.Last >= Address)
      --I;
    for (; I != Ranges.end() && I->first <= Last; ++I)
      F(I->second.Value, std::max(I->first, Address),
        std::min(I->second.Last, Last));
  }

  uint64_t entries() const { return Ranges.size(); }

private:
  struct Range {
    uint64_t Last; // The range's last byte.
    T Value;
  };
  typedef std::map<uint64_t, Range> Map;

  static uint64_t lastByte(uint64_t Address, uint64_t Size) {
    return Size - 1 > UINT64_MAX - Address ? UINT64_MAX : Address + Size - 1;
  }

  // The first range that begins at or after \p Address, when none reaches
  // across it any more.
  typename Map::iterator splitAt(uint64_t Address) {
    auto I = Ranges.lower_bound(Address);
    if (I == Ranges.begin())
      return I;
    auto Before = std::prev(I);
    if (Before->second.Last < Address)
      return I;
    Range Rest = Before->second;
    Before->second.Last = Address - 1;
    return Ranges.emplace_hint(I, Address, std::move(Rest));
  }

  Map Ranges;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BYTERANGES_H
