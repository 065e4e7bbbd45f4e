//===- LockPatterns.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/LockPatterns.h"
#include <algorithm>

using namespace atsan::check;

void LockPatterns::add(const Pattern &P) {
  const auto Number = uint32_t(All.size());
  All.push_back({P, {}, {}, {}});
  ThreadState &T = Threads[P.Other];
  const auto Add = [&](AccessClass Of, bool Enters) {
    Profiles.forEachClassInConflict(
        Of, [&](AccessClass C) { T.Roles[C].push_back({Number, Enters}); });
  };
  Add(P.First.Class, true);
  Add(P.Last.Class, false);
}

void LockPatterns::access(const ProfiledAccess &A) {
  const auto Of = Threads.find(A.Thread);
  if (Of == Threads.end())
    return;
  ThreadState &T = Of->second;
  const auto Role = T.Roles.find(A.Class);
  if (Role == T.Roles.end())
    return;
  for (const auto &[Number, Enters] : Role->second)
    T.Group.push_back({Number, Enters, A, T.Stretches + (A.Stretch != 0)});
  if (!A.Stretch)
    decide(T);
}

void LockPatterns::endStretch(uint32_t Thread, LockStretches::Id Locks) {
  const auto Of = Threads.find(Thread);
  if (Of == Threads.end())
    return;
  ThreadState &T = Of->second;
  decide(T);
  ++T.Stretches;
  for (const auto &O : Profiles.stream().stretches()[Locks])
    if (O.Acquires) {
      T.Taken[O.Lock] = T.Stretches;
      if (O.Exclusive)
        T.TakenExclusively[O.Lock] = T.Stretches;
    }
}

/// Looks at the accesses of a stretch, or at one outside of any, with those
/// that came before.
void LockPatterns::decide(ThreadState &T) {
  for (size_t I = 0; I != T.Group.size(); ++I)
    if (T.Group[I].Enters)
      All[T.Group[I].Pattern].Entries.push_back(I);
  for (const Use &Exit : T.Group) {
    if (Exit.Enters)
      continue;
    PatternState &P = All[Exit.Pattern];
    for (const size_t I : P.Entries)
      decide(T, P, T.Group[I], Exit, true);
    for (const Use &Entry : P.Earlier)
      decide(T, P, Entry, Exit, false);
  }
  for (const Use &Entry : T.Group) {
    if (!Entry.Enters)
      continue;
    All[Entry.Pattern].Entries.clear();
    std::vector<Use> &Earlier = All[Entry.Pattern].Earlier;
    const auto It =
        std::find_if(Earlier.begin(), Earlier.end(), [&](const Use &U) {
          return U.What.Around == Entry.What.Around &&
                 U.What.Now.Location == Entry.What.Now.Location;
        });
    if (It == Earlier.end())
      Earlier.push_back(Entry);
    else
      *It = Entry;
  }
  T.Group.clear();
}

bool LockPatterns::mayOverlap(const PatternState &P, const Use &Entry,
                              const Use &Exit) const {
  const HappensBefore &Order = Profiles.stream().order();
  return !Order.before(Entry.What.Around.Period, P.What.First.Around.Period) &&
         !Order.before(P.What.Last.Around.Period, Exit.What.Around.Period);
}

/// What the thread takes between the two stretches, of the locks that matter.
LockPatterns::Operations LockPatterns::between(const ThreadState &T,
                                               const PatternState &P,
                                               const Use &Entry) const {
  const auto IsTaken = [&](const auto &Where, uint32_t Lock) {
    const auto It = Where.find(Lock);
    return It != Where.end() && It->second > Entry.After;
  };
  Operations Result;
  std::set<uint32_t> Seen;
  for (const auto &O : Profiles.stream().stretches()[P.What.First.Around.Locks])
    if (Seen.insert(O.Lock).second && IsTaken(T.Taken, O.Lock)) {
      const bool Exclusive = IsTaken(T.TakenExclusively, O.Lock);
      Result.push_back({O.Lock, true, Exclusive});
      Result.push_back({O.Lock, false, Exclusive});
    }
  return Result;
}

