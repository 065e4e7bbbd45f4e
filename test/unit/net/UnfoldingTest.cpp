//===- UnfoldingTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The size of prefixes that are known, and nets that are not safe.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Unfolding.h"
#include <gtest/gtest.h>

using namespace atsan::net;

namespace {

/// Independent automata that go round in circles: a total adequate order keeps
/// one event of each transition.
TEST(Unfolding, CutsCirclesOffAtOnce) {
  Net N;
  for (PlaceId A = 0; A < 10; ++A) {
    for (PlaceId S = 0; S < 3; ++S) {
      N.Places.push_back("p" + std::to_string(A) + std::to_string(S));
      N.Transitions.push_back(
          {"t", {{A * 3 + S, 1}}, {{A * 3 + (S + 1) % 3, 1}}});
    }
    N.Initial.push_back({A * 3, 1});
  }
  N.Places.push_back("never");
  N.Targets = {{{30, 1}}};
  Budget B(60, 0);
  Prefix P;
  EXPECT_EQ(unfold(N, B, P).What, Verdict::NotCoverable);
  EXPECT_EQ(P.Events.size(), 30u);
}

/// Without a total order McMillan's prefix of this net has 2^n events: in each
/// round either of two transitions leads to the same marking.
TEST(Unfolding, TotalOrderCutsEqualWaysOff) {
  Net N;
  const PlaceId Rounds = 16;
  for (PlaceId R = 0; R <= Rounds; ++R)
    N.Places.push_back("p" + std::to_string(R));
  for (PlaceId R = 0; R < Rounds; ++R) {
    N.Transitions.push_back({"left", {{R, 1}}, {{R + 1, 1}}});
    N.Transitions.push_back({"right", {{R, 1}}, {{R + 1, 1}}});
  }
  N.Places.push_back("never");
  N.Initial = {{0, 1}};
  N.Targets = {{{Rounds + 1, 1}}};
  Budget B(60, 0);
  Prefix P;
  EXPECT_EQ(unfold(N, B, P).What, Verdict::NotCoverable);
  EXPECT_EQ(P.Events.size(), 2u * Rounds);
}

/// Configurations are compared by their size first. By their transitions alone
/// this prefix would have 8 events, and that of another net have no end.
TEST(Unfolding, SmallerConfigurationsComeFirst) {
  Net N;
  N.Places = {"p0", "p1", "p2", "p3", "p4", "never"};
  N.Transitions = {
      {"t0", {{3, 1}}, {{4, 1}}}, {"t1", {{1, 1}, {4, 1}}, {{2, 1}, {3, 1}}},
      {"t2", {{1, 1}}, {{3, 1}}}, {"t3", {{0, 1}}, {{2, 1}}},
      {"t4", {{3, 1}}, {{3, 1}}}, {"t5", {{0, 1}, {4, 1}}, {{1, 1}, {2, 1}}}};
  N.Initial = {{0, 1}, {1, 1}};
  N.Targets = {{{5, 1}}};
  Budget B(60, 0);
  Prefix P;
  EXPECT_EQ(unfold(N, B, P).What, Verdict::NotCoverable);
  EXPECT_EQ(P.Events.size(), 5u);
}

TEST(Unfolding, RefusesNetsThatAreNotSafe) {
  Net N;
  N.Places = {"a", "b", "c"};
  N.Transitions = {{"x", {{0, 1}}, {{2, 1}}}, {"y", {{1, 1}}, {{2, 1}}}};
  N.Initial = {{0, 1}, {1, 1}};
  N.Targets = {{{2, 2}}};
  Budget B(60, 0);
  Prefix P;
  const Answer A = unfold(N, B, P);
  EXPECT_EQ(A.What, Verdict::NotApplicable);
  EXPECT_EQ(A.Why, "the place 'c' can have two tokens");
}

} // namespace
