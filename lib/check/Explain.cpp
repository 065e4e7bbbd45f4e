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
using atsan::trace::EventKind;

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
  for (NumberedEvent &E : Of.ChangedTries)
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

// The thread's transaction ends with an event: notes it in its places.
static void endIn(std::vector<Place *> &Open, uint64_t Thread,
                  uint64_t Number) {
  auto IsOf = [&](Place *P) {
    if (P->Event.What.Thread != Thread)
      return false;
    P->End = Number;
    return true;
  };
  Open.erase(std::remove_if(Open.begin(), Open.end(), IsOf), Open.end());
}

// Is the event about something in memory, which is at its address?
static bool hasObject(EventKind K) {
  return atsan::trace::isAccess(K) || atsan::trace::isOfLock(K) ||
         K == EventKind::TryFailed || K == EventKind::Birth;
}

void Explanation::read(trace::Source &Again, const RegionSplits &Splits) {
  // The last begin of each thread.
  std::unordered_map<uint32_t, NumberedEvent> Regions;
  std::vector<Place *> Open; // Places in transactions that go on.
  Transactions Order(Splits);
  HeapBlocks Heap;
  std::unordered_map<uint32_t, uint64_t> Started; // By whom, how many.
  uint64_t Number = 0;
  while (Number < LastNumber) {
    const trace::EventSpan Events = Again.next();
    if (Events.empty())
      return;
    for (const Event &E : Events) {
      ++Number;
      const Step S = Order.take(E);
      Heap.take({Number, E});
      if (E.Kind == EventKind::Start)
        Origins[E.Address] = {{Number, E}, ++Started[E.Thread]};
      if (S == Step::Begin)
        Regions[E.Thread] = {Number, E};
      if (S == Step::Unary || S == Step::Restart || S == Step::End)
        endIn(Open, E.Thread, Number);
      if (E.Kind == EventKind::Join && E.Address != E.Thread)
        endIn(Open, E.Address, Number);
      auto I = Places.find(Number);
      if (I == Places.end())
        continue;
      Place &P = I->second;
      P.Event = {Number, E};
      if (const HeapBlock *B = hasObject(E.Kind) ? Heap.at(E.Address) : nullptr)
        P.Block = *B;
      const bool IsInside = S == Step::Inside || S == Step::Begin ||
                            S == Step::End || S == Step::Restart;
      P.Transaction = IsInside ? Order.transaction(E.Thread) : Number;
      if (!IsInside)
        continue;
      P.Region = Regions[E.Thread];
      if (S != Step::End)
        Open.push_back(&P);
    }
  }
}

const Place *Explanation::find(uint64_t Number) const {
  auto I = Places.find(Number);
  return I == Places.end() || !I->second.Event.Number ? nullptr : &I->second;
}

const HeapBlock *Explanation::heapBlock(uint64_t Number) const {
  const Place *P = find(Number);
  return P && P->Block.Which ? &P->Block : nullptr;
}

ThreadOrigin Explanation::origin(uint32_t Thread) const {
  const auto I = Origins.find(Thread);
  return I == Origins.end() ? ThreadOrigin() : I->second;
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

// Did the transaction of an event begin and end while the one was open that a
// cycle closed in, before it did?
bool Explanation::ranWholeWithin(const NumberedEvent &A,
                                 uint64_t Closing) const {
  const Place *Inner = find(A.Number), *Outer = find(Closing);
  return Inner && Outer && Inner->Transaction > Outer->Transaction &&
         Inner->End && Inner->End < Closing;
}

void Explanation::completeCycle(Finding &F) const {
  // The closing region alone is to blame if every other one began and ended
  // while it was open, or was left no earlier than it was entered.
  bool IsAlone = true;
  std::vector<Relation> Cycle;
  for (size_t I = 0; I < F.Relations.size(); ++I) {
    const Relation &R = F.Relations[I];
    if (I) {
      const NumberedEvent &In = F.Relations[I - 1].Later;
      if (!areOne(In, R.First))
        Cycle.push_back({In, R.First, reason::ProgramOrder});
      else if (R.First.Number < In.Number && !ranWholeWithin(In, F.Closing))
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
