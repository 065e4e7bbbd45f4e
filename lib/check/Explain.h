//===- Explain.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What findings need to be told to people: a second reading of the trace looks
// up the events that are known by their numbers only, so that the algorithms
// need not keep any. Works for the findings of every algorithm.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_EXPLAIN_H
#define ATSAN_CHECK_EXPLAIN_H

#include "lib/check/HeapBlocks.h"
#include <unordered_map>

namespace atsan::check {

/// Where an event stands.
struct Place {
  NumberedEvent Event;
  /// The region's begin; Number 0: it is outside of regions.
  NumberedEvent Region;
  /// Where the transaction begins: equal for one transaction of one thread.
  uint64_t Transaction = 0;
  /// The event that the transaction ends with; 0: it does not end before the
  /// last event that any finding names, or is not a region's.
  uint64_t End = 0;
  /// The block of the heap that the event is about; Which 0: none.
  HeapBlock Block;
};

/// The start of a thread, and how many threads its parent had started by then.
struct ThreadOrigin {
  NumberedEvent Start; ///< Its thread is the parent. Number 0: not known.
  uint64_t Which = 0;  ///< The parent's first thread is 1.
};

class Explanation {
public:
  /// Reads \p Again, the same trace from its begin, up to the last event that
  /// the findings name, and completes them: the events' contents; for a cycle
  /// program order between its edges, and whom to blame beside the region
  /// that it closes in (docs/report.md).
  Explanation(std::vector<Finding> &Findings, trace::Source &Again,
              const RegionSplits &Splits);

  /// Null for numbers that no finding names.
  const Place *find(uint64_t Number) const;
  /// The block of the heap that an event is about; null: it is about none, or
  /// no finding names it.
  const HeapBlock *heapBlock(uint64_t Number) const;
  /// Known for threads that were started before the last event that a finding
  /// names.
  ThreadOrigin origin(uint32_t Thread) const;
  /// Are two events of one transaction?
  bool areOne(const NumberedEvent &A, const NumberedEvent &B) const;

private:
  void read(trace::Source &Again, const RegionSplits &Splits);
  bool ranWholeWithin(const NumberedEvent &A, uint64_t Closing) const;
  void fill(NumberedEvent &E) const;
  void complete(Finding &F) const;
  void completeCycle(Finding &F) const;

  std::unordered_map<uint64_t, Place> Places;
  std::unordered_map<uint32_t, ThreadOrigin> Origins;
  uint64_t LastNumber = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_EXPLAIN_H
