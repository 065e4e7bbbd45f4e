//===- Distance.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/net/Distance.h"
#include <algorithm>
#include <queue>

namespace atsan::net {

Distance::Distance(const Net &N) : N(N), Takers(takersByPlace(N)) {}

/// Dijkstra's algorithm, in which a transition is passed when all of its places
/// have been.
void Distance::spread(const Marking &M) {
  using Entry = std::pair<uint64_t, PlaceId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> Next;
  Cost.assign(N.Places.size(), Infinite);
  Sum.assign(N.Transitions.size(), 1);
  Missing.clear();
  const auto Reach = [&](PlaceId P, uint64_t At) {
    if (At < Cost[P]) {
      Cost[P] = At;
      Next.push({At, P});
    }
  };
  for (const Arc &A : M)
    Reach(A.Place, 0);
  for (const Transition &T : N.Transitions) {
    Missing.push_back(T.Pre.size());
    if (T.Pre.empty())
      for (const Arc &A : T.Post)
        Reach(A.Place, 1);
  }
  while (!Next.empty()) {
    const auto [At, P] = Next.top();
    Next.pop();
    if (At > Cost[P])
      continue;
    for (const TransitionId Id : Takers[P]) {
      Sum[Id] = std::min(Infinite, Sum[Id] + At);
      if (--Missing[Id] == 0)
        for (const Arc &A : N.Transitions[Id].Post)
          Reach(A.Place, Sum[Id]);
    }
  }
}

uint64_t Distance::of(const Marking &M) {
  spread(M);
  uint64_t Least = Infinite;
  for (const Marking &Target : N.Targets) {
    uint64_t Here = 0;
    for (const Arc &A : Target) {
      const Tokens Has = tokensIn(M, A.Place);
      if (Has >= A.Count)
        continue;
      // A place that has tokens, but too few, costs a step for each.
      const uint64_t Each = std::max<uint64_t>(1, Cost[A.Place]);
      Here =
          std::min(Infinite, Here + std::min(Infinite, Each * (A.Count - Has)));
    }
    Least = std::min(Least, Here);
  }
  return Least;
}

} // namespace atsan::net
