//===- LockProfiles.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/LockProfiles.h"
#include "lib/check/Violations.h"
#include <algorithm>

using namespace atsan::check;
using atsan::trace::Event;

/// How many candidates of one site may be tried until one can happen.
static constexpr unsigned MaxTries = 8;
/// Longer runs are not replayed: that takes some 100 bytes for each event that
/// is no access.
static constexpr uint64_t MaxReplayed = uint64_t(1) << 24;

LockProfiles::LockProfiles(const Options &O)
    : O(O), Limit(O), Threads(O.Splits, /*WithLocks=*/true) {}

bool LockProfiles::consume(trace::EventSpan Events) {
  for (const Event &E : Events) {
    if (Limit.reached())
      return false;
    ++Count;
    Synchronizing += !isAccess(E.Kind);
    if (!O.Again)
      this->Events.push_back(E);
    Threads.take(E);
  }
  return true;
}

void LockProfiles::finish() {
  if (!Limit.why().empty())
    return;
  Threads.finish();
  Chains.emplace(Threads, Limit);
  Patterns.emplace(Threads, [this](const LockPatterns::Match &M) {
    const Region &R = Threads.regions()[M.Which.Region];
    addCandidate(M.Which.Region,
                 {{R.Thread, R.Items[M.Which.Last].LastEvent,
                   R.Items[M.Which.First].FirstEvent},
                  {M.Which.Thread, M.Entry, M.Exit}},
                 M.Order);
  });
  for (uint32_t R = 0; R != Threads.regions().size(); ++R)
    search(R);
  if (!Patterns->empty() || !Candidates.empty())
    readAgain();
  for (const Candidate &C : Candidates) {
    if (Limit.reached() || (!O.All && !Found.empty()))
      break;
    confirm(C);
  }
}

/// Has another thread an access in conflict with the item?
bool LockProfiles::hasConflict(uint32_t Thread, const Item &I) const {
  bool Has = false;
  Threads.forEachConflict(I.Class,
                          [&](const Extent &E) { Has |= E.Thread != Thread; });
  return Has;
}

void LockProfiles::search(uint32_t Number) {
  const Region &R = Threads.regions()[Number];
  std::vector<uint32_t> Shared;
  for (uint32_t I = 0; I != R.Items.size(); ++I)
    if (hasConflict(R.Thread, R.Items[I]))
      Shared.push_back(I);
  for (uint32_t First : Shared)
    for (uint32_t Last : Shared)
      if (R.Items[First].First < R.Items[Last].Last && !Limit.reached())
        searchPair(Number, First, Last);
}

void LockProfiles::searchPair(uint32_t Number, uint32_t FirstItem,
                              uint32_t LastItem) {
  const Region &R = Threads.regions()[Number];
  const Item &First = R.Items[FirstItem], &Last = R.Items[LastItem];
  if (First.FirstStretch && First.FirstStretch == Last.LastStretch)
    return addPatterns(Number, FirstItem, LastItem);
  // Somewhere in between the thread holds no lock: others can do there what
  // they want.
  if (!pairWithExtents(Number, First, Last) && Threads.threads() > 2)
    searchChain(Number, First, Last);
}

/// By starts, joins and barriers, can the entry come after First, and Last
/// after the exit?
bool LockProfiles::mayOverlap(const Item &First, const Item &Last,
                              const Extent &Entry, const Extent &Exit) const {
  const HappensBefore &Order = Threads.stream().order();
  return !Order.before(Entry.Around.Period, First.Around.Period) &&
         !Order.before(Last.Around.Period, Exit.Around.Period);
}

/// The accesses of a visit in the order of their thread.
static void append(std::vector<NumberedEvent> &Order,
                   const NumberedEvent &Entry, const NumberedEvent &Exit) {
  Order.push_back(Entry.Number <= Exit.Number ? Entry : Exit);
  if (Entry.Number != Exit.Number)
    Order.push_back(Entry.Number <= Exit.Number ? Exit : Entry);
}

