//===- RandomNet.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/net/RandomNet.h"
#include <algorithm>

namespace atsan::net::test {

namespace {

using Dice = std::mt19937_64;

uint32_t upTo(Dice &D, uint32_t Most) {
  return static_cast<uint32_t>(D() % (Most + 1));
}

Marking randomMarking(Dice &D, const Net &N, unsigned Arcs, Tokens Weight) {
  Marking M;
  for (unsigned I = 0; I < Arcs; ++I)
    M.push_back({upTo(D, N.Places.size() - 1), 1 + upTo(D, Weight - 1)});
  normalize(M);
  return M;
}

void namePlaces(Net &N, unsigned Count) {
  for (unsigned P = 0; P < Count; ++P)
    N.Places.push_back("p" + std::to_string(P));
}

void addTargets(Dice &D, Net &N, Tokens Weight) {
  for (unsigned I = 0; I <= upTo(D, 1); ++I)
    N.Targets.push_back(randomMarking(D, N, 1 + upTo(D, 2), Weight));
}

} // namespace

Net randomNet(Dice &D) {
  Net N;
  namePlaces(N, 1 + upTo(D, 5));
  const Tokens Weight = 1 + upTo(D, 2);
  const unsigned Transitions = 1 + upTo(D, 6);
  for (unsigned T = 0; T < Transitions; ++T) {
    const unsigned Pre = (T || upTo(D, 4)) ? 1 + upTo(D, 2) : 0;
    N.Transitions.push_back({"t" + std::to_string(T),
                             randomMarking(D, N, Pre, Weight),
                             randomMarking(D, N, upTo(D, 3), Weight)});
  }
  N.Initial = randomMarking(D, N, upTo(D, 3), 2);
  if (!upTo(D, 2))
    N.OrMore.push_back(upTo(D, N.Places.size() - 1));
  addTargets(D, N, 3);
  return N;
}

Net randomSafeNet(Dice &D) {
  Net N;
  const unsigned Automata = 2 + upTo(D, 2), States = 2 + upTo(D, 2);
  namePlaces(N, Automata * States);
  for (unsigned A = 0; A < Automata; ++A)
    N.Initial.push_back({A * States, 1});
  const unsigned Transitions = 2 + upTo(D, 8);
  for (unsigned T = 0; T < Transitions; ++T) {
    Transition New{"t" + std::to_string(T), {}, {}};
    for (unsigned A = 0; A < Automata; ++A)
      if (upTo(D, 1)) {
        New.Pre.push_back({A * States + upTo(D, States - 1), 1});
        New.Post.push_back({A * States + upTo(D, States - 1), 1});
      }
    if (!New.Pre.empty())
      N.Transitions.push_back(New);
  }
  addTargets(D, N, 1);
  return N;
}

} // namespace atsan::net::test
