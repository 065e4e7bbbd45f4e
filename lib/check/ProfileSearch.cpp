//===- ProfileSearch.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ProfileSearch.h"
#include <algorithm>

using namespace atsan::check;

/// How many candidates of one site may be tried until one can happen.
static constexpr unsigned MaxTries = 8;

void ProfileSearch::searchPair(const ProfileRegion &R, const Item &First,
                               const Item &Last) {
  ++Pairs;
  if (areOfOneStretch(First, Last)) {
    if (isExposed(R.Thread, First) && isExposed(R.Thread, Last))
      addPatterns(R, First, Last);
    return;
  }
  // Somewhere in between the thread holds no lock: others can do there what
  // they want.
  if (!searchTwo(R, First, Last) && Threads.threads() > 2)
    searchChain(R, First, Last);
}

ProfileSearch::Site ProfileSearch::siteOf(const ProfileRegion &R,
                                          const Item &First, const Item &Last,
                                          const EventMark &Entry,
                                          const EventMark &Exit,
                                          uint32_t Other) const {
  Site S = {R.Mark.Name,
            R.Mark.Begin.Location,
            First.FirstEvent.Location,
            Last.LastEvent.Location,
            Entry.Location,
            Exit.Location};
  if (Apart)
    S.insert(S.end(), {R.Thread, Other, First.Class, Last.Class});
  return S;
}

bool ProfileSearch::isWanted(const Site &S) {
  const auto It = Sites.find(S);
  return It == Sites.end() || It->second < (WithLocks ? MaxTries : 1);
}

/// The accesses of a visit in the order of their thread.
static void append(std::vector<NumberedEvent> &Order,
                   const NumberedEvent &Entry, const NumberedEvent &Exit) {
  Order.push_back(Entry.Number <= Exit.Number ? Entry : Exit);
  if (Entry.Number != Exit.Number)
    Order.push_back(Entry.Number <= Exit.Number ? Exit : Entry);
}

/// Looks for another thread that has accesses in conflict with both.
bool ProfileSearch::searchTwo(const ProfileRegion &R, const Item &First,
                              const Item &Last) {
  bool Has = false;
  Exits.resize(Threads.threads());
  for (std::vector<const Extent *> &Of : Exits)
    Of.clear();
  Threads.forEachConflict(Last.Class, [&](const Extent &Out) {
    Exits[Out.Thread].push_back(&Out);
  });
  Threads.forEachConflict(First.Class, [&](const Extent &In) {
    if (In.Thread == R.Thread)
      return;
    for (const Extent *Exit : Exits[In.Thread]) {
      const Extent &Out = *Exit;
      if (In.First > Out.Last || !mayOverlap(First, Last, In, Out))
        continue;
      Has = true;
      const bool IsEarly = Out.FirstEvent.Number < In.FirstEvent.Number;
      Site S = siteOf(R, First, Last, In.FirstEvent,
                      IsEarly ? Out.LastEvent : Out.FirstEvent, In.Thread);
      if (!isWanted(S))
        continue;
      const NumberedEvent Entry = Threads.first(In),
                          Left =
                              IsEarly ? Threads.last(Out) : Threads.first(Out);
      const ProfileStream &Run = Threads.stream();
      const NumberedEvent Begin = Run.eventOf(First.FirstEvent, First.Class,
                                              R.Thread),
                          End =
                              Run.eventOf(Last.LastEvent, Last.Class, R.Thread);
      std::vector<NumberedEvent> Order = {Begin};
      append(Order, Entry, Left);
      Order.push_back(End);
      ++Sites[S];
      Candidates.push_back({R.Thread,
                            R.Mark,
                            {{R.Thread, End, Begin}, {In.Thread, Entry, Left}},
                            std::move(Order),
                            std::move(S)});
    }
  });
  return Has;
}

/// Looks for a cycle through several other threads.
void ProfileSearch::searchChain(const ProfileRegion &R, const Item &First,
                                const Item &Last) {
  const ProfileChains::Reached &From =
      Chains.from(R.Thread, First.Class, First.Around.Period);
  std::vector<const Extent *> Ends; // One of each thread.
  Threads.forEachConflict(Last.Class, [&](const Extent &By) {
    if (By.Thread != R.Thread && From.Entry[By.Thread] <= By.Last &&
        mayOverlap(First, Last, By, By) &&
        std::none_of(Ends.begin(), Ends.end(),
                     [&](const Extent *E) { return E->Thread == By.Thread; }))
      Ends.push_back(&By);
  });
  if (!Limit.why().empty())
    return;
  std::sort(Ends.begin(), Ends.end(), [&](const Extent *A, const Extent *B) {
    return std::pair(From.length(A->Thread), A->Thread) <
           std::pair(From.length(B->Thread), B->Thread);
  });
  // Where nothing forbids a chain, the shortest one can happen.
  if (!WithLocks && Ends.size() > 1)
    Ends.resize(1);
  for (const Extent *End : Ends)
    addChain(R, First, Last, From.chain(End->Thread), *End);
}

