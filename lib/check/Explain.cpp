//===- Explain.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Explain.h"
#include "lib/check/Shape.h"
#include "lib/check/Violations.h"
#include <algorithm>

using namespace atsan::check;
using atsan::trace::Event;

// Calls Do(a NumberedEvent of the finding) for all of them.
template <typename F> static void forEachEvent(Finding &Of, F Do) {
  for (Transaction &T : Of.Blamed)
    Do(T.Begin);
  for (Relation &R : Of.Relations) {
    Do(R.First);
    Do(R.Later);
  }
  for (NumberedEvent &E : Of.Order)
    Do(E);
  for (ChangedRead &R : Of.ChangedReads) {
    Do(R.Read);
    Do(R.Was);
    Do(R.Would);
  }
}

Explanation::Explanation(std::vector<Finding> &Findings, trace::Source &Again,
                         const RegionSplits &Splits) {
  auto Want = [&](uint64_t Number) {
    if (!Number)
      return;
    Places[Number];
    LastNumber = std::max(LastNumber, Number);
  };
  for (Finding &F : Findings) {
    Want(F.Closing);
    forEachEvent(F, [&](const NumberedEvent &E) { Want(E.Number); });
  }
  read(Again, Splits);
  for (Finding &F : Findings)
    complete(F);
}

void Explanation::read(trace::Source &Again, const RegionSplits &Splits) {
  // The last begin of each thread.
  std::unordered_map<uint32_t, NumberedEvent> Regions;
  Transactions Order(Splits);
  uint64_t Number = 0;
  while (Number < LastNumber) {
    const trace::EventSpan Events = Again.next();
    if (Events.empty())
      return;
    for (const Event &E : Events) {
      ++Number;
      const Step S = Order.take(E);
      if (S == Step::Begin)
        Regions[E.Thread] = {Number, E};
      auto I = Places.find(Number);
      if (I == Places.end())
        continue;
      Place &P = I->second;
      P.Event = {Number, E};
      const bool IsInside = S == Step::Inside || S == Step::Begin ||
                            S == Step::End || S == Step::Restart;
      P.Transaction = IsInside ? Order.transaction(E.Thread) : Number;
      if (IsInside)
        P.Region = Regions[E.Thread];
    }
  }
}

const Place *Explanation::find(uint64_t Number) const {
  auto I = Places.find(Number);
  return I == Places.end() || !I->second.Event.Number ? nullptr : &I->second;
}

bool Explanation::areOne(const NumberedEvent &A, const NumberedEvent &B) const {
  const Place *PA = find(A.Number), *PB = find(B.Number);
  // The begin and the end of a thread have no place.
  if (!PA || !PB)
    return A.Number == B.Number && A.What.Thread == B.What.Thread;
  return PA->Transaction == PB->Transaction &&
         PA->Event.What.Thread == PB->Event.What.Thread;
}

void Explanation::fill(NumberedEvent &E) const {
  if (const Place *P = find(E.Number))
    E.What = P->Event.What;
}

void Explanation::complete(Finding &F) const {
  forEachEvent(F, [&](NumberedEvent &E) { fill(E); });
  if (F.What == Notion::Violation) {
    completeCycle(F);
    F.Shape = shapeOf(F);
  }
}

void Explanation::completeCycle(Finding &F) const {
  // The closing region alone is to blame if every other one ran whole within
  // it, as far as the cycle goes: nothing else of the cycle happened between
  // the events where it was entered and left.
  auto IsBetween = [&](const NumberedEvent &A, const NumberedEvent &B) {
    for (const Relation &R : F.Relations)
      for (const NumberedEvent *E : {&R.First, &R.Later})
        if (A.Number < E->Number && E->Number < B.Number && !areOne(A, *E))
          return true;
    return false;
  };
  bool IsAlone = true;
  std::vector<Relation> Cycle;
  for (size_t I = 0; I < F.Relations.size(); ++I) {
    const Relation &R = F.Relations[I];
    if (I) {
      const NumberedEvent &In = F.Relations[I - 1].Later;
      if (!areOne(In, R.First))
        Cycle.push_back({In, R.First, reason::ProgramOrder});
      else if (IsBetween(R.First, In))
        IsAlone = false;
    }
    Cycle.push_back(R);
  }
  F.Relations = std::move(Cycle);
  if (IsAlone)
    return;
  for (const Relation &R : F.Relations)
    for (const NumberedEvent *E : {&R.First, &R.Later}) {
      const Place *P = find(E->Number);
      if (!P || !P->Region.Number)
        continue;
      const Transaction T = {P->Region.What.Thread, P->Region};
      if (std::none_of(F.Blamed.begin(), F.Blamed.end(),
                       [&](const Transaction &B) {
                         return B.Begin.Number == T.Begin.Number;
                       }))
        F.Blamed.push_back(T);
    }
}
