//===- BlockSchedule.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is there a schedule in which the accesses of a cycle happen in its order? The
// units of its visits are run side by side, in every way that locks and the
// order of start, join and barriers allow.
//
// Decides for one cycle; BlockCycles.h finds the cycles.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_BLOCKSCHEDULE_H
#define ATSAN_CHECK_BLOCKSCHEDULE_H

#include "lib/check/BlockReach.h"
#include "lib/check/Limits.h"

namespace atsan::check {

/// What one thread has to do with a cycle: it is entered at one access and left
/// at another, of the same or a later transaction.
struct Visit {
  static constexpr uint32_t None = ~0u;
  uint32_t Entered = 0; ///< The instance that is entered, at item Entry.
  /// The instance that is left, at item Exit: Entered or a later one.
  uint32_t Left = 0;
  /// Visit::None if a start or join before the unit enters.
  uint32_t Entry = 0;
  uint32_t Exit = 0; ///< Visit::None if a start or join after the unit leaves.
  HeldSets::Id Between = HeldSets::Empty; ///< Locks taken between the two.

  /// Is it left before it is entered? Then both accesses are of one
  /// transaction.
  bool isLeftFirst() const {
    return Entered == Left && Entry != None && Exit < Entry;
  }
};

/// Not thread-safe.
class BlockSchedule {
public:
  BlockSchedule(BlockUnits &Units, BlockReach &Reach, Limits &Limit)
      : Units(Units), Reach(Reach), Limit(Limit) {}

  /// Is there a schedule in which, of the visits that are left before they are
  /// entered, the first is left first? With OneByOne, all the other visits must
  /// also happen, one after another, between the two accesses of the first; no
  /// limit ends that search. False, too, when a limit is reached.
  bool exists(const std::vector<Visit> &Cycle, bool OneByOne = false);

  /// The access at which a visit of a cycle is entered, or left; once if it is
  /// the same.
  struct Access {
    size_t Visit;
    bool Leaves;
  };

  /// How many states of schedules were looked at.
  uint64_t states() const { return States; }

private:
  struct Script;
  std::vector<Script> scripts(const std::vector<Visit> &Cycle, bool OneByOne);
  bool run(const std::vector<Script> &Scripts, bool HasLimit);

  BlockUnits &Units;
  BlockReach &Reach;
  Limits &Limit;
  uint64_t States = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_BLOCKSCHEDULE_H
