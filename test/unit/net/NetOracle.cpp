//===- NetOracle.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/net/NetOracle.h"
#include <algorithm>
#include <deque>
#include <set>

namespace atsan::net::test {

using Dense = std::vector<long>;

static Dense dense(const Net &N, const Marking &M) {
  Dense D(N.Places.size());
  for (const Arc &A : M)
    D[A.Place] += A.Count;
  return D;
}

static bool isBelow(const Dense &A, const Dense &B) {
  for (size_t I = 0; I < A.size(); ++I)
    if (A[I] > B[I])
      return false;
  return true;
}

std::optional<bool> isCoverable(const Net &N, size_t MaxBasis) {
  Dense Initial = dense(N, N.Initial);
  for (const PlaceId P : N.OrMore)
    Initial[P] = 1'000'000'000;
  std::vector<Dense> Basis;
  std::deque<Dense> Work;
  for (const Marking &T : N.Targets)
    Work.push_back(dense(N, T));
  while (!Work.empty()) {
    const Dense To = Work.front();
    Work.pop_front();
    if (std::any_of(Basis.begin(), Basis.end(),
                    [&](const Dense &B) { return isBelow(B, To); }))
      continue;
    if (isBelow(To, Initial))
      return true;
    Basis.push_back(To);
    if (Basis.size() > MaxBasis)
      return std::nullopt;
    for (const Transition &T : N.Transitions) {
      const Dense Pre = dense(N, T.Pre), Post = dense(N, T.Post);
      Dense From = To;
      for (size_t I = 0; I < From.size(); ++I)
        From[I] = std::max(0L, To[I] - Post[I]) + Pre[I];
      Work.push_back(From);
    }
  }
  return false;
}

bool isCoverableForward(const Net &N, unsigned MaxTokens, size_t MaxStates) {
  std::set<Dense> Seen;
  std::deque<Dense> Work;
  const auto Add = [&](const Dense &M) {
    for (const long Count : M)
      if (Count > static_cast<long>(MaxTokens))
        return;
    if (Seen.size() < MaxStates && Seen.insert(M).second)
      Work.push_back(M);
  };
  const Dense Initial = dense(N, N.Initial);
  size_t Choices = 1;
  for (size_t I = 0; I < N.OrMore.size(); ++I)
    Choices *= 3;
  for (size_t Choice = 0; Choice < Choices; ++Choice) {
    Dense M = Initial;
    size_t Rest = Choice;
    for (const PlaceId P : N.OrMore) {
      M[P] += static_cast<long>(Rest % 3);
      Rest /= 3;
    }
    Add(M);
  }
  while (!Work.empty()) {
    const Dense M = Work.front();
    Work.pop_front();
    for (const Marking &T : N.Targets)
      if (isBelow(dense(N, T), M))
        return true;
    for (const Transition &T : N.Transitions) {
      const Dense Pre = dense(N, T.Pre), Post = dense(N, T.Post);
      if (!isBelow(Pre, M))
        continue;
      Dense Next = M;
      for (size_t I = 0; I < Next.size(); ++I)
        Next[I] += Post[I] - Pre[I];
      Add(Next);
    }
  }
  return false;
}

} // namespace atsan::net::test
