//===- Replay.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replays a schedule of the events of a run from the first one on: can it
// happen, and does its conflict graph have the cycle that is claimed? Shares
// no code with those who look for schedules.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_REPLAY_H
#define ATSAN_CHECK_REPLAY_H

#include "lib/check/Witness.h"
#include <map>
#include <set>

namespace atsan::check {

/// Not thread-safe.
class Replay {
public:
  explicit Replay(const RegionSplits &Splits) : Parts(Splits) {}

  /// Takes every event of the trace, in order.
  void take(const trace::Event &E);

  /// What is wrong with a schedule for a cycle (see Witness); empty: nothing.
  std::string check(const std::vector<Stretch> &Schedule,
                    const std::vector<Witness::Visit> &Cycle) const;

private:
  /// An event that is no access.
  struct Step {
    NumberedEvent Is;
    /// For a join, the last event of the thread that is joined; for barriers,
    /// the round.
    uint64_t Detail = 0;
    /// What was handed over: what must have happened before.
    std::vector<HandOvers::Place> After = {};
  };
  struct Thread {
    std::vector<Step> Steps;
    uint64_t FirstEvent = 0, LastEvent = 0;
    uint64_t FirstTransaction = 0; ///< The event that begins it; 0: none.
    uint64_t StartedAt = 0; ///< The event of Starter that started it, or 0.
    uint32_t Starter = 0;
    /// Events at which parts of regions end or begin, and whether the thread is
    /// in a region afterwards.
    std::vector<std::pair<uint64_t, bool>> Boundaries;
    uint64_t Round = ~uint64_t(0);
  };
  class Locks {
  public:
    /// Takes or releases a lock. False: another thread has it.
    bool take(const trace::Event &E);

  private:
    struct Lock {
      uint32_t Owner = 0, Depth = 0;
      std::map<uint32_t, uint32_t> Readers;
    };
    std::unordered_map<uint64_t, Lock> All;
  };
  class Run;

  Step &stepOf(const HandOvers::Place &P);
  bool areOne(uint32_t Thread, uint64_t First, uint64_t Later) const;

  Transactions Parts;
  HandOvers Given;
  uint64_t Count = 0;
  std::vector<Thread> Threads;
  Locks Observed;
  /// Locks that several threads had at once in the run: they exclude nobody.
  std::unordered_set<uint64_t> Loose;
  struct Round {
    uint64_t Arrivals = 0;
    bool IsOver = false;
  };
  std::vector<Round> Rounds;
  std::map<uint64_t, uint64_t> Latest; ///< The last round of each barrier.
};

} // namespace atsan::check

#endif // ATSAN_CHECK_REPLAY_H
