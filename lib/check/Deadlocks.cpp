//===- Deadlocks.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan check --algorithm=deadlocks`: could threads wait for each other's
// locks in a circle? Any number of locks and threads, where TSE'06 (section 2)
// stops at two: cycles in the lock-order graph whose steps are of distinct
// threads that can be there at the same time, by start, join and barriers and
// by the locks that they hold (a common "gate" lock keeps them apart). Shared
// modes respected; taking again what one holds is ignored.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Factories.h"
#include "lib/check/HappensBefore.h"
#include "lib/check/HeldSets.h"
#include "lib/check/Limits.h"
#include "lib/check/LocksHeld.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

/// Memory is bounded by distinct steps (thread, period, locks held, lock
/// taken). Exponential in the length of cycles at worst.
class Deadlocks final : public Analysis {
public:
  explicit Deadlocks(const Options &O) : O(O), Limit(O) {}

  bool consume(atsan::trace::EventSpan Events) override {
    for (const Event &E : Events) {
      if (Limit.reached())
        return false;
      take(E);
    }
    return true;
  }

  void finish() override {
    if (!Limit.why().empty())
      return;
    prune();
    if (!Limit.why().empty())
      return;
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

  const std::vector<Finding> &findings() const override { return Found; }

  std::string notion() const override {
    return "could threads wait for each other's locks in a circle, in another "
           "schedule of the same events (distinct threads, common locks, "
           "start, join and barriers respected)? What is found is potential";
  }

  std::string gaveUp() const override { return Limit.why(); }

  std::vector<std::pair<std::string, uint64_t>> statistics() const override {
    return {{"distinct lock acquisitions under locks", Steps.size()}};
  }

private:
  /// A lock is taken while others are held.
  struct Step {
    PeriodId Period;
    HeldSets::Id Held;
    HeldSets::Id Taken; ///< The lock that is taken, a set of one.
    NumberedEvent Event;
    /// Where each lock of Held was acquired.
    std::vector<NumberedEvent> Acquired;
    /// For prune(): how many of the locks held a step that is left takes.
    size_t Awaited = 0;
    bool IsUseful = true;
  };

  void take(const Event &E) {
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
    auto [Where, IsNew] =
        Steps.try_emplace({Period, HeldId, Taken, E.Location});
    if (!IsNew)
      return;
    Step &S = Where->second;
    S = {Period, HeldId, Taken, {Count, E}, {}};
    std::unordered_map<uint64_t, const HeldLock *> Locks;
    for (const HeldLock &L : Held.held(E.Thread))
      Locks.emplace(L.lock, &L);
    for (const HeldSets::Member &M : Sets[HeldId]) {
      const HeldLock &L = *Locks.at(M.Lock);
      Event A;
      A.Kind = M.Exclusive ? EventKind::Acquire : EventKind::AcquireShared;
      A.Address = L.lock;
      A.Thread = E.Thread;
      A.Location = L.location;
      S.Acquired.push_back({L.acquisition, A});
    }
  }

  /// Drops steps that are on no cycle, since nobody holds what they wait for,
  /// or waits for what they hold. Each lock of each step is looked at twice.
  void prune() {
    std::unordered_map<uint64_t, std::vector<Step *>> Takers, Holders;
    for (auto &[Key, S] : Steps) {
      Takers[taken(S)].push_back(&S);
      for (const HeldSets::Member &M : Sets[S.Held])
        Holders[M.Lock].push_back(&S);
    }
    // How many steps are left that take each lock, and that hold it.
    std::unordered_map<uint64_t, size_t> Waited, Kept;
    for (const auto &[Lock, Their] : Takers)
      Waited[Lock] = Their.size();
    for (const auto &[Lock, Their] : Holders)
      Kept[Lock] = Their.size();
    std::vector<Step *> Useless;
    for (auto &[Key, S] : Steps) {
      for (const HeldSets::Member &M : Sets[S.Held])
        S.Awaited += Waited.count(M.Lock);
      if (!S.Awaited || !Kept.count(taken(S)))
        Useless.push_back(&S);
    }
    while (!Useless.empty() && !Limit.reached()) {
      Step &S = *Useless.back();
      Useless.pop_back();
      if (!std::exchange(S.IsUseful, false))
        continue;
      if (!--Waited[taken(S)])
        for (Step *Holder : Holders[taken(S)])
          if (!--Holder->Awaited)
            Useless.push_back(Holder);
      for (const HeldSets::Member &M : Sets[S.Held])
        if (!--Kept[M.Lock])
          for (Step *Taker : Takers[M.Lock])
            Useless.push_back(Taker);
    }
    for (auto I = Steps.begin(); I != Steps.end();)
      I = I->second.IsUseful ? std::next(I) : Steps.erase(I);
  }

  void extend() {
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

  /// Can all threads of the path, and a distinct one at Next, wait there at the
  /// same time? The first step of a cycle is the one of the smallest thread.
  bool fits(const Step &Next) const {
    if (Order.thread(Next.Period) < Order.thread(Path[0]->Period))
      return false;
    for (const Step *S : Path)
      if (!Order.concurrent(S->Period, Next.Period) ||
          Sets.exclude(S->Held, Next.Held))
        return false;
    return true;
  }

  void report() {
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
          F.Relations.push_back({S.Acquired[M], S.Event,
                                 "holds the first, waits for the second"});
      F.Closing = std::max(F.Closing, S.Event.Number);
    }
    Found.push_back(std::move(F));
  }

  uint64_t taken(const Step &S) const { return Sets[S.Taken][0].Lock; }

  const Options O;
  Limits Limit;
  HappensBefore Order;
  LocksHeld Held;
  HeldSets Sets;
  uint64_t Count = 0;
  std::map<std::tuple<PeriodId, HeldSets::Id, HeldSets::Id, uint32_t>, Step>
      Steps;
  /// Steps that hold a lock, by lock.
  std::map<uint64_t, std::vector<const Step *>> Holding;
  std::vector<const Step *> Path;
  size_t Length = 0; ///< The length of cycles that are looked for.
  bool Deeper = false;
  std::vector<Finding> Found;
  std::set<std::set<std::pair<uint64_t, uint32_t>>> Sites;
};

} // namespace

std::unique_ptr<Analysis> atsan::check::makeDeadlocks(const Options &O) {
  return std::make_unique<Deadlocks>(O);
}