bool LockProfiles::pairWithExtents(uint32_t Number, const Item &First,
                                   const Item &Last) {
  const Region &R = Threads.regions()[Number];
  bool Has = false;
  Threads.forEachConflict(First.Class, [&](const Extent &In) {
    if (In.Thread == R.Thread)
      return;
    Threads.forEachConflict(Last.Class, [&](const Extent &Out) {
      if (Out.Thread != In.Thread || In.First > Out.Last ||
          !mayOverlap(First, Last, In, Out))
        return;
      Has = true;
      const NumberedEvent &Entry = In.FirstEvent;
      const NumberedEvent &Exit = Out.FirstEvent.Number >= Entry.Number
                                      ? Out.FirstEvent
                                      : Out.LastEvent;
      std::vector<NumberedEvent> Order = {First.FirstEvent};
      append(Order, Entry, Exit);
      Order.push_back(Last.LastEvent);
      addCandidate(Number,
                   {{R.Thread, Last.LastEvent, First.FirstEvent},
                    {In.Thread, Entry, Exit}},
                   std::move(Order));
    });
  });
  return Has;
}

/// The locks that are held at a place of a stretch.
HeldSets::Id LockProfiles::heldAt(const Surroundings &S) {
  const auto [It, IsNew] = Held.try_emplace({S.Locks, S.Slot});
  if (!IsNew)
    return It->second;
  const LockStretches &Stretches = Threads.stream().stretches();
  HeldSets::Set Now;
  for (uint32_t I = 0; I != S.Slot; ++I) {
    const LockStretches::Operation &Op = Stretches[S.Locks][I];
    Now.erase(std::remove_if(Now.begin(), Now.end(),
                             [&](const auto &M) { return M.Lock == Op.Lock; }),
              Now.end());
    if (Op.Acquires && !Stretches.isLoose(Op.Lock))
      Now.push_back({Op.Lock, Op.Exclusive});
  }
  return It->second = Sets.of(std::move(Now));
}

/// The locks that a region holds from one access to another of one stretch.
HeldSets::Id LockProfiles::heldThroughout(const Item &First, const Item &Last) {
  HeldSets::Set Held = Sets[heldAt(First.Around)];
  const auto &All = Threads.stream().stretches()[First.Around.Locks];
  for (uint32_t I = First.Around.Slot; I < Last.Around.Slot; ++I)
    Held.erase(
        std::remove_if(Held.begin(), Held.end(),
                       [&](const auto &M) { return M.Lock == All[I].Lock; }),
        Held.end());
  return Sets.of(std::move(Held));
}

void LockProfiles::addPatterns(uint32_t Number, uint32_t FirstItem,
                               uint32_t LastItem) {
  const Region &R = Threads.regions()[Number];
  const Item &First = R.Items[FirstItem], &Last = R.Items[LastItem];
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
  for (uint32_t Thread : Others)
    Patterns->add({Number, FirstItem, LastItem, Thread});
}

/// Looks for a cycle through several other threads.
void LockProfiles::searchChain(uint32_t Number, const Item &First,
                               const Item &Last) {
  const Region &R = Threads.regions()[Number];
  const ProfileChains::Reached &From = Chains->from(R.Thread, First);
  const Extent *Best = nullptr;
  Threads.forEachConflict(Last.Class, [&](const Extent &By) {
    if (By.Thread != R.Thread && From.Entry[By.Thread] <= By.Last &&
        (!Best ||
         From.Chain[By.Thread].size() < From.Chain[Best->Thread].size()))
      Best = &By;
  });
  if (!Best || Limit.reached())
    return;
  std::vector<Witness::Visit> Visits = {
      {R.Thread, Last.LastEvent, First.FirstEvent}};
  std::vector<NumberedEvent> Order = {First.FirstEvent};
  const std::vector<ChainLink> &Chain = From.Chain[Best->Thread];
  for (size_t I = 0; I != Chain.size(); ++I) {
    const NumberedEvent &Entry = Chain[I].Entry;
    const NumberedEvent &Exit =
        I + 1 == Chain.size() ? Best->LastEvent : Chain[I + 1].From;
    Visits.push_back({Entry.What.Thread, Entry, Exit});
    append(Order, Entry, Exit);
  }
  Order.push_back(Last.LastEvent);
  addCandidate(Number, std::move(Visits), std::move(Order));
}

void LockProfiles::addCandidate(uint32_t Number,
                                std::vector<Witness::Visit> Visits,
                                std::vector<NumberedEvent> Order) {
  const NumberedEvent &Begin = Threads.regions()[Number].Begin;
  std::vector<uint64_t> Site = {Begin.What.Address,
                                Begin.What.Location,
                                Visits[0].Exit.What.Location,
                                Visits[0].Entry.What.Location,
                                Visits[1].Entry.What.Location,
                                Visits.back().Exit.What.Location};
  if (O.Apart)
    for (const Witness::Visit &V : Visits)
      Site.insert(Site.end(),
                  {V.Thread, V.Entry.What.Address, V.Exit.What.Address});
  if (++Sites[Site] <= MaxTries)
    Candidates.push_back(
        {Number, std::move(Visits), std::move(Order), std::move(Site)});
}

