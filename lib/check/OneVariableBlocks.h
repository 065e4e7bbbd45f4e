//===- OneVariableBlocks.h ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 1v-blocks of TSE'06 section 6.1 and Theorem 3: two accesses of one
// transaction to the same byte, and an access of another thread that can come
// in between. Only neighbouring accesses (and neighbouring writes) make blocks:
// whatever comes between others comes between two of those. Linear in the
// number of distinct blocks, which also bounds the memory.
//
// Decides conflict-serializability, where the paper's patterns with final
// writes decide view-serializability.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_ONEVARIABLEBLOCKS_H
#define ATSAN_CHECK_ONEVARIABLEBLOCKS_H

#include "lib/check/Analysis.h"
#include "lib/check/ByteRanges.h"
#include "lib/check/HappensBefore.h"
#include "lib/check/HeldSets.h"
#include "lib/check/LocksHeld.h"
#include <functional>
#include <map>
#include <tuple>

namespace atsan::check {

/// Not thread-safe.
class OneVariableBlocks {
public:
  /// Between can happen between First and Last.
  struct Pattern {
    NumberedEvent Begin; ///< The begin of the region of First and Last.
    NumberedEvent First, Between, Last;
    /// The locks held at each event.
    HeldSets::Id HeldFirst, HeldBetween, HeldLast;
    HeldSets::Id HeldThroughout; ///< The locks held from First to Last.
  };
  /// Called for a pattern. Returns false if it cannot happen, and another one
  /// is wanted.
  using OnFound = std::function<bool(const Pattern &)>;

  OneVariableBlocks(const Options &O, OnFound Found)
      : Parts(O.Splits), HasOrder(O.Improved.HappensBefore),
        Found(std::move(Found)) {}

  void take(const trace::Event &E);
  void finish();

  HeldSets &sets() { return Sets; }
  /// The number of blocks, and of accesses that can come in between, each once.
  uint64_t distinctBlocks() const { return NumBlocks; }

private:
  /// The last accesses of a thread in its present transaction.
  struct Recent {
    uint32_t Thread;
    uint64_t Transaction;
    struct Access {
      NumberedEvent Event; ///< Number 0: there is none.
      PeriodId Period;
      HeldSets::Id Held;
    } Last, LastWrite;
  };
  struct BlockKey {
    PeriodId First, Last;
    bool FirstWrites, LastWrites;
    HeldSets::Id Held;
    uint64_t Region; ///< The name of the region.
    uint32_t RegionLocation, FirstLocation, LastLocation;
    bool operator<(const BlockKey &K) const { return tuple() < K.tuple(); }
    std::tuple<PeriodId, PeriodId, bool, bool, HeldSets::Id, uint64_t, uint32_t,
               uint32_t, uint32_t>
    tuple() const {
      return {First,  Last,           FirstWrites,   LastWrites,  Held,
              Region, RegionLocation, FirstLocation, LastLocation};
    }
  };
  struct Block {
    NumberedEvent Begin, First, Last;
    HeldSets::Id HeldFirst, HeldLast;
  };
  /// How an access that may come between is done: the locks held, and whether
  /// it writes.
  using Way = std::pair<HeldSets::Id, bool>;
  struct History {
    std::vector<Recent> Recents;
    std::map<BlockKey, Block> Blocks;
    std::map<std::pair<Way, PeriodId>, NumberedEvent> Accesses;
  };

  void access(History &H, const trace::Event &E);
  void addBlock(History &H, const Recent::Access &First,
                const Recent::Access &Last);
  void collect(const History &H);

  check::Transactions Parts;
  const bool HasOrder;
  OnFound Found;
  HappensBefore Order;
  LocksHeld Held;
  HeldSets Sets;
  ByteRanges<History> Variables;
  /// The last region's begin of each thread.
  std::vector<NumberedEvent> Regions;
  uint64_t Count = 0, NumBlocks = 0;
  /// For each block that has any, a few accesses that may come in between.
  std::vector<std::vector<Pattern>> Patterns;
  /// How many blocks have patterns, by region and place of the last access.
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, unsigned> AtSite;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_ONEVARIABLEBLOCKS_H
