//===- HeldSets.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/HeldSets.h"
#include <algorithm>

using namespace atsan::check;

HeldSets::Id HeldSets::of(Set Members) {
  std::sort(Members.begin(), Members.end());
  size_t Kept = 0;
  for (const Member &M : Members)
    if (Kept && Members[Kept - 1].Lock == M.Lock)
      Members[Kept - 1].Exclusive |= M.Exclusive;
    else
      Members[Kept++] = M;
  Members.resize(Kept);
  auto [I, IsNew] = Ids.emplace(std::move(Members), Id(Sets.size()));
  if (IsNew)
    Sets.push_back(&I->first);
  return I->second;
}

bool HeldSets::exclude(Id A, Id B) const {
  if (!A || !B)
    return false;
  const Set &S = *Sets[A], &T = *Sets[B];
  for (size_t I = 0, J = 0; I < S.size() && J < T.size();) {
    if (S[I].Lock == T[J].Lock) {
      if (S[I].Exclusive || T[J].Exclusive)
        return true;
      ++I, ++J;
    } else {
      ++(S[I].Lock < T[J].Lock ? I : J);
    }
  }
  return false;
}

bool HeldSets::subset(Id A, Id B) const {
  const Set &S = *Sets[A], &T = *Sets[B];
  size_t J = 0;
  for (const Member &M : S) {
    while (J < T.size() && T[J].Lock < M.Lock)
      ++J;
    if (J == T.size() || T[J].Lock != M.Lock ||
        (M.Exclusive && !T[J].Exclusive))
      return false;
  }
  return true;
}