/// Reads the run again: for the patterns, and to replay what is found.
void LockProfiles::readAgain() {
  ProfileStream Again(O.Splits, /*WithLocks=*/true);
  if (Synchronizing <= MaxReplayed) {
    Schedules.emplace();
    Checker.emplace(O.Splits);
  }
  uint64_t Left = Count;
  const auto Take = [&](trace::EventSpan Span) {
    for (const Event &E : Span) {
      if (!Left-- || Limit.reached()) {
        Left = 0;
        return;
      }
      if (Schedules) {
        Schedules->take(E);
        Checker->take(E);
      }
      if (!Patterns->empty())
        Again.take(E, *Patterns);
    }
  };
  if (!O.Again) {
    Take({Events.data(), Events.size()});
  } else {
    const std::unique_ptr<trace::Source> Trace = O.Again();
    for (auto Span = Trace->next(); Left && !Span.empty(); Span = Trace->next())
      Take(Span);
  }
  if (!Patterns->empty())
    Again.finish(*Patterns);
}

bool LockProfiles::confirm(const Candidate &C, std::vector<Stretch> &Schedule) {
  for (const bool OneByOne : {true, false}) {
    switch (Schedules->find(C.Visits, OneByOne, Schedule)) {
    case Witness::Answer::None:
      continue;
    case Witness::Answer::Unknown:
      ++Undecided;
      return false;
    case Witness::Answer::Found:
      break;
    }
    if (Checker->check(Schedule, C.Visits).empty())
      return true;
    ++Wrong;
    return false;
  }
  ++Refuted;
  return false;
}

void LockProfiles::confirm(const Candidate &C) {
  if (Shown.count(C.Site))
    return;
  std::vector<Stretch> Schedule;
  if (Schedules && !confirm(C, Schedule))
    return;
  Shown.insert(C.Site);
  report(C, std::move(Schedule));
}

void LockProfiles::report(const Candidate &C, std::vector<Stretch> Schedule) {
  const Region &R = Threads.regions()[C.Region];
  Finding F;
  F.What = Notion::Potential;
  F.Kind = "unserializable-pattern";
  F.Message = C.Visits.size() == 2
                  ? "Another thread can come between two accesses of a region"
                  : "Other threads can come between two accesses of a region";
  F.Blamed.push_back({R.Thread, R.Begin});
  for (size_t I = 0; I != C.Visits.size(); ++I)
    F.Relations.push_back({C.Visits[I].Exit,
                           C.Visits[(I + 1) % C.Visits.size()].Entry,
                           reason::Conflict});
  F.Order = C.Order;
  F.Schedule = std::move(Schedule);
  if (!Schedules)
    F.Notes.push_back("This order was not replayed from the begin of the run, "
                      "which has too many operations on locks for that");
  Found.push_back(std::move(F));
}

std::string LockProfiles::notion() const {
  return "could another schedule of the same events (locks, start, join and "
         "barriers respected) have a conflict graph with a cycle (TACAS'09)? "
         "Misses nothing with two threads and nested locks; what is found is "
         "potential";
}

std::string LockProfiles::gaveUp() const {
  const uint64_t Patterned = Patterns ? Patterns->undecided() : 0;
  if ((Undecided || Patterned) && Limit.why().empty())
    return std::to_string(Undecided + Patterned) +
           " patterns can be run in too many ways to tell whether they can "
           "happen; make critical sections shorter, or record a shorter run";
  return Limit.why();
}

std::vector<std::pair<std::string, uint64_t>> LockProfiles::statistics() const {
  return {{"distinct regions", Threads.regions().size()},
          {"classes of accesses", Threads.classes()},
          {"distinct stretches of locks", Threads.stream().stretches().size()},
          {"patterns under locks", Patterns ? Patterns->size() : 0},
          {"candidates", Candidates.size()},
          {"candidates that no schedule has", Refuted},
          {"schedules that did not stand up to a replay", Wrong},
          {"tables of sets of threads", Chains ? Chains->tables() : 0}};
}
