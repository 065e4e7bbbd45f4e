//===- ReductionOnline.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reduction-based algorithm online (TSE'06 Theorem 1, as Atomizer): the
// checker that runs in process (lib/reduction/atsan_reduction.h), fed by a
// trace.
//
// An event is classified when it happens. So a transaction may pass because a
// race on its variables, or a second user of its locks, shows only later; the
// offline form (Reduction.h, without AcqA*Rel) reports whatever this one does.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Factories.h"
#include "lib/check/Limits.h"
#include "lib/check/ReductionFindings.h"
#include "lib/event/ReductionFeed.h"

using namespace atsan::check;
using namespace __atsan;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

class ReductionOnline final : public Analysis {
public:
  explicit ReductionOnline(const Options &O)
      : Given(O), Limit(O), Order(O.Splits), Found(O),
        Checker(commutativityOptions(O), {this, locationOf, found}) {}

  bool consume(atsan::trace::EventSpan Events) override {
    for (const Event &E : Events) {
      ++Count;
      take(E);
      if (Limit.reached() || !Found.wantsMore())
        return false;
    }
    return true;
  }

  const std::vector<Finding> &findings() const override {
    return Found.findings();
  }

  std::string notion() const override {
    return "regions that reduction (TSE'06 Theorem 1, by what was seen up to "
           "each event) cannot show to be atomic; what is not found may still "
           "be irreducible by the whole trace";
  }

  std::string gaveUp() const override { return Limit.why(); }

  std::vector<std::pair<std::string, uint64_t>> statistics() const override {
    Commutativity &Facts = const_cast<ReductionChecker &>(Checker).Facts();
    return {{"accesses to escaped memory", Facts.NumEscaped()},
            {"accesses to memory that has not escaped", Facts.NumUnescaped()},
            {"variables", Facts.LiveVariables()}};
  }

private:
  static void found(void *Self, const IrreducibleRegion &Region) {
    ReductionOnline &R = *static_cast<ReductionOnline *>(Self);
    R.Found.add(Region, R.Regions[Region.thread], R.Checker.Facts());
  }

  void take(const Event &E) {
    const EventPoint At = {Count, E.Location};
    const Step S = Order.take(E);
    if (E.Thread >= Regions.size())
      Regions.resize(size_t(E.Thread) + 1);
    const bool Divides = Given.Splits.isBoundary(E.Kind);
    if (isAccess(E.Kind) && E.Size > MaxAccessBytes) {
      Limit.giveUp(tooManyBytes(Count, E));
    } else if (E.Kind == EventKind::RegionBegin && S == Step::Begin) {
      Regions[E.Thread] = {Count, E};
      Checker.RegionBegin(E.Thread, 0, At);
    } else if (E.Kind == EventKind::RegionEnd && S == Step::End) {
      Checker.RegionEnd(E.Thread);
    } else {
      atsan::trace::feedReduction(
          Checker, {E.Address, E.Size, E.Thread, E.Kind, E.IsAtomic, E.IsStack},
          Divides, At);
    }
  }

  Options Given;
  Limits Limit;
  Transactions Order;
  ReductionFindings Found;
  ReductionChecker Checker;
  std::vector<NumberedEvent> Regions; // The begin of each thread's region.
  uint64_t Count = 0;
};

} // namespace

std::unique_ptr<Analysis> atsan::check::makeReductionOnline(const Options &O) {
  return std::make_unique<ReductionOnline>(O);
}
