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
// each leads into it and which out of it, and then whether locks and the order
// of start, join and barriers let them happen in such an order.
//
// Decides; the events and words of findings are made in Blocks.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BLOCKCYCLES_H
#define ATSAN_CHECK_BLOCKCYCLES_H

#include "check/BlockUnits.h"
#include "check/Limits.h"
#include <functional>
#include <unordered_map>

namespace atsan::check {

/// What one thread has to do with a cycle: it is entered at one access and left
/// at another, of the same or a later transaction.
struct Visit {
  static constexpr uint32_t None = ~0u;
  uint32_t Entered = 0; ///< The instance; which item: Entry.
  uint32_t Left = 0;    ///< The same one, or a later of the thread; item: Exit.
  uint32_t Entry = 0;   ///< None: entered by a start or join before the unit.
  uint32_t Exit = 0;    ///< None: left by a start or join after the unit.
  HeldSets::Id Between = HeldSets::Empty; ///< Locks taken between the two.
};

/// Not thread-safe.
class BlockCycles {
public:
  /// \p PairsOnly: cycles of two transactions, rather than of any number.
  BlockCycles(BlockUnits &Units, bool PairsOnly, Limits &Limit)
      : Units(Units), PairsOnly(PairsOnly), Limit(Limit) {}

  /// Calls \p Found for cycles, shortest first, until it returns false. The
  /// first visit of each is to a transaction in which the access that leaves
  /// comes before the one that enters. Before a cycle is tried, \p Wanted is
  /// asked whether it is worth it (first visit: instance, Exit and Entry).
  void search(const std::function<bool(const Visit &)> &Wanted,
              const std::function<bool(const std::vector<Visit> &)> &Found);

  /// What is held before each item of a shape, and in the end; numbers of
  /// locks.
  const std::vector<HeldSets::Id> &heldIn(uint32_t Shape);
  /// Without a break from one item to another.
  HeldSets::Id heldThroughout(uint32_t Shape, uint32_t From, uint32_t To);

  uint64_t tried() const { return Tried; }
  /// Schedules of units that were looked at.
  uint64_t states() const { return States; }

private:
  struct Use {
    uint32_t Shape, Item;
  };
  const UnitShape &shapeOf(uint32_t Instance) const {
    return Units.shapes()[Units.instances()[Instance].Shape];
  }
  const UnitItem &item(uint32_t Instance, uint32_t Item) const {
    return shapeOf(Instance).Items[Item];
  }
  bool overlap(const UnitItem &A, const UnitItem &B) const;
  void from(uint32_t Instance);
  void extend(bool Within);
  void leave(uint32_t Instance, uint32_t Exit, bool Within);
  void enterAt(Visit V, uint32_t FirstTransaction, uint32_t LastTransaction,
               bool Within);
  void enterEarlier(Visit V, uint32_t Earlier, uint32_t Entry, bool Within);
  template <typename Function> void forEachClosing(uint32_t Thread, Function F);
  void enter(const Visit &V, bool Within);
  bool mayBeWithin(const Visit &V);
  bool usable(uint32_t Instance) const;
  bool redundant(const Visit &New) const;
  bool sameBytes(uint32_t Before, uint32_t Exit, const Visit &V,
                 const Visit &After) const;
  void tryClosing();
  bool feasible(const std::vector<Visit> &Cycle);
  bool findSchedule(const std::vector<Visit> &Cycle);

  BlockUnits &Units;
  const bool PairsOnly;
  Limits &Limit;
  const std::function<bool(const Visit &)> *Wanted = nullptr;
  const std::function<bool(const std::vector<Visit> &)> *Found = nullptr;

  std::vector<std::vector<Use>> Entries; ///< By range: last accesses to it.
  std::vector<std::vector<Use>> Exits;   ///< Likewise, the first.
  std::vector<std::vector<uint32_t>> WithShape; ///< Instances.
  std::vector<std::vector<HeldSets::Id>> Held;  ///< By shape; before each item.
  /// The first visit, and then those before it in the cycle, backwards.
  std::vector<Visit> Path;
  HeldSets::Id HeldByFirst = HeldSets::Empty; ///< From its exit to its entry.
  std::vector<bool> ThreadUsed;
  size_t Depth = 0;    ///< The number of visits that is looked for.
  bool Deeper = false; ///< A path was cut short.
  bool Done = false;
  std::unordered_map<std::string, bool> Known; ///< Of feasible().
  uint64_t Tried = 0, States = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BLOCKCYCLES_H
