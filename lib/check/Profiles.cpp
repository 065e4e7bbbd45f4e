//===- Profiles.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Profiles.h"
#include "lib/check/Violations.h"
#include <algorithm>

using namespace atsan::check;
using atsan::trace::Event;

/// Longer runs are not replayed: that takes some 100 bytes for each event that
/// is no access.
static constexpr uint64_t MaxReplayed = uint64_t(1) << 24;

Profiles::Profiles(const Options &O, bool WithLocks, size_t MaxItems,
                   size_t MaxStates, double Share, size_t AllPairs)
    : O(O), WithLocks(WithLocks), MaxItems(MaxItems), MaxStates(MaxStates),
      AllPairs(AllPairs), Limit(O), Searching(O, Share),
      Threads(O.Splits, WithLocks), Run(this->O) {
  Distinct.emplace([this](const ProfileRegion &R) { keep(R); });
  Threads.handOnTo(&*Distinct);
}

void Profiles::keep(const ProfileRegion &R) {
  Items += R.Items.size();
  if (Items <= MaxItems)
    Kept.push_back(R);
}

bool Profiles::consume(trace::EventSpan Events) {
  for (const Event &E : Events) {
    if (Limit.reached())
      return false;
    Synchronizing += !isAccess(E.Kind);
    Run.take(E);
    Threads.take(E);
  }
  if (Items > MaxItems && Distinct) {
    Threads.handOnTo(nullptr);
    Distinct.reset();
    Kept = {};
  }
  return true;
}

void Profiles::finish() {
  if (!Limit.why().empty())
    return;
  Threads.finish();
  Search.emplace(Threads, WithLocks, O.Apart, AllPairs, Searching);
  searchRegions();
  if (WithLocks && !Limit.reached() &&
      !(Search->patterns().empty() && Search->candidates().empty()))
    readAgain();
  const auto &All = Search->candidates();
  const size_t Most = O.MaxFindings ? O.MaxFindings : All.size();
  const size_t Stride =
      std::max<size_t>(1, All.size() / std::max<size_t>(1, Most));
  for (size_t First = 0; First != Stride; ++First)
    for (size_t I = First; I < All.size(); I += Stride) {
      if (Limit.reached(/*Interval=*/1) || Found.size() >= Most ||
          (!O.All && !Found.empty()))
        return;
      confirm(All[I]);
    }
}

void Profiles::searchRegions() {
  const auto Look = [&](const ProfileRegion &R) {
    if (WithLocks || O.All || Search->candidates().empty())
      Search->search(R);
  };
  if (Distinct)
    Distinct->finish();
  if (Distinct && Items <= MaxItems) {
    for (const ProfileRegion &R : Kept)
      Look(R);
    Regions = Distinct->size();
    return;
  }
  Threads.handOnTo(nullptr);
  ProfileStream Again(O.Splits, WithLocks);
  ProfileRegions All(Look);
  Run.forEach(Searching, [&](const Event &E) { Again.take(E, All); });
  if (!Searching.why().empty())
    return;
  Again.finish(All);
  All.finish();
  Regions = All.size();
}

/// Reads the run once more: for the patterns, and to replay what is found.
void Profiles::readAgain() {
  ProfileStream Again(O.Splits, /*WithLocks=*/true);
  Patterns.emplace(Threads,
                   [&](const LockPatterns::Match &M) { Search->add(M); });
  for (const LockPatterns::Pattern &P : Search->patterns())
    Patterns->add(P);
  if (Synchronizing <= MaxReplayed) {
    Schedules.emplace(MaxStates);
    Checker.emplace(O.Splits);
  }
  Run.forEach(Limit, [&](const Event &E) {
    if (Schedules) {
      Schedules->take(E);
      Checker->take(E);
    }
    if (!Patterns->empty() && !Searching.reached())
      Again.take(E, *Patterns);
  });
  if (!Patterns->empty() && Searching.why().empty())
    Again.finish(*Patterns);
}

