//===- ReductionOnline.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ReductionOnline.h"
#include "lib/event/ReductionFeed.h"

using namespace atsan::check;
using namespace __atsan;
using atsan::trace::Event;
using atsan::trace::EventKind;

ReductionOnline::ReductionOnline(const Options &O)
    : Given(O), Limit(O), Order(O.Splits), Found(O),
      Checker(commutativityOptions(O), {this, locationOf, found}) {}

void ReductionOnline::found(void *Self, const IrreducibleRegion &Region) {
  ReductionOnline &R = *static_cast<ReductionOnline *>(Self);
  R.Found.add(Region, R.Regions[Region.thread], R.Checker.Facts());
}

bool ReductionOnline::consume(trace::EventSpan Events) {
  for (const Event &E : Events) {
    ++Count;
    take(E);
    if (Limit.reached() || !Found.wantsMore())
      return false;
  }
  return true;
}

void ReductionOnline::take(const Event &E) {
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
    trace::feedReduction(
        Checker, {E.Address, E.Size, E.Thread, E.Kind, E.IsAtomic, E.IsStack},
        Divides, At);
  }
}

std::string ReductionOnline::notion() const {
  return "regions that reduction (TSE'06 Theorem 1, by what was seen up to "
         "each event) cannot show to be atomic; what is not found may still "
         "be irreducible by the whole trace";
}

std::vector<std::pair<std::string, uint64_t>>
ReductionOnline::statistics() const {
  Commutativity &Facts = const_cast<ReductionChecker &>(Checker).Facts();
  return {{"accesses to escaped memory", Facts.NumEscaped()},
          {"accesses to memory that has not escaped", Facts.NumUnescaped()},
          {"variables", Facts.LiveVariables()}};
}
