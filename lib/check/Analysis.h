//===- Analysis.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every algorithm of `atsan check` is: a consumer of the event stream that
// ends with findings. `Registry.cpp` is the list of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_ANALYSIS_H
#define ATSAN_CHECK_ANALYSIS_H

#include "lib/event/Event.h"
#include "lib/event/Transactions.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace atsan::check {

/// What a finding may claim (semantics rule 12).
enum class Notion : uint8_t {
  Violation, ///< Observed: a cycle in the conflict graph of this run.
  Potential, ///< Another schedule of the same events may be bad.
};

/// An event of the trace with its number, counted from 1.
struct NumberedEvent {
  uint64_t Number = 0;
  trace::Event What;
};

/// Two events in this order; `Why` says what fixes or joins them ("conflict",
/// "program order", "thread start", "lock", "holds l, lacks m"...).
struct Relation {
  NumberedEvent First;
  NumberedEvent Later;
  std::string Why;
};

/// A transaction that a finding speaks of.
struct Transaction {
  uint32_t Thread = 0;
  /// The begin of its region; Number 0: a single access outside of regions.
  NumberedEvent Begin;
};

/// One step of a schedule: the thread runs its next events up to this number.
struct Stretch {
  uint32_t Thread;
  uint64_t Last;
};

/// A read, the write that it got its value from, and the one that it would get
/// it from in another schedule; Number 0: none in the run.
struct ChangedRead {
  NumberedEvent Read, Was, Would;
};

struct Finding {
  Notion What = Notion::Violation;
  /// The kind in a word: "atomicity-violation", "irreducible-region",
  /// "unserializable-pattern", "data-race", "potential-deadlock".
  std::string Kind;
  /// The usual word for an observed cycle, such as "lost update"; empty if
  /// there is none (Shape.h).
  std::string Shape;
  /// What was found, in one sentence without the names that Relations and
  /// Blamed give.
  std::string Message;
  /// The event that closes the cycle, or completes the pattern; 0 if the
  /// finding rests on the whole trace.
  uint64_t Closing = 0;
  std::vector<Transaction> Blamed;
  /// The cycle in its order, or the pairs of the pattern.
  std::vector<Relation> Relations;
  /// Further lines for people: locks held, patterns matched.
  std::vector<std::string> Notes;
  /// The accesses of a predicted cycle, in an order in which they can happen.
  std::vector<NumberedEvent> Order;
  /// A schedule in which a predicted cycle happens, from event 1 on.
  std::vector<Stretch> Schedule;
  /// The reads in Order that would get the value of another write in Schedule
  /// than they did in the run.
  std::vector<ChangedRead> ChangedReads;
  /// The tries for a lock that failed in the run though nobody has the lock in
  /// Schedule.
  std::vector<NumberedEvent> ChangedTries;
};

/// The improvements of TSE'06 (sections 3, 4, 5.4 and 5.3) to the
/// reduction-based analyses, each of which can be left out to see what it buys.
struct Improvements {
  bool Escape = true;
  bool HappensBefore = true;
  bool MultiLockSets = true; ///< If off, Eraser's algorithm finds the races.
  bool AcqARel = true;       ///< If off, Theorem 1 decides, not Theorem 2.

  /// Reads "none", "all", or names separated by commas: escape, happens-before,
  /// multilocksets, acq-a-rel. Returns false, and changes nothing, if a name is
  /// misspelled.
  bool parse(const std::string &Text);
};

struct Options {
  bool LockEdges = false;
  /// Whether all findings are wanted, one for each region site and closing site
  /// (rule 11), rather than the first alone.
  bool All = false;
  /// Whether predictions of the same places are told apart by their threads and
  /// variables.
  bool Apart = false;
  RegionSplits Splits;
  /// The level of an algorithm that has levels: "1v", "2v" or "full".
  std::string Level = "full";
  Improvements Improved;
  /// Gives the names of locks in findings; null: they are named by address.
  const trace::Names *Names = nullptr;
  /// Reads the trace from its begin again. Null: an analysis that needs that
  /// keeps the events.
  std::function<std::unique_ptr<trace::Source>()> Again;
  /// Whether findings of `blocks` print the whole schedule.
  bool Schedule = false;
  /// How many findings a prediction makes of a run, from all over it; 0: all.
  size_t MaxFindings = 0;
  /// Limits after which an analysis gives up and says so; 0: none.
  uint64_t MaxMemoryBytes = 0;
  double MaxSeconds = 0;
};

/// Not thread-safe.
class Analysis {
public:
  virtual ~Analysis() = default;
  /// Takes the next events of the trace. Returns false if it needs no more.
  virtual bool consume(trace::EventSpan Events) = 0;
  /// Decides what rests on the whole trace, which is over (or damaged here).
  virtual void finish() {}
  virtual const std::vector<Finding> &findings() const = 0;
  /// What was decided, in one sentence for the verdict: its notion, and what
  /// an empty list of findings means.
  virtual std::string notion() const = 0;
  /// Why the analysis gave up before the end (a limit), with the remedy; empty
  /// if it did not.
  virtual std::string gaveUp() const { return std::string(); }
  /// Figures for --stats: name and value.
  virtual std::vector<std::pair<std::string, uint64_t>> statistics() const {
    return {};
  }
};

} // namespace atsan::check

#endif // ATSAN_CHECK_ANALYSIS_H
