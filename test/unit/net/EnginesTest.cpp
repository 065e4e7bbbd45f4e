//===- EnginesTest.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All engines against the oracle on random nets: ATSAN_DIFF_NETS=N sets how
// many.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Formats.h"
#include "lib/net/Relevant.h"
#include "lib/net/Search.h"
#include "lib/net/StateEquation.h"
#include "test/unit/Setting.h"
#include "test/unit/net/NetOracle.h"
#include "test/unit/net/RandomNet.h"
#include <gtest/gtest.h>

using namespace atsan::net;
using namespace atsan::net::test;

namespace {

uint64_t howMany() { return atsan_test::setting("ATSAN_DIFF_NETS", 400); }

struct Named {
  const char *Name;
  Answer (*Run)(const Net &, Budget &);
  bool MustDecide; ///< On nets that it takes.
};

const Named Engines[] = {{"explicit", searchExplicit, false},
                         {"unfolding", searchUnfolding, true},
                         {"forward", searchForward, true},
                         {"backward", searchBackward, true},
                         {"all", decide, true}};

/// Compares; returns how many engines have decided.
unsigned compare(const Net &N, bool Expected) {
  unsigned Decided = 0;
  for (const Named &E : Engines) {
    Budget B(E.MustDecide ? 60 : 0.02, 0);
    const Answer A = E.Run(N, B);
    if (A.What == Verdict::NotApplicable)
      continue;
    if (A.What == Verdict::GaveUp) {
      EXPECT_FALSE(E.MustDecide) << E.Name << ": " << A.Why << '\n'
                                 << writeSpec(N);
      continue;
    }
    ++Decided;
    EXPECT_EQ(A.What == Verdict::Coverable, Expected) << E.Name << '\n'
                                                      << writeSpec(N);
    if (A.What == Verdict::Coverable)
      EXPECT_EQ(replay(N, A.Witness), "") << E.Name << '\n' << writeSpec(N);
  }
  return Decided;
}

TEST(Engines, DifferentialRandomNets) {
  uint64_t Decided = 0, Coverable = 0, Unbounded = 0;
  for (uint64_t Seed = 0; Seed < howMany(); ++Seed) {
    std::mt19937_64 Dice(Seed);
    const Net N = Seed % 3 ? randomNet(Dice) : randomSafeNet(Dice);
    const std::optional<bool> Expected = isCoverable(N, 3000);
    if (!Expected)
      continue;
    // The oracle's two halves agree.
    if (isCoverableForward(N, 6, 3000))
      ASSERT_TRUE(*Expected) << writeSpec(N);
    Coverable += *Expected;
    Unbounded += !N.OrMore.empty();
    Decided += compare(N, *Expected);
    if (HasFailure())
      FAIL() << "seed " << Seed;
  }
  std::printf("%llu verdicts of engines, %llu nets coverable, %llu with any "
              "number of tokens\n",
              static_cast<unsigned long long>(Decided),
              static_cast<unsigned long long>(Coverable),
              static_cast<unsigned long long>(Unbounded));
  EXPECT_GT(Decided, 2 * howMany());
}

/// A net by hand: p0 makes p1 without end.
Net producer() {
  Net N;
  N.Places = {"p0", "p1", "p2"};
  N.Transitions = {{"make", {{0, 1}}, {{0, 1}, {1, 1}}},
                   {"take", {{1, 3}}, {{2, 1}}}};
  N.Initial = {{0, 1}};
  return N;
}

TEST(Engines, RepeatsAnAccelerationAsOftenAsNeeded) {
  Net N = producer();
  N.Targets = {{{1, 2}, {2, 4}}};
  Budget B(60, 0);
  const Answer A = searchForward(N, B);
  ASSERT_EQ(A.What, Verdict::Coverable);
  EXPECT_EQ(replay(N, A.Witness), "");
}

TEST(Engines, BeginsWithAsManyTokensAsNeeded) {
  Net N = producer();
  N.Transitions.erase(N.Transitions.begin());
  N.OrMore = {1};
  N.Targets = {{{2, 5}}};
  for (const auto Run : {searchForward, searchBackward, decide}) {
    Budget B(60, 0);
    const Answer A = Run(N, B);
    ASSERT_EQ(A.What, Verdict::Coverable);
    EXPECT_EQ(replay(N, A.Witness), "");
    EXPECT_GE(tokensIn(A.Witness.Start, 1), 15u);
  }
}

TEST(Engines, GivesUpWithAReason) {
  // 2^60 markings that nothing subsumes.
  Net N;
  for (PlaceId P = 0; P < 120; P += 2) {
    N.Places.push_back("a" + std::to_string(P));
    N.Places.push_back("b" + std::to_string(P));
    N.Initial.push_back({P, 1});
    N.Transitions.push_back({"t", {{P, 1}}, {{P + 1, 1}}});
    N.Transitions.push_back({"u", {{P + 1, 1}}, {{P, 1}}});
  }
  N.Places.push_back("never");
  N.Targets = {{{120, 1}}};
  Budget B(0.05, 0);
  const Answer A = searchExplicit(N, B);
  EXPECT_EQ(A.What, Verdict::GaveUp);
  EXPECT_EQ(A.Why, "0.05 s are over (--max-seconds)");
  Budget Small(0, 1 << 20);
  EXPECT_EQ(searchExplicit(N, Small).Why, "1 MiB are used (--max-memory)");
  // The part that matters is nothing.
  Budget Same(0.05, 0);
  EXPECT_EQ(decide(N, Same).What, Verdict::NotCoverable);
}

TEST(Engines, ReplayRefusesWhatIsNoRun) {
  Net N = producer();
  N.Targets = {{{2, 1}}};
  atsan::net::Run R;
  R.Start = N.Initial;
  R.Segments = {{{0}, 2}, {{1}, 1}};
  EXPECT_NE(replay(N, R).find("step 3, 'take', is not enabled"),
            std::string::npos);
  R.Segments = {{{0}, 3}};
  EXPECT_NE(replay(N, R).find("lacks tokens in 'p2'"), std::string::npos);
  R.Start.push_back({1, 1});
  EXPECT_NE(replay(N, R).find("begins with 1 tokens in 'p1'"),
            std::string::npos);
  R.Start = N.Initial;
  R.Segments = {{{0}, 3}, {{1}, 1}};
  EXPECT_EQ(replay(N, R), "");
}

TEST(Relevant, LeavesOutWhatCannotMatter) {
  Net N = producer();
  N.Targets = {{{1, 1}}};
  const RelevantPart R = relevantPart(N);
  EXPECT_EQ(R.Transitions, (std::vector<TransitionId>{0}));
  EXPECT_EQ(R.Places, (std::vector<PlaceId>{0, 1}));
}

/// Weights that are none exclude markings that can be reached, so they are
/// checked, whatever Z3 says.
TEST(StateEquation, ChecksWeights) {
  Net N;
  N.Places = {"a", "b", "any"};
  N.Transitions = {{"move", {{0, 2}}, {{1, 1}}}};
  N.Initial = {{0, 4}};
  N.OrMore = {2};
  EXPECT_TRUE(isInvariant(N, {1, 2, 0}));
  EXPECT_TRUE(isInvariant(N, {1, 1, 0}));
  EXPECT_FALSE(isInvariant(N, {1, 3, 0}));  // The transition adds weight.
  EXPECT_FALSE(isInvariant(N, {1, -1, 0})); // A token that makes it lighter.
  EXPECT_FALSE(isInvariant(N, {1, 2, 1}));  // There may be any number of these.
  Budget B(60, 0);
  StateEquation E(N, B);
  EXPECT_TRUE(E.excludes({{1, 3}}));
  EXPECT_FALSE(E.excludes({{1, 2}}));
  EXPECT_FALSE(E.excludes({{2, 1000}}));
}

} // namespace
