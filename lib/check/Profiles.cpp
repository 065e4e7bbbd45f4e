//===- Profiles.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Profiles.h"
#include "lib/check/Violations.h"

using namespace atsan::check;

Profiles::Profiles(const Options &O)
    : O(O), Limit(O), Threads(O.Splits, /*WithLocks=*/false) {}

bool Profiles::consume(trace::EventSpan Events) {
  for (const trace::Event &E : Events) {
    if (Limit.reached())
      return false;
    Threads.take(E);
  }
  return true;
}

void Profiles::finish() {
  if (!Limit.why().empty())
    return;
  Threads.finish();
  Chains.emplace(Threads, Limit);
  for (const Region &R : Threads.regions())
    search(R);
}

void Profiles::search(const Region &R) {
  for (const Item &First : R.Items)
    if (!Limit.reached() && (O.All || Found.empty()))
      searchFrom(R, First);
}

/// Looks for chains from an access of a region to a later one of it.
void Profiles::searchFrom(const Region &R, const Item &First) {
  const ProfileChains::Reached &From = Chains->from(R.Thread, First);
  for (const Item &Last : R.Items) {
    if (First.First >= Last.Last || (!O.All && !Found.empty()))
      continue;
    const ThreadProfiles::Extent *Best = nullptr;
    Threads.forEachConflict(Last.Class, [&](const ThreadProfiles::Extent &By) {
      if (By.Thread != R.Thread && From.Entry[By.Thread] <= By.Last &&
          (!Best ||
           From.Chain[By.Thread].size() < From.Chain[Best->Thread].size()))
        Best = &By;
    });
    if (Best && Limit.why().empty())
      report(R, First, Last, From.Chain[Best->Thread], Best->LastEvent);
  }
}

void Profiles::report(const Region &R, const Item &First, const Item &Last,
                      const std::vector<ChainLink> &Chain,
                      const NumberedEvent &Left) {
  std::vector<uint64_t> Site = {
      R.Begin.What.Address,
      R.Begin.What.Location,
      First.FirstEvent.What.Location,
      Last.LastEvent.What.Location,
      Chain.front().Entry.What.Location,
      Left.What.Location,
  };
  if (O.Apart)
    Site.insert(Site.end(),
                {R.Thread, First.Class, Last.Class, Left.What.Thread});
  if (!Sites.insert(std::move(Site)).second)
    return;
  Finding F;
  F.What = Notion::Potential;
  F.Kind = "unserializable-pattern";
  F.Message = "Other threads can come between two accesses of a region, if no "
              "lock, start, join or wait forbids it";
  F.Blamed.push_back({R.Thread, R.Begin});
  NumberedEvent From = First.FirstEvent;
  for (const ChainLink &Link : Chain) {
    F.Relations.push_back({&Link == &Chain.front() ? From : Link.From,
                           Link.Entry, reason::Conflict});
  }
  F.Relations.push_back({Left, Last.LastEvent, reason::Conflict});
  schedule(F);
  Found.push_back(std::move(F));
}

/// Nothing forbids what Lemma 2 asks for: the region's thread runs up to its
/// first access, then each of the others up to the access that it is left at.
void Profiles::schedule(Finding &F) {
  for (size_t I = 0; I != F.Relations.size(); ++I) {
    const NumberedEvent &Exit = F.Relations[I].First;
    const NumberedEvent *Entry = I ? &F.Relations[I - 1].Later : nullptr;
    if (Entry && Entry->Number < Exit.Number)
      F.Order.push_back(*Entry);
    F.Order.push_back(Exit);
    if (Entry && Entry->Number > Exit.Number)
      F.Order.push_back(*Entry);
    F.Schedule.push_back({Exit.What.Thread, F.Order.back().Number});
  }
  const NumberedEvent &Last = F.Relations.back().Later;
  F.Order.push_back(Last);
  F.Schedule.push_back({Last.What.Thread, Last.Number});
}

std::string Profiles::notion() const {
  return "could the events come in another order that has a conflict graph "
         "with a cycle, with the order of each thread kept and all "
         "synchronization ignored (TACAS'09)? What is found is potential: "
         "locks may forbid it, which --algorithm=blocks decides";
}

std::vector<std::pair<std::string, uint64_t>> Profiles::statistics() const {
  return {{"distinct regions", Threads.regions().size()},
          {"classes of accesses", Threads.classes()},
          {"tables of sets of threads", Chains ? Chains->tables() : 0}};
}
