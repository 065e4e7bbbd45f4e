//===- LivingBytes.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ranges of bytes that a run accesses, as numbers. Bytes that are born
// again are others (docs/semantics.md, rule 9), so a range lies within one
// life.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_LIVINGBYTES_H
#define ATSAN_CHECK_LIVINGBYTES_H

#include "lib/check/ByteRanges.h"
#include "lib/check/NumberTable.h"
#include "lib/event/Event.h"
#include <vector>

namespace atsan::check {

/// Bytes that are accessed together, in one of the lives of their memory. In
/// the last life (~0): what a start or join within a transaction and the
/// thread's begin or end have in common, which makes them an edge.
struct ByteRange {
  uint64_t Address, Size;
  uint32_t Life;
  bool operator==(const ByteRange &R) const {
    return Address == R.Address && Size == R.Size && Life == R.Life;
  }
  bool operator<(const ByteRange &R) const {
    return Life != R.Life         ? Life < R.Life
           : Address != R.Address ? Address < R.Address
                                  : Size < R.Size;
  }
};

/// Not thread-safe.
class LivingBytes {
public:
  /// The bytes of a birth or death begin another life.
  void beginLife(const trace::Event &E);

  /// Calls F(number of the range) for each part of an access that lies within
  /// one life, in ascending order.
  template <typename Function>
  void forEachRange(const trace::Event &E, Function F) {
    if (!E.Size)
      return;
    const uint64_t Last = E.Address + E.Size - 1;
    uint64_t At = E.Address;
    bool Done = false;
    Lives.visit(E.Address, E.Size,
                [&](uint32_t Life, uint64_t From, uint64_t To) {
                  if (From > At)
                    F(rangeOf({At, From - At, 0}, E));
                  F(rangeOf({From, To - From + 1, Life}, E));
                  Done = To == Last;
                  At = To + 1;
                });
    if (!Done)
      F(rangeOf({At, Last - At + 1, 0}, E));
  }
  uint32_t rangeOf(const ByteRange &R);

  const std::vector<ByteRange> &ranges() const { return Ranges; }
  /// To be called when all ranges are known, before overlapping().
  void findOverlaps();
  /// The ranges that share a byte with R, itself among them.
  const std::vector<uint32_t> &overlapping(uint32_t R) const {
    return Overlapping[R];
  }

private:
  uint32_t rangeOf(const ByteRange &R, const trace::Event &By);

  ByteRanges<uint32_t> Lives;
  uint32_t LastLife = 0;
  NumberTable Numbers; ///< Finds Ranges.
  std::vector<ByteRange> Ranges;
  /// By twice a range, plus 1 for writes: the range that the same thread
  /// accessed next when it did this last.
  std::vector<uint32_t> Followers;
  /// By thread, the place in Followers of what it did last.
  std::vector<uint32_t> Latest;
  std::vector<std::vector<uint32_t>> Overlapping;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_LIVINGBYTES_H