GridScript LockPatterns::scriptOf(const Use &Entry, const Use &Exit,
                                  const Operations *Between) const {
  const LockStretches &Stretches = Profiles.stream().stretches();
  GridScript S;
  S.Operations = Stretches[Entry.What.Around.Locks];
  S.In = Entry.What.Around.Slot;
  S.Out = Exit.What.Around.Slot;
  if (Between) {
    for (const Operations &More : {*Between, Stretches[Exit.What.Around.Locks]})
      S.Operations.insert(S.Operations.end(), More.begin(), More.end());
    S.Out +=
        uint32_t(Stretches[Entry.What.Around.Locks].size() + Between->size());
  }
  S.IsOne = Entry.What.Now.Number == Exit.What.Now.Number;
  S.OutIsFirst = Exit.What.Now.Number < Entry.What.Now.Number;
  return S;
}

void LockPatterns::setKey(const Use &Entry, const Use &Exit, bool IsOneStretch,
                          const Operations &Between) {
  const uint64_t In = Entry.What.Now.Number, Out = Exit.What.Now.Number;
  Current.clear();
  Current.push_back(uint64_t(IsOneStretch) << 2 | uint64_t(Out < In) << 1 |
                    (Out == In));
  Current.push_back(uint64_t(Entry.What.Now.Location) << 32 |
                    Exit.What.Now.Location);
  for (const Use *U : {&Entry, &Exit}) {
    Current.push_back(uint64_t(U->What.Around.Locks) << 32 |
                      U->What.Around.Slot);
    Current.push_back(U->What.Around.Period);
  }
  for (const auto &O : Between)
    Current.push_back(uint64_t(O.Lock) << 1 | O.Exclusive);
}

void LockPatterns::decide(ThreadState &T, PatternState &P, const Use &Entry,
                          const Use &Exit, bool IsOneStretch) {
  const uint64_t In = Entry.What.Now.Number, Out = Exit.What.Now.Number;
  // What comes earlier can follow only within one transaction.
  if (Out < In && (!IsOneStretch || !Entry.What.InRegion ||
                   Entry.What.Transaction != Exit.What.Transaction))
    return;
  if (!mayOverlap(P, Entry, Exit))
    return;
  Operations Between;
  if (!IsOneStretch)
    Between = between(T, P, Entry);
  setKey(Entry, Exit, IsOneStretch, Between);
  if (!P.Tried.insert(Current).second)
    return;
  GridScript Own;
  Own.Operations = Profiles.stream().stretches()[P.What.First.Around.Locks];
  Own.Out = P.What.First.Around.Slot;
  Own.In = P.What.Last.Around.Slot;
  Own.OutIsFirst = true;
  std::vector<LockGrid::Mark> Order;
  switch (Grid.meet(
      Own, scriptOf(Entry, Exit, IsOneStretch ? nullptr : &Between), Order)) {
  case LockGrid::Answer::Cannot:
    return;
  case LockGrid::Answer::TooLarge:
    ++Undecided;
    return;
  case LockGrid::Answer::Can:
    break;
  }
  const ProfileStream &Run = Profiles.stream();
  const auto EventOf = [&](const Use &U) {
    return Run.eventOf(U.What.Now, U.What.Class, U.What.Thread);
  };
  Match M{P.What, EventOf(Entry), EventOf(Exit), {}};
  for (const LockGrid::Mark &Each : Order)
    M.Order.push_back(Each.IsSecond ? (Each.Leaves ? M.Exit : M.Entry)
                      : Each.Leaves
                          ? Run.eventOf(P.What.First.FirstEvent,
                                        P.What.First.Class, P.What.Thread)
                          : Run.eventOf(P.What.Last.LastEvent,
                                        P.What.Last.Class, P.What.Thread));
  OnMatch(M);
}
