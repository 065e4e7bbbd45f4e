//===- Deadlocks.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Deadlocks.h"
#include <algorithm>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

bool Deadlocks::consume(trace::EventSpan Events) {
  for (const Event &E : Events) {
    if (Limit.reached())
      return false;
    take(E);
  }
  return true;
}

void Deadlocks::take(const Event &E) {
  ++Count;
  Order.take(E);
  const bool Takes = isAcquire(E.Kind);
  // The locks held before the event, when it may have to wait.
  HeldSets::Set Before;
  if (Takes)
    for (const HeldLock &L : Held.held(E.Thread))
      Before.push_back({L.lock, L.IsExclusive()});
  if (Held.take(E) != LockStep::kOuter || Before.empty())
    return;
  const HeldSets::Id HeldId = Sets.of(std::move(Before));
  const HeldSets::Id Taken =
      Sets.of({{E.Address, E.Kind == EventKind::Acquire}});
  const PeriodId Period = Order.period(E.Thread);
  auto [Where, IsNew] = Steps.try_emplace({Period, HeldId, Taken, E.Location});
  if (!IsNew)
    return;
  Step &S = Where->second;
  S = {Period, HeldId, Taken, {Count, E}, {}};
  for (const HeldSets::Member &M : Sets[HeldId])
    for (const HeldLock &L : Held.held(E.Thread))
      if (L.lock == M.Lock) {
        Event A;
        A.Kind = M.Exclusive ? EventKind::Acquire : EventKind::AcquireShared;
        A.Address = L.lock;
        A.Thread = E.Thread;
        A.Location = L.location;
        S.Acquired.push_back({L.acquisition, A});
      }
}

/// Drops steps that are on no cycle, since nobody holds what they wait for, or
/// waits for what they hold.
void Deadlocks::prune() {
  for (bool Again = true; Again;) {
    std::set<uint64_t> Waited, Kept;
    for (const auto &[Key, S] : Steps) {
      Waited.insert(taken(S));
      for (const HeldSets::Member &M : Sets[S.Held])
        Kept.insert(M.Lock);
    }
    Again = false;
    for (auto I = Steps.begin(); I != Steps.end();) {
      const Step &S = I->second;
      const HeldSets::Set &H = Sets[S.Held];
      const bool IsUseful =
          Kept.count(taken(S)) &&
          std::any_of(H.begin(), H.end(), [&](const HeldSets::Member &M) {
            return Waited.count(M.Lock);
          });
      Again |= !IsUseful;
      I = IsUseful ? std::next(I) : Steps.erase(I);
    }
  }
}

void Deadlocks::finish() {
  if (!Limit.why().empty())
    return;
  prune();
  for (const auto &[Key, S] : Steps)
    for (const HeldSets::Member &M : Sets[S.Held])
      Holding[M.Lock].push_back(&S);
  Deeper = true;
  for (Length = 2; Deeper; ++Length) {
    Deeper = false;
    for (const auto &[Key, S] : Steps) {
      if ((!O.All && !Found.empty()) || !Limit.why().empty())
        return;
      Path.assign(1, &S);
      extend();
    }
  }
}

/// Can all threads of the path, and a distinct one at Next, wait there at the
/// same time? The first step of a cycle is the one of the smallest thread.
bool Deadlocks::fits(const Step &Next) const {
  if (Order.thread(Next.Period) < Order.thread(Path[0]->Period))
    return false;
  for (const Step *S : Path)
    if (!Order.concurrent(S->Period, Next.Period) ||
        Sets.exclude(S->Held, Next.Held))
      return false;
  return true;
}

void Deadlocks::extend() {
  if (Limit.reached() || (!O.All && !Found.empty()))
    return;
  const Step &Last = *Path.back();
  if (Path.size() == Length) {
    Deeper = true;
    if (Sets.exclude(Last.Taken, Path[0]->Held))
      report();
    return;
  }
  auto Holders = Holding.find(taken(Last));
  if (Holders == Holding.end())
    return;
  for (const Step *Next : Holders->second)
    if (Sets.exclude(Last.Taken, Next->Held) && fits(*Next)) {
      Path.push_back(Next);
      extend();
      Path.pop_back();
    }
}

void Deadlocks::report() {
  std::set<std::pair<uint64_t, uint32_t>> Site;
  for (const Step *S : Path)
    Site.insert({taken(*S), S->Event.What.Location});
  if (!Sites.insert(Site).second)
    return;
  Finding F;
  F.What = Notion::Potential;
  F.Kind = "potential-deadlock";
  F.Message = std::to_string(Path.size()) +
              " threads can wait for each other: each holds a lock that "
              "another one is about to take";
  for (size_t I = 0; I < Path.size(); ++I) {
    const Step &S = *Path[I];
    const Step &Before = *Path[(I + Path.size() - 1) % Path.size()];
    for (size_t M = 0; M < S.Acquired.size(); ++M)
      if (Sets[S.Held][M].Lock == taken(Before))
        F.Relations.push_back(
            {S.Acquired[M], S.Event, "holds the first, waits for the second"});
    F.Closing = std::max(F.Closing, S.Event.Number);
  }
  Found.push_back(std::move(F));
}

std::string Deadlocks::notion() const {
  return "could threads wait for each other's locks in a circle, in another "
         "schedule of the same events (distinct threads, common locks, start, "
         "join and barriers respected)? What is found is potential";
}
