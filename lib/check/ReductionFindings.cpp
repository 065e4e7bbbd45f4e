//===- ReductionFindings.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ReductionFindings.h"
#include <algorithm>

using namespace atsan::check;
using namespace __atsan;

std::optional<StepKind> atsan::check::boundaryStep(trace::EventKind K) {
  switch (K) {
  case trace::EventKind::Start:
    return StepKind::kStart;
  case trace::EventKind::Join:
    return StepKind::kJoin;
  case trace::EventKind::BarrierArrive:
    return StepKind::kArrive;
  case trace::EventKind::BarrierLeave:
    return StepKind::kLeave;
  case trace::EventKind::Wait:
    return StepKind::kWait;
  default:
    return std::nullopt;
  }
}

static std::string withClass(const ReductionStep &S, const FactWords &W) {
  return std::string(NameOf(S.kind)) + (S.lock ? ' ' + W.lock(S.lock) : "") +
         " (a " + NameOf(S.mover) + ")";
}

// Tells why the event is in its class.
static void explain(Finding &F, const ReductionStep &S, const FactWords &W) {
  Relation Reason;
  if (S.race)
    Reason = W.race(*S.race);
  else if (S.kind == StepKind::kAcquire || S.kind == StepKind::kRelease)
    Reason = W.sharing(S.lock);
  else
    return;
  for (const Relation &R : F.Relations)
    if (R.First.Number == Reason.First.Number &&
        R.Later.Number == Reason.Later.Number && R.Why == Reason.Why)
      return;
  F.Relations.push_back(std::move(Reason));
  const std::string Doubt = S.race ? W.raceNote(*S.race) : std::string();
  if (!Doubt.empty() &&
      std::find(F.Notes.begin(), F.Notes.end(), Doubt) == F.Notes.end())
    F.Notes.push_back(Doubt);
}

void ReductionFindings::add(const IrreducibleRegion &Irreducible,
                            const NumberedEvent &Region, Commutativity &Facts) {
  const ReductionStep &Commit = Irreducible.commit, &Late = Irreducible.breaks;
  if (!wantsMore() || !Sites.add(Region.What, Late.location, Late.addr))
    return;
  const FactWords W(Given, Facts);
  Finding F;
  F.What = Notion::Potential;
  F.Kind = "irreducible-region";
  F.Message = "Other threads may come in between two events of a region: it "
              "is not of the form of right-movers, at most one non-mover, "
              "left-movers, so that reduction cannot show that it is atomic";
  F.Closing = Late.event;
  F.Blamed.push_back({Irreducible.thread, Region});
  F.Relations.push_back(
      {{Commit.event, {}},
       {Late.event, {}},
       withClass(Commit, W) + ", and after it " + withClass(Late, W)});
  if (Commit.kind == StepKind::kRelease && Late.kind == StepKind::kAcquire &&
      Commit.lock == Late.lock)
    F.Notes.push_back("Lock " + W.lock(Commit.lock) +
                      " is released and acquired again within the region");
  explain(F, Commit, W);
  explain(F, Late, W);
  Found.push_back(std::move(F));
}

void ReductionFindings::sort() {
  std::sort(Found.begin(), Found.end(), [](const Finding &A, const Finding &B) {
    return A.Closing < B.Closing;
  });
}
