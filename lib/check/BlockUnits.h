//===- BlockUnits.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What threads did, as distinct units: a unit is a stretch of one thread that
// begins and ends outside of transactions and locks, and is not divided by
// start, join or barrier. Of each transaction in it only the accesses are kept
// that can matter to a cycle (the first and the last of a kind to the same
// bytes), and the locks around them: the blocks of TSE'06 section 6, with what
// must be locked on the way to them. Memory is bounded by distinct units, not
// by the length of the run.
//
// Records; decides nothing. BlockCycles.h does.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BLOCKUNITS_H
#define ATSAN_CHECK_BLOCKUNITS_H

#include "lib/check/Analysis.h"
#include "lib/check/BlockOrder.h"
#include "lib/check/HandOvers.h"
#include "lib/check/HappensBefore.h"
#include "lib/check/HeldSets.h"
#include "lib/check/LivingBytes.h"
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace atsan::check {

struct UnitItem {
  enum ItemKind : uint8_t { Access, Acquire, Release };
  ItemKind Kind = Access;
  /// Whether an access writes, or a lock operation is not shared.
  bool Strong = false;
  /// True for an acquire of a lock that was held when the unit began.
  bool Continues = false;
  /// Whether the transaction has no like access before this one, or after it.
  bool IsFirst = true, IsLast = true;
  uint32_t Operand = 0;     ///< The range of bytes, or the lock.
  uint32_t Transaction = 0; ///< The transaction of an access, in the unit.
  uint32_t Location = 0;
};

/// Two accesses of different threads to the same bytes.
inline bool conflict(const UnitItem &A, const UnitItem &B) {
  return A.Strong || B.Strong;
}

struct UnitShape {
  struct Part {
    bool IsRegion = false;
    trace::Event Begin; ///< The event with which a region begins.
  };
  std::vector<UnitItem> Items;
  std::vector<Part> Transactions;
  /// All locks that the unit acquires.
  HeldSets::Id Acquired = HeldSets::Empty;
};

/// A shape in one thread, in one of its periods.
struct UnitInstance {
  uint32_t Shape;
  uint32_t Thread;
  /// The first and the last period, by all synchronization. They differ only if
  /// boundaries do not divide regions.
  PeriodId First, Last;
  /// The first and the last period by start and join alone, which are edges of
  /// the conflict graph.
  PeriodId FirstEdge, LastEdge;
  /// For the items of the shape, the events of one occurrence; likewise for
  /// the begins of its regions.
  std::vector<NumberedEvent> Events;
  std::vector<NumberedEvent> Begins;
  /// The numbers of the first and the last event that ended such a unit.
  uint64_t FirstSeen, LastSeen;
};

/// Not thread-safe.
class BlockUnits {
public:
  /// \p KeepsSequence: also keep which unit comes before which in a thread.
  BlockUnits(const Options &O, bool KeepsSequence)
      : Parts(O.Splits), HasOrder(O.Improved.HappensBefore),
        KeepsSequence(KeepsSequence), Sequence(Sets) {}

  void take(const trace::Event &E);
  /// Tells of an access of the thread that is not passed to take().
  void accessed(uint32_t Thread) { at(Thread).HasTransaction = true; }
  /// The trace is over: drops what one thread alone accesses, what none
  /// writes, and the locks that one thread alone takes.
  void finish();

  // To be called after finish().
  const std::vector<UnitShape> &shapes() const { return Shapes; }
  const std::vector<UnitInstance> &instances() const { return Instances; }
  const std::vector<ByteRange> &ranges() const { return Bytes.ranges(); }
  uint64_t lockAddress(uint32_t Lock) const { return Locks[Lock]; }
  /// The ranges that share a byte with R, itself among them.
  const std::vector<uint32_t> &overlapping(uint32_t R) const {
    return Bytes.overlapping(R);
  }
  /// Must A have ended before B began, by all synchronization?
  bool before(const UnitInstance &A, const UnitInstance &B) const {
    return HasOrder && Order.before(A.Last, B.First);
  }
  /// Must A have ended before B began, by start and join alone?
  bool edge(const UnitInstance &A, const UnitInstance &B) const {
    return EdgeOrder.before(A.LastEdge, B.FirstEdge);
  }
  /// Can Earlier come before Later, in one thread?
  bool canPrecede(uint32_t Earlier, uint32_t Later) const {
    return Instances[Earlier].FirstSeen < Instances[Later].LastSeen;
  }
  /// The instances of a thread, by FirstSeen.
  const std::vector<uint32_t> &ofThread(uint32_t Thread) const {
    return OfThread[Thread];
  }
  /// The instances of the same thread that can come before Later, and the
  /// smallest sets of locks that it then takes in between, if Forbidden does
  /// not exclude them; by number.
  BlockOrder::List earlier(uint32_t Later, HeldSets::Id Forbidden);
  /// Was the run too long to keep what is locked between units? A thread is
  /// then thought to get from each unit to each without a lock.
  bool coarse() const { return Sequence.tooLong(); }
  HeldSets &sets() { return Sets; }
  HeldSets::Id unionOf(HeldSets::Id A, HeldSets::Id B) {
    return Sequence.unionOf(A, B);
  }
  uint64_t distinctBlocks() const;

  /// A unit as a thread ran it once.
  struct Occurrence {
    static constexpr uint32_t Dropped = ~0u;
    uint32_t Thread;
    uint32_t Instance; ///< Dropped if the unit has nothing but locks.
    HeldSets::Set Acquired;
    /// The events of the items, and the begins of the regions.
    std::vector<NumberedEvent> Events, Begins;
  };
  /// To be called before the first event: whenever a unit ends, \p Ended learns
  /// what it is to \p Known, which has finished on the same events.
  void follow(const BlockUnits &Known,
              std::function<void(const Occurrence &)> Ended) {
    Followed = &Known;
    OnEnd = std::move(Ended);
  }

  /// To be called instead of finish() after follow(): the trace is over.
  void end();

private:
  struct Open {
    std::vector<UnitItem> Items;
    std::vector<NumberedEvent> Events;
    std::vector<UnitShape::Part> Transactions;
    std::vector<NumberedEvent> Begins;
    PeriodId First = 0, Last = 0, FirstEdge = 0, LastEdge = 0;
  };
  struct ThreadState {
    Open Unit;

    NumberedEvent Region; ///< The begin of the outermost region.
    bool HasTransaction = false;
    /// The number of items at which to reduce the unit.
    size_t ReduceAt = 4096;
  };
  ThreadState &at(uint32_t Thread);
  void push(ThreadState &T, const trace::Event &E, UnitItem::ItemKind Kind,
            bool Strong, uint32_t Operand);
  void access(ThreadState &T, const trace::Event &E, bool Unary);
  void meet(const trace::Event &E, uint32_t Thread, bool Leaves);
  void openTransaction(ThreadState &T, bool IsRegion);
  void divide(ThreadState &T, uint32_t Thread);
  void close(ThreadState &T, uint32_t Thread);
  void reduce(Open &U, bool Relaxed) const;
  std::vector<bool> needed(Open &U, bool Relaxed) const;
  static void keepOnly(Open &U, const std::vector<bool> &Keep, bool Relaxed);
  uint32_t intern(Open &&U, uint32_t Thread, uint64_t Seen);
  void findShared();
  bool matters(const UnitItem &I) const;
  Occurrence occurrence(Open U, uint32_t Thread, uint32_t Instance) const;

  check::Transactions Parts;
  const bool HasOrder, KeepsSequence;
  HappensBefore Order, EdgeOrder;
  HandOvers Held;
  HeldSets Sets;
  uint64_t Count = 0;
  std::vector<ThreadState> Threads;

  LivingBytes Bytes;
  std::vector<bool> RangeMatters, LockMatters; ///< Empty before finish().
  std::unordered_map<uint64_t, uint32_t> LockIds;
  std::vector<uint64_t> Locks;

  std::unordered_map<std::string, uint32_t> ShapeIds;
  std::vector<UnitShape> Shapes;
  std::map<std::vector<uint32_t>, uint32_t> InstanceIds;
  std::vector<UnitInstance> Instances;

  BlockOrder Sequence;
  std::vector<std::vector<uint32_t>> OfThread;
  /// For each instance, its new number by finish(), or Occurrence::Dropped.
  std::vector<uint32_t> Renamed;
  const BlockUnits *Followed = nullptr;
  std::function<void(const Occurrence &)> OnEnd;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BLOCKUNITS_H
