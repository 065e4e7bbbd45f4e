//===- Symmetry.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Symmetry.h"
#include <algorithm>
#include <numeric>

using namespace atsan::model;

Symmetry::Symmetry(const Machine &M, bool IsOn) : M(M) {
  if (!IsOn)
    return;
  for (unsigned T = 0; T < M.threads(); ++T) {
    if (M.usesSelf(T))
      continue;
    if (!Groups.empty() && M.automaton(Groups.back()[0]) == M.automaton(T))
      Groups.back().push_back(T);
    else
      Groups.push_back({T});
  }
  Groups.erase(std::remove_if(Groups.begin(), Groups.end(),
                              [](const auto &G) { return G.size() == 1; }),
               Groups.end());
}

void Symmetry::normalize(Value *State, std::vector<unsigned> *Moved) const {
  bool IsSorted = true;
  for (const auto &G : Groups)
    for (size_t I = 1; I < G.size(); ++I)
      IsSorted = IsSorted && M.compare(State, G[I - 1], G[I]) <= 0;
  if (IsSorted)
    return;
  std::vector<unsigned> New(M.threads());
  std::iota(New.begin(), New.end(), 0);
  for (const auto &G : Groups) {
    std::vector<unsigned> Sorted = G;
    std::sort(Sorted.begin(), Sorted.end(), [&](unsigned A, unsigned B) {
      const int Order = M.compare(State, A, B);
      return Order ? Order < 0 : A < B;
    });
    for (size_t I = 0; I < G.size(); ++I)
      New[Sorted[I]] = G[I];
  }
  M.rename(State, New);
  if (Moved)
    *Moved = New;
}
