//===- SerializableTest.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search beside the summarized conflict graph, against all interleavings of
// random programs with the whole graph. ATSAN_MODEL_PROGRAMS sets how many.
//
//===----------------------------------------------------------------------===//

#include "lib/model/Serializable.h"
#include "RandomProgram.h"
#include "lib/model/ConflictMonitor.h"
#include "lib/model/Lower.h"
#include "lib/model/Parser.h"
#include "lib/model/RunTrace.h"
#include "test/unit/Setting.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace atsan::model;
using namespace atsan_test;

namespace {

SearchResult decide(const std::string &Text, bool ReducesOrder = true,
                    bool UsesSymmetry = true) {
  const Program P = lower(parse(Text), Calls::Expand);
  const Sharing Shared(P);
  unsigned Threads = 0;
  for (const Thread &T : P.Threads)
    Threads += T.Count;
  SearchOptions O;
  O.ReducesOrder = ReducesOrder;
  O.UsesSymmetry = UsesSymmetry;
  SearchResult R =
      search(P, Shared, ConflictMonitor(Threads, Shared.tracked()), O);
  // The run that is shown is a violation, as the checker of traces sees it.
  if (R.isBad() && R.Error == Fault::None) {
    const auto Names = threadNames(P);
    RunTrace Run(P, Names, R.Run, "model");
    EXPECT_FALSE(findingOf(P, R, Run).Relations.empty()) << Text;
  }
  return R;
}

/// How many lines of the schedule have numbers.
size_t numberedSteps(const SearchResult &R) {
  return std::count_if(R.Run.begin(), R.Run.end(),
                       [](const Action &A) { return A.BeginsStep; });
}

bool isSerializable(const std::string &Text) { return !decide(Text).isBad(); }

/// Lets some attempts end with a compare-and-swap.
void restartAfterSwaps(std::vector<RandomStatement> &All, bool InRegion,
                       std::mt19937_64 &Random) {
  for (size_t I = 0; I < All.size(); ++I) {
    if (All[I].Is == RandomStatement::Step) // Has no restarts.
      continue;
    const bool IsRegion = All[I].Is == RandomStatement::Region;
    restartAfterSwaps(All[I].First, InRegion || IsRegion, Random);
    restartAfterSwaps(All[I].Second, InRegion || IsRegion, Random);
    // It may fail, or else the region begins anew after it has taken effect.
    if (!InRegion || IsRegion || Random() % 4)
      continue;
    RandomStatement S = All[I];
    if (S.Is != RandomStatement::Read && S.Is != RandomStatement::Cas)
      continue;
    S.Is = RandomStatement::Cas;
    S.Other = (S.Value + 1) % 3;
    All.insert(All.begin() + ++I, S);
    S.Is = RandomStatement::Restart;
    All.insert(All.begin() + ++I, S);
  }
}

TEST(Serializable, Differential) {
  const size_t Programs = setting("ATSAN_MODEL_PROGRAMS", 1000);
  std::mt19937_64 Random(22);
  size_t Compared = 0, Bad = 0, GaveUp = 0;
  while (Compared < Programs) {
    RandomProgram P = randomProgram(Random, 3, 4);
    if (Random() % 2)
      for (auto &Thread : P.Threads)
        restartAfterSwaps(Thread, false, Random);
    if (P.AreAlike)
      for (auto &Thread : P.Threads)
        Thread = P.Threads[0];
    const std::string Text = P.text();
    const OracleVerdict Truth = decideSerializable(P, 3000);
    if (Truth.GaveUp && !Truth.IsUnserializable) {
      ++GaveUp;
      continue;
    }
    ++Compared;
    Bad += Truth.IsUnserializable;
    const SearchResult Reduced = decide(Text);
    ASSERT_EQ(Reduced.isBad(), Truth.IsUnserializable) << Text;
    const SearchResult Whole = decide(Text, false, false);
    ASSERT_EQ(Whole.isBad(), Truth.IsUnserializable) << Text;
    if (!Reduced.isBad()) {
      ASSERT_LE(Reduced.States, Whole.States) << Text;
    } else {
      ASSERT_TRUE(Reduced.IsShortest);
      ASSERT_EQ(Reduced.Steps, Whole.Steps) << Text;
      ASSERT_EQ(numberedSteps(Reduced), Reduced.Steps) << Text;
      ASSERT_FALSE(Reduced.Run.empty());
    }
  }
  printf("%zu programs, %zu not serializable, %zu more too large\n", Programs,
         Bad, GaveUp);
  EXPECT_GT(Bad, Programs / 20);
  EXPECT_LT(GaveUp, Programs);
}

// Threads that are alike change places in the states of the search, also those
// that only the monitor tells apart.
TEST(Serializable, RunOfIdenticalThreads) {
  EXPECT_FALSE(isSerializable(
      "int a; lock m, n; thread T[2] { int l; atomic { a := 0; acquire(m);"
      "l := a; release(m); acquire(n); acquire(m); a := 0; release(n); } }"));
}

// Lines of paper-errata.md on CAV'08.
TEST(Serializable, Errata) {
  // A transaction that never ends hides no cycle.
  EXPECT_FALSE(isSerializable(
      "int x; thread A { int l; atomic { l := x; x := 1; while (true) {} } }"
      "thread B { x := 2; }"));
  // Two regions that only read, and two accesses outside of regions.
  EXPECT_FALSE(isSerializable("int x, y; thread R[2] { int l; choose {"
                              " atomic { l := x; l := y; } } or {"
                              " atomic { l := y; l := x; } } }"
                              "thread W1 { x := 1; } thread W2 { y := 1; }"));
  // Program order alone keeps a completed transaction.
  EXPECT_FALSE(
      isSerializable("int x, y; thread A { int l; atomic { x := 1; l := y; } }"
                     "thread B { int l; l := x; atomic { y := 1; } }"));
  EXPECT_TRUE(
      isSerializable("int x, y; thread A { int l; atomic { x := 1; l := y; } }"
                     "thread B { int l; atomic { y := 1; } }"));
}

} // namespace