bool Profiles::replay(const ProfileCandidate &C,
                      std::vector<Stretch> &Schedule) {
  for (const bool OneByOne : {true, false}) {
    switch (Schedules->find(C.Visits, OneByOne, Schedule)) {
    case Witness::Answer::None:
      continue;
    case Witness::Answer::Unknown:
      Undecided.insert(C.Site);
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

/// Nothing forbids what Lemma 2 asks for: the region's thread runs up to its
/// first access, then each of the others up to the access that it is left at.
static std::vector<Stretch> withoutLocks(const ProfileCandidate &C) {
  std::vector<Stretch> Schedule;
  Schedule.reserve(C.Order.size());
  for (const NumberedEvent &E : C.Order)
    Schedule.push_back({E.What.Thread, E.Number});
  return Schedule;
}

void Profiles::confirm(const ProfileCandidate &C) {
  if (Shown.count(C.Site))
    return;
  std::vector<Stretch> Schedule;
  if (!WithLocks)
    Schedule = withoutLocks(C);
  else if (Schedules && !replay(C, Schedule))
    return;
  Shown.insert(C.Site);
  report(C, std::move(Schedule));
}

void Profiles::report(const ProfileCandidate &C,
                      std::vector<Stretch> Schedule) {
  Finding F;
  F.What = Notion::Potential;
  F.Kind = "unserializable-pattern";
  F.Message = C.Visits.size() == 2
                  ? "Another thread can come between two accesses of a region"
                  : "Other threads can come between two accesses of a region";
  if (!WithLocks)
    F.Message += ", if no lock, start, join or wait forbids it";
  F.Blamed.push_back({C.Thread, beginOf(C.Region, C.Thread)});
  for (size_t I = 0; I != C.Visits.size(); ++I)
    F.Relations.push_back({C.Visits[I].Exit,
                           C.Visits[(I + 1) % C.Visits.size()].Entry,
                           reason::Conflict});
  F.Order = C.Order;
  F.Schedule = std::move(Schedule);
  if (F.Schedule.empty())
    F.Notes.push_back("This order was not replayed from the begin of the run, "
                      "which has too many operations on locks for that");
  Found.push_back(std::move(F));
}

std::string Profiles::notion() const {
  return WithLocks
             ? "could another schedule of the same events (locks, start, join "
               "and barriers respected) have a conflict graph with a cycle "
               "(TACAS'09)? Misses nothing with two threads and nested locks; "
               "what is found is potential"
             : "could the events come in another order that has a conflict "
               "graph with a cycle, with the order of each thread kept and all "
               "synchronization ignored (TACAS'09)? What is found is "
               "potential: locks may forbid it, which --algorithm=blocks "
               "decides";
}

std::string Profiles::gaveUp() const {
  const uint64_t All =
      (Patterns ? Patterns->undecided() : 0) +
      std::count_if(Undecided.begin(), Undecided.end(),
                    [this](const auto &Site) { return !Shown.count(Site); });
  if (!Limit.why().empty())
    return Limit.why();
  if (All && Searching.why().empty())
    return std::to_string(All) +
           " patterns can be run in too many ways to tell whether they can "
           "happen; make critical sections shorter, or record a shorter run";
  return Searching.why();
}

std::vector<std::pair<std::string, uint64_t>> Profiles::statistics() const {
  std::vector<std::pair<std::string, uint64_t>> Figures = {
      {"distinct regions", Regions},
      {"distinct accesses", Threads.extents().size()},
      {"candidates", Search ? Search->candidates().size() : 0},
      {"pairs of accesses looked at", Search ? Search->pairs() : 0},
      {"tables of sets of threads", Search ? Search->tables() : 0}};
  if (!WithLocks)
    return Figures;
  Figures.push_back(
      {"distinct stretches of locks", Threads.stream().stretches().size()});
  Figures.push_back(
      {"patterns under locks", Search ? Search->patterns().size() : 0});
  Figures.push_back({"candidates that no schedule has", Refuted});
  Figures.push_back({"schedules that did not stand up to a replay", Wrong});
  return Figures;
}
