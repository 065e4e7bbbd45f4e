//===- Transactions.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which transaction an event belongs to (docs/semantics.md, "transaction" and
// rules 5, 7 and 10): the outermost region of its thread, divided at
// boundaries, or the event alone.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_EVENT_TRANSACTIONS_H
#define ATSAN_EVENT_TRANSACTIONS_H

#include "lib/event/Event.h"
#include <string>
#include <vector>

namespace atsan::check {

/// --region-splits: the events that are boundaries within a region.
struct RegionSplits {
  bool Start = true;
  bool Join = true;
  bool Barrier = true;
  bool Wait = true;

  /// Reads "none", "all", or names separated by commas. Returns false, and
  /// changes nothing, if a name is misspelled.
  bool parse(const std::string &Text);
  bool isBoundary(trace::EventKind K) const;
};

/// What an event does to the transaction of its thread.
enum class Step : uint8_t {
  /// The event is alone: outside regions, or a boundary within one.
  Unary,
  Begin,      ///< An outermost region begins with this event.
  Inside,     ///< The event is of the current transaction.
  End,        ///< The outermost region ends with this event.
  Restart,    ///< The transaction ends and another begins.
  UsageError, ///< A region ends that has not begun; ignored.
};

/// Feed it every event of a trace in order. O(1) an event. A region of a thread
/// that is joined ends with it (STD text does not say where threads end).
class Transactions {
public:
  explicit Transactions(const RegionSplits &Splits) : Splits(Splits) {}

  /// A boundary within a region is Unary; the part before it ended with the
  /// event before, and what follows is of another transaction.
  Step take(const trace::Event &E);

  /// After take(): is the thread inside a region, and since which event (its
  /// place in the stream, counted from 1; a part begins after its boundary)?
  bool inRegion(uint32_t Thread) const;
  uint64_t transaction(uint32_t Thread) const;

private:
  struct ThreadState {
    uint32_t Depth = 0;
    uint64_t Part = 0;
  };
  ThreadState &at(uint32_t Thread);

  RegionSplits Splits;
  std::vector<ThreadState> Threads;
  uint64_t Count = 0;
};

} // namespace atsan::check

#endif // ATSAN_EVENT_TRANSACTIONS_H
