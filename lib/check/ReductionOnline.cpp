//===- ReductionOnline.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ReductionOnline.h"

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
  switch (E.Kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
    if (E.Size > MaxAccessBytes)
      Limit.giveUp(tooManyBytes(Count, E));
    else
      Checker.Access(E.Thread, E.Address, E.Size, writes(E.Kind), E.IsAtomic,
                     At);
    break;
  case EventKind::RegionBegin:
    if (S != Step::Begin)
      break;
    Regions[E.Thread] = {Count, E};
    Checker.RegionBegin(E.Thread, 0, At);
    break;
  case EventKind::RegionEnd:
    if (S == Step::End)
      Checker.RegionEnd(E.Thread);
    break;
  case EventKind::Restart:
    Checker.Divide(E.Thread, At);
    break;
  case EventKind::Acquire:
  case EventKind::AcquireShared:
    Checker.Acquire(E.Thread, E.Address, isShared(E.Kind), At);
    break;
  case EventKind::Release:
  case EventKind::ReleaseShared:
    Checker.Release(E.Thread, E.Address, isShared(E.Kind), At);
    break;
  case EventKind::Start:
    Checker.Start(E.Thread, E.Address, Divides, At);
    break;
  case EventKind::Join:
    Checker.Join(E.Thread, E.Address, Divides, At);
    break;
  case EventKind::End:
    Checker.End(E.Thread);
    break;
  case EventKind::BarrierArrive:
    Checker.Arrive(E.Thread, E.Address, E.Size, Divides, At);
    break;
  case EventKind::BarrierLeave:
    Checker.Leave(E.Thread, E.Address, Divides, At);
    break;
  case EventKind::Wait:
    Checker.Wait(E.Thread, E.Address, Divides, At);
    break;
  case EventKind::Birth:
  case EventKind::Death:
  case EventKind::Pointer:
    feedMemory(Checker, E);
    break;
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
