//===- Explicit.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Breadth first through all reachable markings.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Enabled.h"
#include "lib/net/Search.h"
#include <algorithm>
#include <unordered_set>

namespace atsan::net {

namespace {

struct State {
  Marking M;
  uint32_t From = 0;
  TransitionId By = 0;
};

class States {
public:
  States() : Known(64, Hash{this}, Equal{this}) {}

  /// True if \p S is new.
  bool add(State S) {
    All.push_back(std::move(S));
    if (Known.insert(static_cast<uint32_t>(All.size() - 1)).second)
      return true;
    All.pop_back();
    return false;
  }
  const State &operator[](size_t I) const { return All[I]; }
  size_t size() const { return All.size(); }

private:
  struct Hash {
    const States *S;
    size_t operator()(uint32_t I) const {
      uint64_t H = 0;
      for (const Arc &A : S->All[I].M) {
        H = (H ^ (uint64_t{A.Place} << 32 | A.Count)) * 0x9E3779B97F4A7C15u;
        H ^= H >> 29;
      }
      return H;
    }
  };
  struct Equal {
    const States *S;
    bool operator()(uint32_t A, uint32_t B) const {
      return S->All[A].M == S->All[B].M;
    }
  };

  std::vector<State> All;
  std::unordered_set<uint32_t, Hash, Equal> Known;
};

Run runTo(const Net &N, const States &S, uint32_t I, size_t Target) {
  Run R;
  R.Start = N.Initial;
  R.Target = Target;
  Segment Only;
  for (; I; I = S[I].From)
    Only.Word.push_back(S[I].By);
  std::reverse(Only.Word.begin(), Only.Word.end());
  R.Segments.push_back(std::move(Only));
  return R;
}

} // namespace

Answer searchExplicit(const Net &N, Budget &B) {
  Answer A;
  if (!N.OrMore.empty()) {
    A.What = Verdict::NotApplicable;
    A.Why = "a place begins with any number of tokens";
    return A;
  }
  const Enabled Index(N);
  States S;
  S.add({N.Initial, 0, 0});
  bool TooLarge = false;
  for (uint32_t I = 0; I < S.size(); ++I) {
    for (size_t T = 0; T < N.Targets.size(); ++T)
      if (isCovered(N.Targets[T], S[I].M)) {
        A.What = Verdict::Coverable;
        A.Witness = runTo(N, S, I, T);
        return A;
      }
    if (B.isSpent() || TooLarge || S.size() >= UINT32_MAX - 1) {
      A.Why = TooLarge ? "a place gets too many tokens" : B.why();
      return A;
    }
    const Marking From = S[I].M; // S grows.
    Index.forEach(From, [&](TransitionId Id) {
      State Next{{}, I, Id};
      if (fire(N.Transitions[Id], From, Next.M))
        S.add(std::move(Next));
      else
        TooLarge = true;
    });
  }
  A.What = Verdict::NotCoverable;
  A.Why = "explicit search of " + std::to_string(S.size()) + " markings";
  return A;
}

} // namespace atsan::net
