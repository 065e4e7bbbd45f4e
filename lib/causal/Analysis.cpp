//===- Analysis.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Analysis.h"
#include "lib/causal/Concretize.h"
#include "lib/causal/Literal.h"
#include <algorithm>
#include <map>

namespace atsan::causal {

std::vector<ThreadClass> classesOf(const Program &P, const KeptValues &K,
                                   const std::vector<bool> &IsChecked) {
  std::vector<ThreadClass> Classes;
  std::map<std::string, size_t> ByShape;
  const auto Add = [&](Skeleton S, uint32_t Count, bool IsAnyNumber) {
    const auto [It, IsNew] = ByShape.emplace(S.shape(), Classes.size());
    if (IsNew)
      Classes.emplace_back();
    ThreadClass &C = Classes[It->second];
    C.Count += Count;
    C.IsAnyNumber |= IsAnyNumber;
    // A thread of any number stands behind the others: it has no last replica.
    const auto At = IsAnyNumber ? C.Members.end() : C.Members.begin();
    C.Members.insert(At, {std::move(S), Count});
  };
  for (uint32_t T = 0; T < P.Threads.size(); ++T) {
    const model::Thread &Of = P.Threads[T];
    if (!Of.Code.Self) {
      Add(makeSkeleton(P, K, {T, 0}, IsChecked), Of.Count, Of.IsAnyNumber);
      continue;
    }
    for (uint32_t I = 0; I < Of.Count; ++I)
      Add(makeSkeleton(P, K, {T, I}, IsChecked), 1, false);
  }
  return Classes;
}

namespace {

/// Allows any number of threads where there are several that are alike.
std::vector<ThreadClass> relaxed(std::vector<ThreadClass> Classes) {
  for (ThreadClass &C : Classes)
    C.IsAnyNumber |= C.Count > 1;
  return Classes;
}

bool isRelaxed(const std::vector<ThreadClass> &Classes) {
  return std::any_of(Classes.begin(), Classes.end(), [](const ThreadClass &C) {
    return !C.IsAnyNumber && C.Count > 1;
  });
}

class Analyser {
public:
  Analyser(const Program &P, Engine E, net::Budget &B)
      : P(P), K(keptValues(P)), E(E), B(B) {}

  CausalResult run() {
    const std::vector<bool> All(P.Regions.size(), true);
    try {
      drawNet(All);
    } catch (TooManyStates) {
      K = {};
      drawNet(All);
    }
    // Most programs are right: then one search does for all blocks.
    const BlockVerdict Together = decide(All);
    for (uint32_t Region = 0; Region < P.Regions.size(); ++Region) {
      BlockVerdict V = Together;
      if (Together.What == net::Verdict::Coverable && P.Regions.size() > 1) {
        std::vector<bool> One(P.Regions.size());
        One[Region] = true;
        V = decide(One);
      }
      V.Region = Region;
      Result.Blocks.push_back(std::move(V));
    }
    Result.Kept = std::move(K);
    return std::move(Result);
  }

private:
  const Program &P;
  KeptValues K;
  Engine E;
  net::Budget &B;
  CausalResult Result;

  /// The net that --net and --dot show.
  void drawNet(const std::vector<bool> &IsChecked) {
    Result.Net = makeColouredNet(P, classesOf(P, K, IsChecked),
                                 E == Engine::Unfolding && !hasAnyNumber());
  }

  bool hasAnyNumber() const {
    return std::any_of(P.Threads.begin(), P.Threads.end(),
                       [](const model::Thread &T) { return T.IsAnyNumber; });
  }

  BlockVerdict decide(const std::vector<bool> &IsChecked) {
    if (E == Engine::Explicit)
      return decideLiteral(IsChecked);
    const std::vector<ThreadClass> Classes = classesOf(P, K, IsChecked);
    if (E == Engine::All && isRelaxed(Classes)) {
      // Counters without a limit are easier to decide, and a run of few threads
      // is one of many.
      BlockVerdict V = decideNet(relaxed(Classes), IsChecked);
      if (V.What == net::Verdict::NotCoverable ||
          (V.What == net::Verdict::Coverable && hasEnoughThreads(P, V.Run))) {
        return V;
      }
    }
    return decideNet(Classes, IsChecked);
  }

