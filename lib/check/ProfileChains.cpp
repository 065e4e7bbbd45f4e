//===- ProfileChains.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ProfileChains.h"
#include <algorithm>
#include <deque>

using namespace atsan::check;

/// Without locks there are no periods.
bool ProfileChains::isBefore(PeriodId A, PeriodId B) const {
  const HappensBefore &Order = Profiles.stream().order();
  return Order.periods() && Order.before(A, B);
}

/// The earliest way into each thread by one conflict with the access.
std::vector<ProfileChains::Way>
ProfileChains::firstWays(uint32_t Thread, AccessClass Access,
                         PeriodId Period) const {
  std::vector<Way> First(Profiles.threads(), Way{0, None, nullptr, nullptr});
  Profiles.forEachConflict(Access, [&](const ThreadProfiles::Extent &To) {
    if (To.Thread != Thread && To.First < First[To.Thread].Enters &&
        !isBefore(To.Around.Period, Period))
      First[To.Thread] = {0, To.First, nullptr, &To};
  });
  return First;
}

const ProfileChains::Ways &ProfileChains::waysFrom(uint32_t Thread) {
  std::optional<Ways> &Known = Steps[Thread];
  if (Known)
    return *Known;
  Known.emplace(Profiles.threads());
  for (const ThreadProfiles::Extent &From : Profiles.extents()) {
    if (From.Thread != Thread)
      continue;
    Profiles.forEachConflict(From.Class, [&](const ThreadProfiles::Extent &To) {
      if (To.Thread != Thread &&
          !isBefore(To.Around.Period, From.Around.Period))
        (*Known)[To.Thread].push_back({From.Last, To.First, &From, &To});
    });
  }
  for (std::vector<Way> &To : *Known) {
    std::sort(To.begin(), To.end(), [](const Way &A, const Way &B) {
      return A.LeftBy != B.LeftBy ? A.LeftBy > B.LeftBy : A.Enters < B.Enters;
    });
    size_t Kept = 0;
    for (const Way &W : To)
      if (!Kept || W.Enters < To[Kept - 1].Enters)
        To[Kept++] = W;
    To.resize(Kept);
    To.shrink_to_fit();
  }
  return *Known;
}

ChainLink ProfileChains::linkOf(const Way &W) const {
  return {W.From ? Profiles.last(*W.From) : NumberedEvent(),
          Profiles.first(*W.Entry)};
}

/// The way that enters earliest, of those that a thread can still leave by.
const ProfileChains::Way *ProfileChains::bestWay(const std::vector<Way> &Ways,
                                                 uint64_t Entered) {
  const auto End =
      std::partition_point(Ways.begin(), Ways.end(),
                           [&](const Way &W) { return W.LeftBy >= Entered; });
  return End == Ways.begin() ? nullptr : &*std::prev(End);
}

/// Finds the earliest entries without regard to threads that are visited twice.
/// True if no chain does that, so that the entries are right.
bool ProfileChains::reachDirectly(Reached &R, uint32_t Thread,
                                  const std::vector<Way> &First) {
  const uint32_t Count = Profiles.threads();
  R.Before.assign(Count, Count);
  R.Link.resize(Count);
  std::deque<uint32_t> Work;
  for (uint32_t To = 0; To != Count; ++To) {
    R.Entry[To] = First[To].Enters;
    if (First[To].Enters != None)
      R.Link[To] = linkOf(First[To]);
    if (R.Entry[To] != None)
      Work.push_back(To);
  }
  while (!Work.empty() && !Limit.reached()) {
    const uint32_t At = Work.front();
    Work.pop_front();
    const Ways &Next = waysFrom(At);
    for (uint32_t To = 0; To != Count; ++To) {
      const Way *W = To == Thread ? nullptr : bestWay(Next[To], R.Entry[At]);
      if (!W || W->Enters >= R.Entry[To])
        continue;
      R.Entry[To] = W->Enters;
      R.Link[To] = linkOf(*W);
      R.Before[To] = At;
      Work.push_back(To);
    }
  }
  return R.measure();
}

