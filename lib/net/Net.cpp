//===- Net.cpp ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/net/Net.h"
#include <algorithm>

namespace atsan::net {

bool normalize(Marking &M) {
  std::sort(M.begin(), M.end());
  Marking Sums;
  for (const Arc &A : M) {
    if (!Sums.empty() && Sums.back().Place == A.Place) {
      if (A.Count > MaxTokens - Sums.back().Count)
        return false;
      Sums.back().Count += A.Count;
    } else if (A.Count) {
      Sums.push_back(A);
    }
  }
  M = std::move(Sums);
  return true;
}

std::vector<std::vector<TransitionId>> takersByPlace(const Net &N) {
  std::vector<std::vector<TransitionId>> Lists(N.Places.size());
  for (TransitionId Id = 0; Id < N.Transitions.size(); ++Id)
    for (const Arc &A : N.Transitions[Id].Pre)
      Lists[A.Place].push_back(Id);
  return Lists;
}

std::vector<std::vector<TransitionId>> makersByPlace(const Net &N) {
  std::vector<std::vector<TransitionId>> Lists(N.Places.size());
  for (TransitionId Id = 0; Id < N.Transitions.size(); ++Id)
    for (const Arc &A : N.Transitions[Id].Post)
      if (A.Count > tokensIn(N.Transitions[Id].Pre, A.Place))
        Lists[A.Place].push_back(Id);
  return Lists;
}

Tokens tokensIn(const Marking &M, PlaceId Place) {
  const auto It = std::lower_bound(M.begin(), M.end(), Arc{Place, 0});
  return It != M.end() && It->Place == Place ? It->Count : 0;
}

bool isCovered(const Marking &Small, const Marking &Large) {
  if (Small.size() > Large.size())
    return false;
  auto L = Large.begin();
  for (const Arc &A : Small) {
    while (L != Large.end() && L->Place < A.Place)
      ++L;
    if (L == Large.end() || L->Place != A.Place || L->Count < A.Count)
      return false;
    ++L;
  }
  return true;
}

Marking initialWithUnbounded(const Net &N) {
  Marking M;
  auto More = N.OrMore.begin();
  auto Known = N.Initial.begin();
  while (More != N.OrMore.end() || Known != N.Initial.end()) {
    if (Known == N.Initial.end() ||
        (More != N.OrMore.end() && *More <= Known->Place)) {
      if (Known != N.Initial.end() && Known->Place == *More)
        ++Known;
      M.push_back({*More++, Unbounded});
    } else {
      M.push_back(*Known++);
    }
  }
  return M;
}

bool fire(const Transition &T, const Marking &M, Marking &Result) {
  Result.clear();
  Result.reserve(M.size() + T.Post.size());
  auto Pre = T.Pre.begin();
  auto Post = T.Post.begin();
  auto From = M.begin();
  while (From != M.end() || Post != T.Post.end()) {
    const bool Has =
        From != M.end() && (Post == T.Post.end() || From->Place <= Post->Place);
    const PlaceId Place = Has ? From->Place : Post->Place;
    Tokens Count = Has ? (From++)->Count : 0;
    if (Pre != T.Pre.end() && Pre->Place == Place) {
      if (Count != Unbounded)
        Count -= Pre->Count;
      ++Pre;
    }
    if (Post != T.Post.end() && Post->Place == Place) {
      if (Count != Unbounded) {
        if (Post->Count > MaxTokens - Count)
          return false;
        Count += Post->Count;
      }
      ++Post;
    }
    if (Count)
      Result.push_back({Place, Count});
  }
  return true;
}

std::string toText(const Net &N, const Marking &M) {
  std::string Text;
  for (const Arc &A : M) {
    Text += (Text.empty() ? "" : " ") + N.Places[A.Place];
    if (A.Count == Unbounded)
      Text += ":any";
    else if (A.Count != 1)
      Text += ":" + std::to_string(A.Count);
  }
  return Text.empty() ? "no token" : Text;
}

PlaceId placeNamed(const Net &N, const std::string &Name) {
  return static_cast<PlaceId>(
      std::find(N.Places.begin(), N.Places.end(), Name) - N.Places.begin());
}

} // namespace atsan::net
