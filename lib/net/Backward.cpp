//===- Backward.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Minimal bases of the markings from which a target can be covered, computed
// from the targets backwards. Elements that the state equation excludes are
// left out: on a run to the target every marking is reachable, so that none of
// those that the run needs is excluded (Geffroy, Leroux and Sutre 2016).
//
//===----------------------------------------------------------------------===//

#include "lib/net/Antichain.h"
#include "lib/net/Search.h"
#include "lib/net/StateEquation.h"
#include <algorithm>
#include <queue>

namespace atsan::net {

namespace {

struct Step {
  uint32_t To; ///< The element that By leads to.
  TransitionId By;
  uint32_t Target;
};

class Backward {
public:
  Backward(const Net &N, Budget &B)
      : N(N), B(B), Initial(initialWithUnbounded(N)), Basis(N.Places.size()),
        Equation(N, B), Producers(makersByPlace(N)) {}

  Answer run() {
    for (uint32_t T = 0; T < N.Targets.size() && !IsDone; ++T)
      add(N.Targets[T], {MarkingSet::None, 0, T});
    while (!Waiting.empty() && !IsDone) {
      const uint32_t Id = Waiting.top().second;
      Waiting.pop();
      if (!Basis.has(Id))
        continue;
      expand(Id);
      if (!IsDone && (TooLarge || B.isSpent())) {
        A.Why = TooLarge ? "a place would need too many tokens" : B.why();
        return std::move(A);
      }
    }
    if (IsDone)
      return std::move(A);
    A.What = Verdict::NotCoverable;
    A.Why = "backward search: a basis of " + std::to_string(Basis.size()) +
            " markings, pruned by " + std::to_string(Equation.size()) +
            " place invariants";
    return std::move(A);
  }

private:
  const Net &N;
  Budget &B;
  const Marking Initial;
  MarkingSet Basis;
  StateEquation Equation;
  std::vector<Step> Steps; ///< For each element of the basis, ever.
  /// For each place the transitions that increase it.
  std::vector<std::vector<TransitionId>> Producers;
  /// Fewer tokens first: these cover more.
  std::priority_queue<std::pair<int64_t, uint32_t>> Waiting;
  Answer A;
  bool IsDone = false, TooLarge = false;

  void expand(uint32_t Id) {
    const Marking To = Basis[Id]; // Basis grows.
    std::vector<TransitionId> Candidates;
    for (const Arc &X : To)
      Candidates.insert(Candidates.end(), Producers[X.Place].begin(),
                        Producers[X.Place].end());
    std::sort(Candidates.begin(), Candidates.end());
    Candidates.erase(std::unique(Candidates.begin(), Candidates.end()),
                     Candidates.end());
    for (const TransitionId T : Candidates) {
      Marking From;
      if (before(N.Transitions[T], To, From))
        add(std::move(From), {Id, T, Steps[Id].Target});
      else
        TooLarge = true;
      if (IsDone || !Basis.has(Id) || B.isSpent())
        return;
    }
  }

  /// The least marking from which \p T leads to one that covers \p To. False if
  /// it has too many tokens for us.
  static bool before(const Transition &T, const Marking &To, Marking &From) {
    for (const Arc &X : To) {
      const Tokens Made = tokensIn(T.Post, X.Place);
      if (X.Count > Made)
        From.push_back({X.Place, X.Count - Made});
    }
    From.insert(From.end(), T.Pre.begin(), T.Pre.end());
    return normalize(From);
  }

  void add(Marking M, const Step &S) {
    if (Basis.coveredBy(M) != MarkingSet::None || Equation.excludes(M))
      return;
    int64_t Size = 0;
    for (const Arc &X : M)
      Size += X.Count;
    const uint32_t Id = Basis.add(std::move(M));
    Steps.push_back(S);
    if (isCovered(Basis[Id], Initial)) {
      IsDone = true;
      A.What = Verdict::Coverable;
      A.Witness = witness(Id);
      return;
    }
    Basis.removeCovering(Basis[Id], Id);
    Waiting.push({-Size, Id});
  }

  Run witness(uint32_t Id) const {
    Run R;
    R.Target = Steps[Id].Target;
    R.Start = N.Initial;
    for (const PlaceId P : N.OrMore) {
      const Tokens Has = tokensIn(N.Initial, P),
                   Needed = tokensIn(Basis[Id], P);
      if (Needed > Has)
        R.Start.push_back({P, Needed - Has});
    }
    normalize(R.Start);
    Segment Only;
    for (; Steps[Id].To != MarkingSet::None; Id = Steps[Id].To)
      Only.Word.push_back(Steps[Id].By);
    R.Segments.push_back(std::move(Only));
    return R;
  }
};

} // namespace

Answer searchBackward(const Net &N, Budget &B) { return Backward(N, B).run(); }

} // namespace atsan::net