  net::Answer search(const net::Net &N, bool IsWhole) {
    // Each question is a race of its own, with the time that is left.
    net::Budget Rest = B.rest();
    net::Prefix Own;
    return net::search(N, E, Rest, IsWhole ? Result.Prefix : Own);
  }

  BlockVerdict decideNet(const std::vector<ThreadClass> &Classes,
                         const std::vector<bool> &IsChecked) {
    const bool IsWhole =
        std::find(IsChecked.begin(), IsChecked.end(), false) == IsChecked.end();
    const ColouredNet C =
        makeColouredNet(P, Classes, E == Engine::Unfolding && !hasAnyNumber());
    const net::Answer A = search(C.N, IsWhole);
    BlockVerdict V;
    V.What = A.What;
    V.Why = A.Why;
    V.ForAnyNumber =
        std::all_of(Classes.begin(), Classes.end(),
                    [](const ThreadClass &Of) { return Of.IsAnyNumber; });
    if (A.What == net::Verdict::Coverable)
      show(V, concretize(P, C, Classes, A.Witness),
           E == Engine::All ? &Classes : nullptr);
    return V;
  }

  BlockVerdict decideLiteral(const std::vector<bool> &IsChecked) {
    net::Budget Rest = B.rest();
    LiteralAnswer A = searchLiteral(P, K, IsChecked, Rest);
    BlockVerdict V;
    V.What = A.What;
    V.Why = A.Why;
    if (A.What == net::Verdict::Coverable)
      show(V, std::move(A.Run), nullptr);
    return V;
  }

  /// Replays the run, and leaves out what the finding does not need. A run of
  /// more threads than there are is none yet.
  void show(BlockVerdict &V, Schedule Run,
            const std::vector<ThreadClass> *Classes) {
    V.Run = std::move(Run);
    if (!hasEnoughThreads(P, V.Run))
      return;
    reduce(V);
    if (Classes)
      shorten(V, *Classes);
    V.Threads = countThreads(V.Run);
    V.IsMay =
        std::any_of(V.Run.begin(), V.Run.end(),
                    [](const ScheduleStep &S) { return S.DependsOnData; });
  }

  void reduce(BlockVerdict &V) const {
    V.Shown = replay(P, K, V.Run);
    requireShown(V.Shown);
    V.Run = neededPart(V.Run, V.Shown);
    V.Shown = replay(P, K, V.Run);
    requireShown(V.Shown);
  }

  /// Looks for a shortest run with the threads of the one that was found, which
  /// mostly are few; the first one stays if that takes long.
  void shorten(BlockVerdict &V, std::vector<ThreadClass> Classes) const {
    if (V.Run.empty() || !V.Shown.IsShown)
      return;
    std::map<std::pair<uint32_t, uint32_t>, size_t> Threads;
    for (const ScheduleStep &S : V.Run)
      ++Threads[{S.Thread.Thread, S.Thread.Replica}];
    for (ThreadClass &C : Classes) {
      C.IsAnyNumber = false;
      C.Count = 0;
      for (auto &[S, Count] : C.Members) {
        const ThreadId Id = S.Of;
        const bool IsOne = P.Threads[Id.Thread].Code.Self.has_value();
        Count = 0;
        for (const auto &[Thread, Steps] : Threads)
          Count += Thread.first == Id.Thread &&
                   (!IsOne || Thread.second == Id.Replica);
        C.Count += Count;
      }
    }
    const ColouredNet C = makeColouredNet(P, Classes, false);
    net::Budget Short(0.3, 0);
    const net::Answer A = net::searchExplicit(C.N, Short);
    if (A.What != net::Verdict::Coverable)
      return;
    BlockVerdict Other = V;
    Other.Run = concretize(P, C, Classes, A.Witness);
    reduce(Other);
    if (Other.Run.size() < V.Run.size())
      V = std::move(Other);
  }

  static void requireShown(const Replayed &R) {
    if (!R.Problem.empty() || !R.IsShown)
      throw std::logic_error("the replay does not show what an engine found: " +
                             R.Problem);
  }
};

} // namespace

CausalResult analyse(const Program &P, Engine E, net::Budget &B) {
  return Analyser(P, E, B).run();
}

} // namespace atsan::causal
