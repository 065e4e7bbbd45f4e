//===- ProfilePairs.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which pairs of a region's accesses could be the first and the last of a
// cycle? Looking at each pair would take the square of the region's length.
// Skipped is only what ProfileSearch::searchPair would make nothing of, and the
// others come in the order of the region, so what is found is the same.
//
//===----------------------------------------------------------------------===//

#include "lib/check/ProfileSearch.h"
#include <algorithm>

using namespace atsan::check;

/// Is another thread's access in conflict with the class?
bool ProfileSearch::isShared(uint32_t Thread, AccessClass C) {
  enum : uint32_t { Unknown, Nobody, Several, Only };
  if (Sharers.empty())
    Sharers.resize(2 * Threads.stream().bytes().ranges().size());
  uint32_t &By = Sharers[C];
  if (By == Unknown) {
    By = Nobody;
    Threads.forEachConflict(C, [&](const Extent &E) {
      const uint32_t One = Only + E.Thread;
      By = By == Nobody || By == One ? One : uint32_t(Several);
    });
  }
  return By == Several || (By >= Only && By != Only + Thread);
}

/// Could another thread make a conflicting access while the locks are held that
/// the item's thread has from one end of the item's stretch to the other?
bool ProfileSearch::isExposed(uint32_t Thread, const Item &I) {
  if (Exposed.empty())
    Exposed.resize(Threads.extents().size());
  uint8_t &Is = Exposed[Threads.find(I.Class, Thread, I.Around)];
  if (!Is) {
    const HeldSets::Id Always = heldAlways(I.Around.Locks);
    Is = 1;
    Threads.forEachConflict(I.Class, [&](const Extent &E) {
      if (E.Thread != Thread && !Sets.exclude(Always, heldAt(E.Around)))
        Is = 2;
    });
  }
  return Is == 2;
}

/// By starts, joins and barriers, can the entry come after First?
bool ProfileSearch::mayEnter(const Item &First, const Extent &Entry) const {
  return !WithLocks || !Threads.stream().order().before(Entry.Around.Period,
                                                        First.Around.Period);
}

/// By starts, joins and barriers, can Last come after the exit?
bool ProfileSearch::mayLeave(const Extent &Exit, const Item &Last) const {
  return !WithLocks || !Threads.stream().order().before(Last.Around.Period,
                                                        Exit.Around.Period);
}

void ProfileSearch::search(const ProfileRegion &R) {
  const bool IsOneStretch =
      std::all_of(R.Items.begin(), R.Items.end(), [&](const Item &I) {
        return areOfOneStretch(R.Items.front(), I) && areOfOneStretch(I, I);
      });
  std::vector<const Item *> Shared;
  for (const Item &I : R.Items)
    if (IsOneStretch ? isExposed(R.Thread, I) : isShared(R.Thread, I.Class))
      Shared.push_back(&I);
  if (Shared.size() <= AllPairs) {
    for (const Item *First : Shared)
      for (const Item *Last : Shared)
        if (First->First < Last->Last && !Limit.reached())
          searchPair(R, *First, *Last);
    return;
  }
  ExitsOf.clear();
  for (uint32_t I = 0; I != Shared.size(); ++I)
    addExits(R, I, *Shared[I]);
  ExitsOf.finish();
  for (const Item *First : Shared) {
    if (Limit.reached())
      return;
    findLasts(R, *First);
    for (const uint32_t I : Lasts)
      if (!Limit.reached())
        searchPair(R, *First, *Shared[I]);
  }
}

/// Adds what a cycle could come back from to the region's last access.
void ProfileSearch::addExits(const ProfileRegion &R, uint32_t Number,
                             const Item &Last) {
  const bool IsIn = Last.LastStretch;
  const bool Is = IsIn && isExposed(R.Thread, Last);
  const uint32_t Place = Last.LastEvent.Location;
  Threads.forEachConflict(Last.Class, [&](const Extent &Out) {
    if (Out.Thread == R.Thread || !mayLeave(Out, Last))
      return;
    ProfileExits::Kind K = {Out.Thread, Is, 0, 0, 0};
    // With Apart, each pair of variables is to be found.
    if (!Apart)
      K = {Out.Thread, Is, Place, Out.FirstEvent.Location,
           Out.LastEvent.Location};
    ExitsOf.add(K, Number,
                {Last.Last, IsIn ? Last.LastStretch : ProfileExits::Outside,
                 Out.Last, Out.FirstEvent.Number});
  });
}

