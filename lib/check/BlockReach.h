//===- BlockReach.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A necessary condition for a cycle, in polynomial time: which accesses may
// lead to an access of a transaction that is under way, through how many
// threads at the least. Of the locks only those count that two transactions
// hold throughout, of the order of start, join and barriers only that to the
// first of them, and a thread may be visited more than once. In programs that
// lock properly next to nothing is reached, and no cycle has to be tried.
//
// Why two: see Layer.
//
// Decides nothing; BlockCycles.h does.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BLOCKREACH_H
#define ATSAN_CHECK_BLOCKREACH_H

#include "lib/check/BlockUnits.h"
#include "lib/check/BoundedMemo.h"
#include "lib/check/Limits.h"
#include <memory>
#include <string>
#include <unordered_map>

namespace atsan::check {

/// Not thread-safe.
class BlockReach {
public:
  static constexpr uint32_t Never = ~0u;

  BlockReach(BlockUnits &Units, Limits &Limit);

  /// The range, and whether it writes, as one number.
  static uint32_t accessOf(const UnitItem &I) {
    return 2 * I.Operand + I.Strong;
  }
  /// What leads to accesses?
  struct Question {
    uint32_t First;     ///< The instance whose transaction is under way.
    HeldSets::Id Holds; ///< It, throughout.
    HeldSets::Id AtEnd; ///< It, when it is entered.
    std::vector<uint32_t> Targets; ///< To any of these.
    /// Whether the transaction is under way from there on (BlockCycles.cpp).
    bool Within;
    /// Threads that are not visited, sorted; the first one's is among them.
    std::vector<uint32_t> Without;
    uint32_t MaxVisits;     ///< Of threads.
    bool PairsOnly = false; ///< Only within one transaction of another thread.
  };
  /// The accesses at which such a path can be entered, each with the smallest
  /// number of visits.
  struct Reached {
    uint32_t Access;
    uint32_t Visits;
    bool operator<(const Reached &R) const { return Access < R.Access; }
  };
  using Memo = BoundedMemo<std::string, Reached>;
  using Answer = Memo::Answer;
  /// Too little when the limit is reached.
  Answer ask(const Question &Q);
  /// Questions that were not answered from memory.
  uint64_t searches() const { return Searches; }
  /// The smallest number of visits of a path that \p Exit, the access that
  /// leaves the transaction, can enter; Never.
  uint32_t visits(const std::vector<Reached> &A, const UnitItem &Exit) const;

  /// An access: of which shape, which item.
  struct Use {
    uint32_t Shape, Item;
  };
  /// Of a range: the accesses to it that a cycle can be left at.
  const std::vector<Use> &exits(uint32_t Range) const { return Exits[Range]; }
  const std::vector<uint32_t> &withShape(uint32_t Shape) const {
    return WithShape[Shape];
  }
  /// May the instance run while the one of the first transaction does?
  bool usable(uint32_t Instance, uint32_t First) const;
  /// What is held before each item of a shape, and in the end; numbers of
  /// locks.
  const std::vector<HeldSets::Id> &heldIn(uint32_t Shape);

private:
  /// Let the first transaction be the one that is left first, of those that are
  /// left before they are entered. Going backwards from its entry, all that
  /// comes up to the next of those (the second) happens while the first is
  /// under way. If the second ends before the first, too, that goes on to the
  /// one before; else both are under way all along from the second's exit to
  /// the first's entry. Nothing else is known of what comes before the second.
  enum Layer : uint8_t { Free, Under };
  struct Target {
    uint32_t Range, Thread;
    bool Strong;
    Layer L;
  };
  struct End {
    uint32_t Instance;
    Layer L;
  };
  /// Of a transaction from an exit on: what it holds throughout, up to accesses
  /// from Item on.
  struct Hold {
    uint32_t Item;
    HeldSets::Id Locks;
  };
  const std::vector<Hold> &holdsFrom(uint32_t Shape, uint32_t Exit);
  const UnitShape &shapeOf(uint32_t Instance) const {
    return Units.shapes()[Units.instances()[Instance].Shape];
  }
  std::vector<Reached> search(const Question &Q);
  void searchWith(HeldSets::Id OfSecond);
  void expand(const Target &T);
  void leave(uint32_t Instance, uint32_t Exit, Layer L);
  void enterSecond(uint32_t Instance, uint32_t Exit);
  void enterFrom(uint32_t Instance, uint32_t Item, uint32_t Transaction,
                 Layer L);
  void sweepBack(uint32_t Instance, uint32_t From, Layer L);
  void sweepEnd(uint32_t Instance, Layer L);
  void cross(uint32_t Instance, Layer L);
  void enter(uint32_t Instance, const UnitItem &Entry, Layer L);
  bool isOut(uint32_t Instance) const {
    return Outside[Units.instances()[Instance].Thread] || !(*Usable)[Instance];
  }
  const std::vector<bool> &usableWith(uint32_t First);
  bool lacksFor(const UnitItem &LockItem) const;

  BlockUnits &Units;
  Limits &Limit;
  std::vector<std::vector<Use>> Exits;
  /// By range: the same by thread, of all instances.
  struct Exit {
    uint32_t Instance, Item;
    bool Strong;
  };
  struct ThreadExits {
    uint32_t Thread;
    std::vector<Exit> All;
  };
  std::vector<std::vector<ThreadExits>> ExitsOf;
  std::vector<std::vector<uint32_t>> WithShape;
  std::vector<std::vector<HeldSets::Id>> Held; ///< By shape.
  std::vector<std::unordered_map<uint32_t, std::vector<Hold>>> FromExit;
  std::vector<size_t> FirstItem; ///< Of each instance, in the arrays of items.

  // Of the search that goes on; marks are set if they equal Now.
  const Question *Q = nullptr;
  const std::vector<bool> *Usable = nullptr; ///< By instance.
  HeldSets::Id OfSecond = HeldSets::Empty;   ///< What it holds throughout.
  HeldSets::Id Holds = HeldSets::Empty;      ///< Both of them.
  std::vector<HeldSets::Id> Seconds;         ///< What such ones hold.
  uint32_t Now = 0, Visits = 0;
  std::vector<uint32_t> Back[2], Forward[2], Left[2]; ///< By item.
  std::vector<uint32_t> ReachedAt;                    ///< By access.
  std::vector<uint32_t> TargetAt[2], TargetThread[2]; ///< By access.
  std::vector<std::vector<uint32_t>> EndIn;           ///< Instances, by period.
  /// By period: the others that lead to it by start and join.
  std::unordered_map<PeriodId, std::vector<PeriodId>> EdgesFrom;
  const std::vector<PeriodId> &edgesFrom(const UnitInstance &To);
  std::vector<uint32_t> EdgesAt[2]; ///< By period.
  std::vector<bool> Outside;        ///< By thread.
  std::vector<uint32_t> NextOf[2];  ///< By thread: how many can precede.
  /// Does Free reach all of it already?
  bool covered(uint32_t Thread) const {
    return NextOf[Free][Thread] == Units.ofThread(Thread).size();
  }
  std::vector<Target> Targets;
  std::vector<End> Ends;
  std::vector<Reached> Found;

  /// By thread and periods of a first instance.
  std::map<std::tuple<uint32_t, PeriodId, PeriodId>, std::vector<bool>> Usables;
  Memo Known{size_t(1) << 25}; ///< Of ask().
  uint64_t Searches = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BLOCKREACH_H
