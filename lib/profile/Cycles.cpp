//===- Cycles.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/profile/Cycles.h"
#include <algorithm>
#include <map>
#include <set>

namespace atsan::profile {

namespace {

class Finder {
public:
  Finder(const std::vector<ThreadClass> &Classes, check::Limits &Limit)
      : Classes(Classes), Limit(Limit), Used(Classes.size()) {
    for (uint32_t C = 0; C < Classes.size(); ++C)
      for (const Word &W : Classes[C].Profiles)
        addPassages(C, W);
  }

  /// Without regard to locks.
  std::optional<std::vector<Passage>> findChain() {
    std::map<std::pair<uint32_t, Access>, std::vector<const Passage *>> Starts;
    for (const Passage &P : All)
      if (P.IsSplit)
        Starts[{P.Class, P.Out}].push_back(&P);
    for (const auto &[From, Splits] : Starts) {
      const Tree Reached = reach(From.first, From.second);
      for (const Passage *Split : Splits)
        for (size_t I = 0; I < Reached.size() && !Limit.reached(); ++I) {
          if (!conflict(Reached[I].By->Out, Split->In))
            continue;
          std::vector<Passage> Cycle = chain(Reached, I, *Split);
          if (hasEnoughThreads(Cycle))
            return Cycle;
          // With threads that are not visited twice it may still be possible.
          Tried.clear();
          Cycle = {*Split};
          Used.assign(Classes.size(), 0);
          count(Split->Class, 1);
          if (extend(Cycle, SIZE_MAX, nullptr))
            return Cycle;
          break;
        }
    }
    return std::nullopt;
  }

  /// One that locks allow, with as few threads as possible.
  std::optional<Cycle> findLocked() {
    for (size_t Most = 2;; ++Most) {
      WasCut = false;
      for (const Passage &Split : All) {
        if (!Split.IsSplit || Limit.reached())
          continue;
        std::vector<Passage> Here = {Split};
        Used.assign(Classes.size(), 0);
        count(Split.Class, 1);
        std::vector<size_t> Order;
        if (extend(Here, Most, &Order))
          return Cycle{Here, Order};
      }
      if (!WasCut || Limit.reached())
        return std::nullopt;
    }
  }

private:
  struct Reach {
    const Passage *By;
    size_t Before; ///< In the tree; SIZE_MAX: the begin.
  };
  using Tree = std::vector<Reach>;

  const std::vector<ThreadClass> &Classes;
  check::Limits &Limit;
  std::vector<Passage> All;
  std::map<uint32_t, std::vector<size_t>> EntersBy; ///< By variable.
  std::vector<uint32_t> Used;                       ///< By class.
  std::set<std::tuple<std::vector<uint32_t>, uint32_t, Access>> Tried;
  bool WasCut = false;

  void addPassages(uint32_t C, const Word &W) {
    const auto Add = [&](Access In, Access Out, bool IsSplit) {
      EntersBy[In / 2].push_back(All.size());
      All.push_back({C, &W, In, Out, IsSplit});
    };
    if (!W.hasSecond())
      return Add(W.First, W.First, false);
    Add(W.First, W.Second, false);
    if (W.IsTogether)
      Add(W.Second, W.First, false);
    else if (!W.CrossesBehind)
      Add(W.Second, W.First, true);
  }

  /// All that chains from an access lead to, by shortest ways. Threads may be
  /// visited twice.
  Tree reach(uint32_t Class, Access From) {
    Tree Found;
    std::set<std::pair<uint32_t, Access>> Known;
    const auto GoOn = [&](Access Out, size_t Before) {
      for (const size_t N : EntersBy[Out / 2]) {
        const Passage &P = All[N];
        const bool IsStart = P.Class == Class && Classes[Class].Count == 1;
        if (!IsStart && conflict(Out, P.In) &&
            Known.emplace(P.Class, P.Out).second)
          Found.push_back({&P, Before});
      }
    };
    GoOn(From, SIZE_MAX);
    for (size_t I = 0; I < Found.size() && !Limit.reached(); ++I)
      GoOn(Found[I].By->Out, I);
    return Found;
  }

  static std::vector<Passage> chain(const Tree &T, size_t Last,
                                    const Passage &Split) {
    std::vector<Passage> Result;
    for (size_t I = Last; I != SIZE_MAX; I = T[I].Before)
      Result.push_back(*T[I].By);
    Result.push_back(Split);
    std::reverse(Result.begin(), Result.end());
    return Result;
  }

  bool hasEnoughThreads(const std::vector<Passage> &Cycle) const {
    std::vector<uint32_t> Count(Classes.size());
    return std::all_of(Cycle.begin(), Cycle.end(), [&](const Passage &P) {
      return ++Count[P.Class] <= Classes[P.Class].Count;
    });
  }

  void count(uint32_t Class, int Change) {
    if (Classes[Class].Count != ThreadClass::AnyNumber)
      Used[Class] += Change;
  }

  /// Looks for a cycle of at most \p Most threads that begins as \p Here does.
  /// \p Order: if given, locks count.
  bool extend(std::vector<Passage> &Here, size_t Most,
              std::vector<size_t> *Order) {
    for (const size_t N : EntersBy[Here.back().Out / 2]) {
      const Passage &P = All[N];
      if (Limit.reached())
        return false;
      if (!conflict(Here.back().Out, P.In) ||
          Used[P.Class] >= Classes[P.Class].Count)
        continue;
      if (Here.size() == Most) {
        WasCut = true;
        return false;
      }
      Here.push_back(P);
      count(P.Class, 1);
      if (goesOn(Here, Most, Order))
        return true;
      count(P.Class, -1);
      Here.pop_back();
    }
    return false;
  }

  bool goesOn(std::vector<Passage> &Here, size_t Most,
              std::vector<size_t> *Order) {
    const Passage &Last = Here.back();
    if (!Order) {
      if (conflict(Last.Out, Here.front().In))
        return true;
      return Tried.emplace(Used, Last.Class, Last.Out).second &&
             extend(Here, Most, Order);
    }
    if (!interleave(Here, false, Limit))
      return false;
    if (conflict(Last.Out, Here.front().In))
      if (auto Found = interleave(Here, true, Limit)) {
        *Order = std::move(*Found);
        return true;
      }
    return extend(Here, Most, Order);
  }
};

} // namespace

std::optional<Cycle> findCycle(const std::vector<ThreadClass> &Classes,
                               bool WithLocks, check::Limits &Limit) {
  Finder F(Classes, Limit);
  const auto Chain = F.findChain();
  if (!Chain || Limit.reached())
    return std::nullopt;
  if (WithLocks)
    return F.findLocked();
  const auto Order = interleave(*Chain, true, Limit);
  return Order ? std::optional<Cycle>({*Chain, *Order}) : std::nullopt;
}

} // namespace atsan::profile
