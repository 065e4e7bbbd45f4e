//===- BlockCandidates.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a cycle may begin: transactions with an access that leaves and a later
// one that is entered. BlockReach is asked once for all those that differ in
// nothing but that: an exit with no way to any of the entries has none to each.
//
// Decides nothing; BlockCycles.h does.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BLOCKCANDIDATES_H
#define ATSAN_CHECK_BLOCKCANDIDATES_H

#include "lib/check/BlockReach.h"

namespace atsan::check {

/// Not thread-safe.
class BlockCandidates {
public:
  /// An entry, and exits before it in its transaction: the accesses of certain
  /// items from which on the same locks are held up to the entry.
  struct Span {
    uint32_t Entry;
    uint32_t Begin, End; ///< The items of the exits.
    HeldSets::Id Holds;  ///< The locks held from an exit to the entry.
    HeldSets::Id AtEnd;  ///< The locks held at the entry.
  };
  /// Candidates of which only the entries and exits differ.
  struct Group {
    /// Asks for the entries of all candidates at once.
    BlockReach::Question All;
    BlockReach::Answer Reached;
  };
  struct Candidate {
    uint32_t Instance;
    const Span *Exits;
    Group *Of;
  };

  BlockCandidates(BlockUnits &Units, BlockReach &Reach, Limits &Limit)
      : Units(Units), Reach(Reach), Limit(Limit) {}

  /// Finds all candidates, sorted by instance, entry and, backwards, exits. \p
  /// MaxVisits and \p PairsOnly go into the questions. Finds fewer when the
  /// limit is reached. Ends the life of the candidates of an earlier call.
  std::vector<Candidate> find(uint32_t MaxVisits, bool PairsOnly);

  /// The smallest number of visits of a path that the exit may enter, as far as
  /// the question for all entries of the group tells; Never if there is none.
  uint32_t visits(const Candidate &C, uint32_t Exit);

  /// Calls Test(item), backwards, for the accesses of a span that leave, until
  /// it returns false.
  template <typename Function>
  void forEachExit(const Candidate &C, Function Test) const {
    const std::vector<UnitItem> &Items = itemsOf(C.Instance);
    for (uint32_t I = C.Exits->End; I-- > C.Exits->Begin;)
      if (Items[I].Kind == UnitItem::Access && Items[I].IsFirst && !Test(I))
        return;
  }

private:
  const std::vector<UnitItem> &itemsOf(uint32_t Instance) const {
    return Units.shapes()[Units.instances()[Instance].Shape].Items;
  }
  std::vector<Span> spansOf(uint32_t Shape);

  BlockUnits &Units;
  BlockReach &Reach;
  Limits &Limit;
  std::vector<std::vector<Span>> Spans; ///< One list for each shape.
  /// Groups by thread, periods, and the locks held throughout and at the end.
  std::map<std::tuple<uint32_t, PeriodId, PeriodId, HeldSets::Id, HeldSets::Id>,
           Group>
      Groups;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BLOCKCANDIDATES_H
