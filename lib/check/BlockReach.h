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
// Why two transactions are looked at: see Layer.
//
// Decides nothing; BlockCycles.h does.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BLOCKREACH_H
#define ATSAN_CHECK_BLOCKREACH_H

#include "lib/check/BlockUnits.h"
#include "lib/check/BoundedMemo.h"
#include "lib/check/Limits.h"
#include <string>
#include <unordered_map>

namespace atsan::check {

/// Not thread-safe.
class BlockReach {
public:
  static constexpr uint32_t Never = ~0u;

  BlockReach(BlockUnits &Units, Limits &Limit);

  /// The range of an access, and whether it writes, as one number.
  static uint32_t accessOf(const UnitItem &I) {
    return 2 * I.Operand + I.Strong;
  }
  /// Asks which accesses lead to certain others.
  struct Question {
    uint32_t First;     ///< The instance whose transaction is under way.
    HeldSets::Id Holds; ///< The locks that First holds throughout.
    HeldSets::Id AtEnd; ///< The locks that First holds when it is entered.
    /// The accesses of which one is to be reached.
    std::vector<uint32_t> Targets;
    /// Whether the targets happen while First is under way (see Layer).
    bool Within;
    /// Threads that are not visited, sorted; the thread of First is among them.
    std::vector<uint32_t> Without;
    uint32_t MaxVisits; ///< The most visits of threads.
    /// Whether ways lead only within one transaction of another thread.
    bool PairsOnly = false;
  };
  /// An access at which a path to a target can be entered, and the smallest
  /// number of visits of such a path.
  struct Reached {
    uint32_t Access;
    uint32_t Visits;
    bool operator<(const Reached &R) const { return Access < R.Access; }
  };
  using Memo = BoundedMemo<std::string, Reached>;
  using Answer = Memo::Answer;
  /// Answers a question; with too little when the limit is reached.
  Answer ask(const Question &Q);
  /// How many questions were not answered from memory.
  uint64_t searches() const { return Searches; }
  /// The smallest number of visits of a path that \p Exit, the access that
  /// leaves the transaction, can enter; Never if there is none.
  uint32_t visits(const std::vector<Reached> &A, const UnitItem &Exit) const;

  /// An access: an item of a shape.
  struct Use {
    uint32_t Shape, Item;
  };
  /// The accesses to a range at which a cycle can leave a transaction.
  const std::vector<Use> &exits(uint32_t Range) const { return Exits[Range]; }
  const std::vector<uint32_t> &withShape(uint32_t Shape) const {
    return WithShape[Shape];
  }
  /// May the instance run while First, an instance of another thread, does?
  bool usable(uint32_t Instance, uint32_t First) const;
  /// The locks that are held before each item of a shape, and in the end. The
  /// sets have numbers of locks.
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
  /// The locks that a transaction holds throughout from an exit on, up to
  /// accesses from Item on.
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
  /// An access at which a cycle can leave an instance.
  struct Exit {
    uint32_t Instance, Item;
    bool Strong;
  };
  struct ThreadExits {
    uint32_t Thread;
    std::vector<Exit> All;
  };
  /// For each range, the exits by thread, of all instances.
  std::vector<std::vector<ThreadExits>> ExitsOf;
  std::vector<std::vector<uint32_t>> WithShape;
  /// Results of heldIn(), by shape.
  std::vector<std::vector<HeldSets::Id>> Held;
  /// For each shape, the results of holdsFrom(), by exit.
  std::vector<std::unordered_map<uint32_t, std::vector<Hold>>> FromExit;
  /// For each instance, its place in the arrays of items.
  std::vector<size_t> FirstItem;

  // The state of the search that goes on; marks are set if they equal Now.
  const Question *Q = nullptr;
  /// Whether each instance may be visited.
  const std::vector<bool> *Usable = nullptr;
  /// The locks that the second transaction holds throughout.
  HeldSets::Id OfSecond = HeldSets::Empty;
  /// The locks that the first and the second transaction hold throughout.
  HeldSets::Id Holds = HeldSets::Empty;
  std::vector<HeldSets::Id> Seconds; ///< The sets to try as OfSecond.
  uint32_t Now = 0, Visits = 0;
  std::vector<uint32_t> Back[2], Forward[2], Left[2]; ///< Marks of items.
  std::vector<uint32_t> ReachedAt; ///< Marks of accesses that were reached.
  /// For each access, its mark as a target, and the thread in which it is one.
  std::vector<uint32_t> TargetAt[2], TargetThread[2];
  /// For each period, the instances that end in it.
  std::vector<std::vector<uint32_t>> EndIn;
  /// For each period, the others that lead to it by start and join.
  std::unordered_map<PeriodId, std::vector<PeriodId>> EdgesFrom;
  const std::vector<PeriodId> &edgesFrom(const UnitInstance &To);
  std::vector<uint32_t> EdgesAt[2]; ///< Marks of periods.
  std::vector<bool> Outside;        ///< Threads that are not visited.
  /// For each thread, how many of its instances were found to come before one
  /// that was reached.
  std::vector<uint32_t> NextOf[2];
  /// Were all instances of the thread reached in the layer Free already?
  bool covered(uint32_t Thread) const {
    return NextOf[Free][Thread] == Units.ofThread(Thread).size();
  }
  std::vector<Target> Targets;
  std::vector<End> Ends;
  std::vector<Reached> Found;

  /// Results of usableWith(), by thread and periods of the first instance.
  std::map<std::tuple<uint32_t, PeriodId, PeriodId>, std::vector<bool>> Usables;
  Memo Known{size_t(1) << 25}; ///< Results of ask().
  uint64_t Searches = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BLOCKREACH_H
