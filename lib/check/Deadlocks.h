//===- Deadlocks.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan check --algorithm=deadlocks`: could threads wait for each other's
// locks in a circle? Any number of locks and threads, where TSE'06 (section 2)
// stops at two: cycles in the lock-order graph whose steps are of distinct
// threads that can be there at the same time, by start, join and barriers and
// by the locks that they hold (a common "gate" lock keeps them apart). Shared
// modes respected; taking again what one holds is ignored.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_DEADLOCKS_H
#define ATSAN_CHECK_DEADLOCKS_H

#include "lib/check/Analysis.h"
#include "lib/check/HappensBefore.h"
#include "lib/check/HeldSets.h"
#include "lib/check/Limits.h"
#include "lib/check/LocksHeld.h"
#include <map>
#include <set>
#include <tuple>

namespace atsan::check {

/// Memory is bounded by distinct steps (thread, period, locks held, lock
/// taken). Exponential in the length of cycles at worst.
class Deadlocks : public Analysis {
public:
  explicit Deadlocks(const Options &O) : O(O), Limit(O) {}

  bool consume(trace::EventSpan Events) override;
  void finish() override;
  const std::vector<Finding> &findings() const override { return Found; }
  std::string notion() const override;
  std::string gaveUp() const override { return Limit.why(); }
  std::vector<std::pair<std::string, uint64_t>> statistics() const override {
    return {{"distinct lock acquisitions under locks", Steps.size()}};
  }

private:
  /// A lock is taken while others are held.
  struct Step {
    PeriodId Period;
    HeldSets::Id Held;
    HeldSets::Id Taken; ///< The lock that is taken, a set of one.
    NumberedEvent Event;
    /// Where each lock of Held was acquired.
    std::vector<NumberedEvent> Acquired;
    /// For prune(): how many of the locks held a step that is left takes.
    size_t Awaited = 0;
    bool IsUseful = true;
  };

  void take(const trace::Event &E);
  void prune();
  void extend();
  bool fits(const Step &Next) const;
  void report();
  uint64_t taken(const Step &S) const { return Sets[S.Taken][0].Lock; }

  const Options O;
  Limits Limit;
  HappensBefore Order;
  LocksHeld Held;
  HeldSets Sets;
  uint64_t Count = 0;
  std::map<std::tuple<PeriodId, HeldSets::Id, HeldSets::Id, uint32_t>, Step>
      Steps;
  /// Steps that hold a lock, by lock.
  std::map<uint64_t, std::vector<const Step *>> Holding;
  std::vector<const Step *> Path;
  size_t Length = 0; ///< The length of cycles that are looked for.
  bool Deeper = false;
  std::vector<Finding> Found;
  std::set<std::set<std::pair<uint64_t, uint32_t>>> Sites;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_DEADLOCKS_H
