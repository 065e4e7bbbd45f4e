//===- BlockCycles.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is there a schedule of recorded units whose conflict graph has a cycle
// (TSE'06 Theorems 4 and 5, for conflict-serializability)? Searches for the
// shortest cycles first: which transactions of which threads, which access of
// each leads into it and which out of it (where BlockReach.h sees a way), and
// then whether there is a schedule for it (BlockSchedule.h).
//
// Decides; the events and words of findings are made in Blocks.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BLOCKCYCLES_H
#define ATSAN_CHECK_BLOCKCYCLES_H

#include "lib/check/BlockCandidates.h"
#include "lib/check/BlockSchedule.h"
#include <functional>
#include <unordered_map>

namespace atsan::check {

/// Not thread-safe.
class BlockCycles {
public:
  BlockCycles(BlockUnits &Units, Limits &Limit)
      : Units(Units), Limit(Limit), Reach(Units, Limit),
        Candidates(Units, Reach, Limit), Schedule(Units, Reach, Limit) {}

  /// Calls \p Found for cycles, shortest first, until it returns false; with \p
  /// PairsOnly, only for cycles of two transactions. The first visit of each is
  /// to a transaction in which the access that leaves comes before the one that
  /// enters. Before a cycle is tried, \p Wanted is asked whether it is worth it
  /// (first visit: instance, Exit and Entry).
  void search(bool PairsOnly, const std::function<bool(const Visit &)> &Wanted,
              const std::function<bool(const std::vector<Visit> &)> &Found);

  /// Is there a schedule for the cycle? See BlockSchedule.h.
  bool exists(const std::vector<Visit> &Cycle, bool OneByOne) {
    return Schedule.exists(Cycle, OneByOne);
  }
  const std::vector<HeldSets::Id> &heldIn(uint32_t Shape) {
    return Reach.heldIn(Shape);
  }
  /// The locks that are held without a break from one item to another.
  HeldSets::Id heldThroughout(uint32_t Shape, uint32_t From, uint32_t To);

  uint64_t tried() const { return Tried; }
  /// How many questions, what leads to what, were not answered from memory.
  uint64_t questions() const { return Reach.searches(); }
  /// How many states of schedules were looked at.
  uint64_t states() const { return Schedule.states(); }

private:
  using Use = BlockReach::Use;
  const UnitShape &shapeOf(uint32_t Instance) const {
    return Units.shapes()[Units.instances()[Instance].Shape];
  }
  const UnitItem &item(uint32_t Instance, uint32_t Item) const {
    return shapeOf(Instance).Items[Item];
  }
  bool overlap(const UnitItem &A, const UnitItem &B) const;
  bool from(const BlockCandidates::Candidate &C);
  void extend(bool Within);
  void leave(uint32_t Instance, uint32_t Exit, bool Within);
  void enterAt(Visit V, uint32_t FirstTransaction, uint32_t LastTransaction,
               bool Within);
  void enterEarlier(Visit V, bool Within);
  void closeEarlier(Visit V, bool Within);
  void enter(const Visit &V, bool Within);
  HeldSets::Id taken(const Visit &V);
  HeldSets::Id takenFrom(uint32_t Shape, size_t From, size_t To);
  /// The locks that the first transaction holds when it is entered.
  HeldSets::Id atEnd() {
    return heldIn(Units.instances()[Path[0].Entered].Shape)[Path[0].Entry];
  }
  bool mayOutlive(const Visit &V);
  bool usable(uint32_t Instance) const {
    return Reach.usable(Instance, Path[0].Entered);
  }
  bool leads(bool Within);
  /// Is BlockReach asked only for as many visits as this depth has, since these
  /// are few? Later it is asked for all, which tells when nothing more is to be
  /// found.
  bool asksForFew() const { return Depth <= 3; }
  uint32_t maxVisits(size_t AtThisDepth) const {
    return uint32_t(asksForFew() ? AtThisDepth : ThreadUsed.size());
  }
  /// May there be a longer way, though there is none of this depth?
  bool mayBeDeeper(uint32_t Visits) const {
    return Visits != BlockReach::Never || asksForFew();
  }
  bool closes(const Visit &V) const;
  bool inConflict(uint32_t Shape, uint32_t Transaction, uint32_t Other,
                  uint32_t OfOther);
  bool redundant(const Visit &New);
  bool sameBytes(uint32_t Before, uint32_t Exit, const Visit &V,
                 const Visit &After) const;
  void tryClosing();
  bool feasible(const std::vector<Visit> &Cycle);

  BlockUnits &Units;
  bool PairsOnly = false;
  Limits &Limit;
  BlockReach Reach;
  BlockCandidates Candidates;
  BlockSchedule Schedule;
  const std::function<bool(const Visit &)> *Wanted = nullptr;
  const std::function<bool(const std::vector<Visit> &)> *Found = nullptr;

  /// For each range, the last accesses to it.
  std::vector<std::vector<Use>> Entries;
  /// For each shape, the number of its first transaction, counted over all
  /// shapes.
  std::vector<uint32_t> FirstTransaction;
  /// Whether two transactions are in conflict.
  std::unordered_map<uint64_t, bool> Conflicts;
  /// For each shape, the results of takenFrom().
  std::vector<std::unordered_map<uint64_t, HeldSets::Id>> Taken;
  /// The first visit of the cycle, and then those before it, backwards.
  std::vector<Visit> Path;
  /// The locks that the first transaction holds from its exit to its entry.
  HeldSets::Id HeldByFirst = HeldSets::Empty;
  std::vector<bool> ThreadUsed;
  size_t Depth = 0;    ///< The number of visits that is looked for.
  bool Deeper = false; ///< The present candidate may have longer cycles.
  bool Done = false;
  std::unordered_map<std::string, bool> Known; ///< Results of feasible().
  uint64_t Tried = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BLOCKCYCLES_H
