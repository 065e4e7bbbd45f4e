//===- HappensBefore.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thread periods and which of them are concurrent (TSE'06 section 4):
// happens-before from start, join and barriers alone, which holds in every
// schedule of the same events. The clocks are those of the runtime
// (lib/reduction/atsan_periods.h); this keeps them for each period, so that
// any two can be compared later.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_HAPPENSBEFORE_H
#define ATSAN_CHECK_HAPPENSBEFORE_H

#include "lib/check/Analysis.h"
#include "lib/check/HandOvers.h"
#include <memory>
#include <unordered_map>
#include <vector>

namespace __atsan {
class PeriodClock;
class Periods;
} // namespace __atsan

namespace atsan::check {

/// tpID of the paper: a number from 0, in the order of first use.
using PeriodId = uint32_t;

/// Feed it every event of a trace in order. Not thread-safe.
class HappensBefore {
public:
  HappensBefore();
  ~HappensBefore();

  /// Start, Join and both barrier events end the period of their thread and
  /// begin another (also that of the child, for its first events); all others
  /// leave it as it is.
  void take(const trace::Event &E);
  /// Ends the period of the thread, too, where the event hands something over.
  void take(const trace::Event &E, uint64_t Number, HandOvers::Effect Does,
            const HandOvers &Given);

  /// The period in which the thread is now: after take() of a boundary, the one
  /// that it begins. Kept only for periods that are asked for: O(threads) then,
  /// O(1) after.
  PeriodId period(uint32_t Thread);
  uint32_t thread(PeriodId P) const { return Kept[P].Thread; }
  size_t periods() const { return Kept.size(); }

  /// Must A have ended before B began? O(1).
  bool before(PeriodId A, PeriodId B) const;
  /// Are the periods of different threads, and neither before the other? Then
  /// they may overlap.
  bool concurrent(PeriodId A, PeriodId B) const {
    return Kept[A].Thread != Kept[B].Thread && !before(A, B) && !before(B, A);
  }

private:
  struct KeptPeriod {
    uint32_t Thread;
    uint32_t Number; ///< Among the periods of its thread, from 1.
    std::vector<uint32_t> Clock;
  };

  std::unique_ptr<__atsan::Periods> Now;
  /// By the number of an event that tells, what came before.
  std::unordered_map<uint64_t, std::unique_ptr<__atsan::PeriodClock>> Told;
  std::vector<KeptPeriod> Kept;
  /// For each thread, its last period plus 1, or 0.
  std::vector<PeriodId> Last;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_HAPPENSBEFORE_H
