//===- Witness.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A whole schedule of the events of a run, from the first one on, in which
// certain accesses happen in a certain order. Of the events only those that
// synchronize are kept, and looked at.
//
// First the run is left as it was up to where the first thread of interest was
// last without a lock, so that reads see what they saw. If nothing can be found
// from there, only what start, join and barriers put before the places at which
// these threads had no lock runs: what is left then can still happen in every
// way in which it could from the start. From there on all ways are tried; only
// the order in which locks are acquired makes a difference.
//
// Finds; whether the schedule is one, says Replay.h.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_WITNESS_H
#define ATSAN_CHECK_WITNESS_H

#include "lib/check/Analysis.h"
#include "lib/check/HandOvers.h"
#include <unordered_map>
#include <unordered_set>

namespace atsan::check {

/// Not thread-safe.
class Witness {
public:
  /// A search ends without an answer after \p MaxStates.
  explicit Witness(size_t MaxStates = 1 << 18) : MaxStates(MaxStates) {}

  /// Takes every event of the trace, in order.
  void take(const trace::Event &E);

  /// What a thread does on a cycle: an access that the cycle enters it at and
  /// one that it leaves it at; Number 0: it does by start or join. A start or
  /// join within a transaction stands as an access, and so does, with its
  /// number, the begin or end of the thread that it is of.
  struct Visit {
    uint32_t Thread;
    NumberedEvent Entry, Exit;
  };
  enum class Answer { Found, None, Unknown };

  /// Is there a schedule in which each visit is left before the next one is
  /// entered, and the last before the first? \p OneByOne: all but the first
  /// happen, one after another, between the two accesses of the first.
  /// Unknown: there is too much to try.
  Answer find(const std::vector<Visit> &Cycle, bool OneByOne,
              std::vector<Stretch> &Schedule);
  /// How many states of searches were looked at.
  uint64_t states() const { return States; }

private:
  using Kind = trace::EventKind;
  struct Operation {
    uint64_t Number;
    uint64_t Operand; ///< The lock, the thread, or the round of a barrier.
    Kind What;
    bool IsFree; ///< The thread holds no lock before it.
  };
  /// One operation of one thread.
  struct Place {
    uint32_t Thread;
    uint32_t Operation;
  };
  struct Thread {
    std::vector<Operation> Operations;
    bool IsKnown = false; ///< Has had an event.
    bool IsStarted = false;
    bool EndsFree = true; ///< No lock is held after the last operation.
    Place Start{};        ///< The operation that started it.
    uint64_t Round = 0;
    bool IsInRound = false;
  };
  /// A part of the run: for each thread, how many operations, and the last join
  /// of it (0: none).
  struct Part {
    std::vector<uint32_t> Length;
    std::vector<uint64_t> JoinedAt;
  };
  class Search;

  const size_t MaxStates;

  void handOver(const trace::Event &E, HandOvers::Effect Does, bool IsFree);
  Place placeOf(const HandOvers::Place &P) const;
  uint32_t upTo(uint32_t Thread, uint64_t Number) const;
  bool isFree(uint32_t Thread, uint32_t Length) const;
  Part empty() const;
  void close(Part &P, std::vector<Place> Needed) const;
  Part begin(const std::vector<Visit> &Cycle) const;
  uint64_t recordedUpTo(const std::vector<Visit> &Cycle) const;
  void runRecorded(uint64_t UpTo, std::vector<Stretch> &Schedule) const;
  void run(const Part &P, std::vector<Stretch> &Schedule) const;

  std::vector<Thread> Threads;
  HandOvers Held;
  uint64_t Count = 0, States = 0;
  std::vector<Stretch> Recorded; ///< The run itself, from event 1 on.
  /// The arrivals of each round; of what was handed over, all that must come
  /// before.
  std::vector<std::vector<Place>> Rounds;
  /// The latest round of each barrier.
  std::unordered_map<uint64_t, uint64_t> Gathering;
  /// By lock, the thread that has it exclusively, plus 1.
  std::unordered_map<uint64_t, uint32_t> Owners;
  /// Locks that several threads had at once in the run: they exclude nobody.
  std::unordered_set<uint64_t> Loose;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_WITNESS_H