void ProfileSearch::addChain(const ProfileRegion &R, const Item &First,
                             const Item &Last,
                             const std::vector<ChainLink> &Chain,
                             const Extent &By) {
  const NumberedEvent &Entered = Chain.front().Entry;
  Site S = siteOf(R, First, Last,
                  {Entered.Number, Entered.What.Location, Entered.What.Kind},
                  By.LastEvent, By.Thread);
  if (!isWanted(S))
    return;
  ++Sites[S];
  const ProfileStream &Run = Threads.stream();
  const NumberedEvent Begin =
                          Run.eventOf(First.FirstEvent, First.Class, R.Thread),
                      End = Run.eventOf(Last.LastEvent, Last.Class, R.Thread);
  ProfileCandidate C{
      R.Thread, R.Mark, {{R.Thread, End, Begin}}, {Begin}, std::move(S)};
  for (size_t I = 0; I != Chain.size(); ++I) {
    const NumberedEvent &Entry = Chain[I].Entry;
    const NumberedEvent Exit =
        I + 1 == Chain.size() ? Threads.last(By) : Chain[I + 1].From;
    C.Visits.push_back({Entry.What.Thread, Entry, Exit});
    append(C.Order, Entry, Exit);
  }
  C.Order.push_back(End);
  Candidates.push_back(std::move(C));
}

/// What is held at each place of a stretch, worked out once.
const std::vector<HeldSets::Id> &ProfileSearch::heldIn(LockStretches::Id S) {
  const LockStretches &Stretches = Threads.stream().stretches();
  Held.resize(Stretches.size());
  std::vector<HeldSets::Id> &Of = Held[S];
  if (!Of.empty())
    return Of;
  const std::vector<LockStretches::Operation> &All = Stretches[S];
  const auto Without = [](HeldSets::Set &Locks, uint32_t Lock) {
    Locks.erase(std::remove_if(Locks.begin(), Locks.end(),
                               [&](const auto &M) { return M.Lock == Lock; }),
                Locks.end());
  };
  HeldSets::Set Now, Always;
  if (!All.empty() && All[0].Acquires && !Stretches.isLoose(All[0].Lock))
    Always.push_back({All[0].Lock, All[0].Exclusive});
  for (size_t I = 1; I + 1 < All.size(); ++I)
    Without(Always, All[I].Lock);
  Of = {Sets.of(std::move(Always)), HeldSets::Empty};
  for (const LockStretches::Operation &Op : All) {
    Without(Now, Op.Lock);
    if (Op.Acquires && !Stretches.isLoose(Op.Lock))
      Now.push_back({Op.Lock, Op.Exclusive});
    Of.push_back(Sets.of(Now));
  }
  return Of;
}

/// The locks that are held at a place of a stretch.
HeldSets::Id ProfileSearch::heldAt(const Surroundings &S) {
  return S.Locks == LockStretches::Free ? HeldSets::Empty
                                        : heldIn(S.Locks)[1 + S.Slot];
}

/// The lock that is held from the first operation of a stretch to its last.
HeldSets::Id ProfileSearch::heldAlways(LockStretches::Id S) {
  return heldIn(S)[0];
}

/// The locks that a region holds from one access to another of one stretch.
HeldSets::Id ProfileSearch::heldThroughout(const Item &First,
                                           const Item &Last) {
  HeldSets::Set Now = Sets[heldAt(First.Around)];
  const auto &All = Threads.stream().stretches()[First.Around.Locks];
  for (uint32_t I = First.Around.Slot; I < Last.Around.Slot; ++I)
    Now.erase(
        std::remove_if(Now.begin(), Now.end(),
                       [&](const auto &M) { return M.Lock == All[I].Lock; }),
        Now.end());
  return Sets.of(std::move(Now));
}

void ProfileSearch::addPatterns(const ProfileRegion &R, const Item &First,
                                const Item &Last) {
  const HeldSets::Id Throughout = heldThroughout(First, Last);
  std::set<uint32_t> Others;
  Threads.forEachConflict(First.Class, [&](const Extent &In) {
    if (In.Thread == R.Thread || Others.count(In.Thread) ||
        Sets.exclude(Throughout, heldAt(In.Around)))
      return;
    Threads.forEachConflict(Last.Class, [&](const Extent &Out) {
      if (Out.Thread == In.Thread && In.First <= Out.Last &&
          mayOverlap(First, Last, In, Out) &&
          !Sets.exclude(Throughout, heldAt(Out.Around)))
        Others.insert(In.Thread);
    });
  });
  for (uint32_t Other : Others)
    Patterns.push_back({R.Thread, R.Mark, First, Last, Other});
}

void ProfileSearch::add(const LockPatterns::Match &M) {
  const LockPatterns::Pattern &P = M.Which;
  const auto MarkOf = [](const NumberedEvent &E) {
    return EventMark{E.Number, E.What.Location, E.What.Kind};
  };
  Site S = siteOf({P.Thread, P.Region, {}}, P.First, P.Last, MarkOf(M.Entry),
                  MarkOf(M.Exit), P.Other);
  if (!isWanted(S))
    return;
  ++Sites[S];
  const ProfileStream &Run = Threads.stream();
  Candidates.push_back(
      {P.Thread,
       P.Region,
       {{P.Thread, Run.eventOf(P.Last.LastEvent, P.Last.Class, P.Thread),
         Run.eventOf(P.First.FirstEvent, P.First.Class, P.Thread)},
        {P.Other, M.Entry, M.Exit}},
       M.Order,
       std::move(S)});
}