bool ProfileSearch::isWanted(const ProfileRegion &R, const Item &First,
                             uint32_t Entry, const ProfileExits::Kind &K,
                             uint32_t Exit) {
  return Apart || isWanted({R.Mark.Name, R.Mark.Begin.Location,
                            First.FirstEvent.Location, K.Of, Entry, Exit});
}

/// Finds the accesses that may be the last of a cycle with this first one.
void ProfileSearch::findLasts(const ProfileRegion &R, const Item &First) {
  Lasts.clear();
  for (const uint32_t Thread : Entered)
    Earliest[Thread] = ProfileChains::None;
  Entered.clear();
  Earliest.resize(Threads.threads(), ProfileChains::None);
  Threads.forEachConflict(First.Class, [&](const Extent &In) {
    if (In.Thread == R.Thread || !mayEnter(First, In))
      return;
    if (Earliest[In.Thread] == ProfileChains::None)
      Entered.push_back(In.Thread);
    Earliest[In.Thread] = std::min(Earliest[In.Thread], In.First);
    findLastsOfTwo(R, First, In);
  });
  // Chains may take long: they are asked for only where two threads are not
  // enough.
  if (!Entered.empty() && Threads.threads() > 2 &&
      !ExitsOf.cover(First.First, First.FirstStretch, Entered, Earliest))
    findLastsOfChains(R, First);
  std::sort(Lasts.begin(), Lasts.end());
  Lasts.erase(std::unique(Lasts.begin(), Lasts.end()), Lasts.end());
}

/// A box of the exits with which an access of a region goes into no pattern
/// under locks: those of later stretches, or of none.
static ProfileExits::Box behind(const ProfileItem &First) {
  ProfileExits::Box B;
  B.Low[ProfileExits::Rank] = uint64_t(First.First) + 1;
  if (First.FirstStretch)
    B.Low[ProfileExits::Stretch] = First.FirstStretch + 1;
  return B;
}

/// Finds the last accesses where the cycle leaves the thread that it entered.
void ProfileSearch::findLastsOfTwo(const ProfileRegion &R, const Item &First,
                                   const Extent &In) {
  ProfileExits::Box Same = behind(First), All = behind(First);
  All.Low[ProfileExits::Last] = In.First;
  Same.Low[ProfileExits::Last] = In.First;
  Same.Low[ProfileExits::Stretch] = First.FirstStretch;
  Same.High[ProfileExits::Stretch] = First.FirstStretch;
  ProfileExits::Box Early = All, Late = All;
  Early.High[ProfileExits::First] = In.FirstEvent.Number - 1;
  Late.Low[ProfileExits::First] = In.FirstEvent.Number;
  const bool MayBeSame = First.FirstStretch && isExposed(R.Thread, First);
  const uint32_t Entry = In.FirstEvent.Location;
  ExitsOf.forEachOf(In.Thread, [&](const ProfileExits::Kind &K,
                                   const ProfileExits::Group &G) {
    if (MayBeSame && K.IsExposed)
      G.find(Same, Lasts);
    if (isWanted(R, First, Entry, K, K.FirstPlace))
      G.find(Late, Lasts);
    if (isWanted(R, First, Entry, K, K.LastPlace))
      G.find(Early, Lasts);
  });
}

/// Finds the last accesses that only a chain through several threads leads to.
void ProfileSearch::findLastsOfChains(const ProfileRegion &R,
                                      const Item &First) {
  const ProfileChains::Reached &From =
      Chains.from(R.Thread, First.Class, First.Around.Period);
  if (!Limit.why().empty())
    return;
  for (uint32_t Thread = 0; Thread != Threads.threads(); ++Thread) {
    if (Thread == R.Thread || From.Entry[Thread] == ProfileChains::None)
      continue;
    ProfileExits::Box Chained = behind(First);
    Chained.Low[ProfileExits::Last] = From.Entry[Thread];
    // From its earliest access on, the thread alone is enough.
    Chained.High[ProfileExits::Last] = Earliest[Thread] - 1;
    const uint32_t Entry = From.first(Thread).Entry.What.Location;
    ExitsOf.forEachOf(
        Thread, [&](const ProfileExits::Kind &K, const ProfileExits::Group &G) {
          if (isWanted(R, First, Entry, K, K.LastPlace))
            G.find(Chained, Lasts);
        });
  }
}
