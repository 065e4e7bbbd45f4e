//===- BlockOrder.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each thread ran, in order, and from that: which unit can come before
// which in a thread, and which locks are taken in between at the least. A loop
// whose round repeats is kept twice, since a third round adds nothing to that.
//
// Records and looks up; decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BLOCKORDER_H
#define ATSAN_CHECK_BLOCKORDER_H

#include "lib/check/BoundedMemo.h"
#include "lib/check/HeldSets.h"
#include <functional>
#include <unordered_map>

namespace atsan::check {

/// The numbers of units in the order in which one thread ran them; an entry
/// with IsLocks is a set of locks that were taken and released for nothing
/// else.
class UnitSequence {
public:
  static constexpr uint32_t IsLocks = 1u << 31;
  void append(uint32_t Entry);
  const std::vector<uint32_t> &entries() const { return Entries; }

private:
  bool matches(size_t At) const {
    return At >= Period && Entries[At] == Entries[At - Period];
  }
  std::vector<uint32_t> Entries;
  std::unordered_map<uint32_t, size_t> LastAt;
  /// The last Matches entries are equal to those that stand Period before them.
  size_t Period = 0, Matches = 0;
};

/// Not thread-safe.
class BlockOrder {
public:
  /// An earlier unit of the same thread, and what is locked between the two.
  struct Earlier {
    uint32_t Unit;
    HeldSets::Id Between;
    bool operator<(const Earlier &E) const { return Unit < E.Unit; }
  };

  explicit BlockOrder(HeldSets &Sets) : Sets(Sets) {}

  void append(uint32_t Thread, uint32_t Entry);
  /// What rename() is given for an entry that is to be dropped.
  static constexpr uint32_t Dropped = ~0u;
  /// Puts New(Entry) in the place of each entry.
  void rename(const std::function<uint32_t(uint32_t)> &New);
  /// Ends the recording: no more is appended. \p Acquired has the locks of each
  /// unit.
  void finish(std::vector<HeldSets::Id> Acquired);
  /// Was there too much to keep? Then nothing is known of what lies in between.
  bool tooLong() const { return TooLong; }

  using Memo = BoundedMemo<uint64_t, Earlier>;
  using List = Memo::Answer;

  /// Finds the units that can come before Later, and the smallest sets of locks
  /// that are then taken in between, of those that Forbidden does not exclude;
  /// sorted by unit. O(what the thread ran), the first time.
  List earlier(uint32_t Thread, uint32_t Later, HeldSets::Id Forbidden);
  HeldSets::Id unionOf(HeldSets::Id A, HeldSets::Id B);

private:
  std::vector<Earlier> find(uint32_t Thread, uint32_t Later,
                            HeldSets::Id Forbidden);

  HeldSets &Sets;
  std::vector<UnitSequence> Sequences; ///< One for each thread.
  size_t Length = 0; ///< The length of all sequences together.
  bool TooLong = false;
  std::vector<HeldSets::Id> Acquired;
  /// For each unit, its places in the sequence.
  std::vector<std::vector<uint32_t>> Places;
  /// For each unit, the last Stamp with which it was found.
  std::vector<uint32_t> Stamps;
  uint32_t Stamp = 0;
  std::unordered_map<uint64_t, HeldSets::Id> Unions;
  Memo Known{size_t(1) << 24}; ///< Results of earlier().
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BLOCKORDER_H