/// Fills Length and First. False if a chain comes back to one of its threads.
bool ProfileChains::Reached::measure() {
  const uint32_t Count = Before.size();
  Length.assign(Count, 0);
  First.assign(Count, Count);
  std::vector<uint32_t> Path;
  for (uint32_t To = 0; To != Count; ++To) {
    if (Entry[To] == None)
      continue;
    Path.clear();
    uint32_t At = To;
    for (; At != Count && !Length[At]; At = Before[At]) {
      if (Path.size() == Count)
        return false;
      Path.push_back(At);
    }
    for (; !Path.empty(); Path.pop_back()) {
      const uint32_t Next = Path.back();
      Length[Next] = At == Count ? 1 : Length[At] + 1;
      First[Next] = At == Count ? Next : First[At];
      At = Next;
    }
  }
  return true;
}

size_t ProfileChains::Reached::length(uint32_t Thread) const {
  return Table.empty() ? Length[Thread] : Table[Thread].size();
}

const ChainLink &ProfileChains::Reached::first(uint32_t Thread) const {
  return Table.empty() ? Link[First[Thread]] : Table[Thread].front();
}

std::vector<ChainLink> ProfileChains::Reached::chain(uint32_t Thread) const {
  if (!Table.empty())
    return Table[Thread];
  std::vector<ChainLink> Chain;
  for (; Thread != Before.size(); Thread = Before[Thread])
    Chain.push_back(Link[Thread]);
  std::reverse(Chain.begin(), Chain.end());
  return Chain;
}

/// Finds them by the earliest entry for each set of visited threads.
void ProfileChains::reachByTable(Reached &R, uint32_t Thread,
                                 const std::vector<Way> &First) {
  struct State {
    std::vector<uint32_t> Visited; ///< Sorted.
    uint32_t At;
    bool operator<(const State &S) const {
      return std::tie(Visited, At) < std::tie(S.Visited, S.At);
    }
  };
  struct Best {
    uint64_t Entry;
    std::vector<ChainLink> Chain;
  };
  ++Tables;
  R.Entry.assign(Profiles.threads(), None);
  R.Table.resize(Profiles.threads());
  std::map<State, Best> Now;
  for (uint32_t To = 0; To != Profiles.threads(); ++To)
    if (First[To].Enters != None)
      Now[{{To}, To}] = {First[To].Enters, {linkOf(First[To])}};
  while (!Now.empty()) { // The chains of one length.
    std::map<State, Best> Longer;
    for (const auto &[S, B] : Now) {
      if (Limit.reached())
        return;
      if (B.Entry < R.Entry[S.At]) {
        R.Entry[S.At] = B.Entry;
        R.Table[S.At] = B.Chain;
      }
      const Ways &Next = waysFrom(S.At);
      for (uint32_t To = 0; To != Profiles.threads(); ++To) {
        const auto Place =
            std::lower_bound(S.Visited.begin(), S.Visited.end(), To);
        if (To == Thread || (Place != S.Visited.end() && *Place == To))
          continue;
        const Way *W = bestWay(Next[To], B.Entry);
        if (!W)
          continue;
        State More = S;
        More.Visited.insert(More.Visited.begin() + (Place - S.Visited.begin()),
                            To);
        More.At = To;
        const auto [It, IsNew] = Longer.try_emplace(std::move(More));
        if (!IsNew && It->second.Entry <= W->Enters)
          continue;
        It->second = {W->Enters, B.Chain};
        It->second.Chain.push_back(linkOf(*W));
      }
    }
    Now = std::move(Longer);
  }
}

const ProfileChains::Reached &
ProfileChains::from(uint32_t Thread, AccessClass Access, PeriodId Period) {
  if (Known.size() >=
      std::min<size_t>(MaxKnown, MaxThreads / Profiles.threads()))
    Known.clear();
  const auto [It, IsNew] = Known.try_emplace({Thread, Access, Period});
  Reached &R = It->second;
  if (!IsNew)
    return R;
  R.Entry.assign(Profiles.threads(), None);
  const std::vector<Way> First = firstWays(Thread, Access, Period);
  if (!reachDirectly(R, Thread, First))
    reachByTable(R, Thread, First);
  return R;
}
