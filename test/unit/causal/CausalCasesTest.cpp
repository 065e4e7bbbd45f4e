//===- CausalCasesTest.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs by hand: what each rule of the construction is for, the rows of
// table 1 of CAV'06, and how large the unfolding gets.
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Analysis.h"
#include "lib/model/Lower.h"
#include "lib/model/Parser.h"
#include <gtest/gtest.h>

using namespace atsan;
using namespace atsan::causal;
using net::Verdict;

namespace {

CausalResult decide(const std::string &Text, Engine E = Engine::All) {
  net::Budget B(60, 0);
  return analyse(model::lower(model::parse(Text), model::Calls::Expand), E, B);
}

/// The verdicts of all blocks: "a" for atomic, "n" for not, "m" for may not.
std::string verdicts(const std::string &Text, Engine E = Engine::All) {
  std::string Letters;
  for (const BlockVerdict &V : decide(Text, E).Blocks)
    Letters += V.What == Verdict::NotCoverable ? 'a'
               : V.What != Verdict::Coverable  ? '?'
               : V.IsMay                       ? 'm'
                                               : 'n';
  return Letters;
}

std::string withAllEngines(const std::string &Text) {
  const std::string Letters = verdicts(Text, Engine::Explicit);
  for (const Engine E :
       {Engine::All, Engine::Unfolding, Engine::Forward, Engine::Backward}) {
    const std::string Same = verdicts(Text, E);
    // The engines may show different runs.
    EXPECT_EQ(Letters.find_first_of("a?") == std::string::npos,
              Same.find_first_of("a?") == std::string::npos)
        << Text;
  }
  return Letters;
}

TEST(CausalCases, FiguresOfThePaper) {
  // Figure 5 (a) and (b), figure 1, and figure 7.
  EXPECT_EQ(withAllEngines(
                "int Y; lock l; thread T { begin acquire(l); Y := 5; "
                "Y := 3; release(l); end } thread U { int x; x := Y - 2; }"),
            "n");
  EXPECT_EQ(
      withAllEngines("int Y; lock l; thread T { begin acquire(l); Y := 5; "
                     "Y := 3; release(l); end } thread U { int x; "
                     "acquire(l); x := Y - 2; release(l); }"),
      "a");
  EXPECT_EQ(
      withAllEngines("int X; int Y; thread T1 { X := 1; } thread T2 { int "
                     "t; begin t := X; Y := 1; end } thread T3 { int r; r "
                     ":= Y; X := 1; }"),
      "a");
}

TEST(CausalCases, AnIncrementIsAReadAndAWrite) {
  // As one event each, no other thread could come between.
  EXPECT_EQ(
      withAllEngines("int D; thread T { begin D := D + 1; end } thread U { "
                     "D := 0; }"),
      "n");
  EXPECT_EQ(withAllEngines("int D; thread T { begin step { D := D + 1; } end } "
                           "thread U { D := 0; }"),
            "a");
}

TEST(CausalCases, LockOrderCounts) {
  const std::string Text = "lock l; thread T { begin acquire(l); release(l); "
                           "acquire(l); release(l); end } thread U { "
                           "acquire(l); release(l); }";
  EXPECT_EQ(withAllEngines(Text), "n");
  EXPECT_TRUE(decide(Text).Blocks[0].Shown.ByLockOrder);
  const CausalResult Data =
      decide("int x; thread T { begin x := 1; x := 2; end } "
             "thread U { x := 3; }");
  EXPECT_FALSE(Data.Blocks[0].Shown.ByLockOrder);
}

TEST(CausalCases, BlocksEndAtTheirEnd) {
  // U comes behind the block, and before another one of T.
  EXPECT_EQ(
      withAllEngines("int x; thread T { begin x := 1; end x := 2; } thread "
                     "U { x := 3; }"),
      "a");
  // An inner end is not the end of the outer block.
  EXPECT_EQ(
      withAllEngines("int x; thread T { begin x := 1; begin skip; end x := "
                     "2; end } thread U { x := 3; }"),
      "na");
  // A block whose end is never reached counts.
  EXPECT_EQ(
      withAllEngines("int x; thread T { begin x := 1; while (true) { x := "
                     "2; } end } thread U { x := 3; }"),
      "n");
}

TEST(CausalCases, ARestartIsAnotherAttempt) {
  const std::string U = " thread U { x := 3; y := 3; }";
  EXPECT_EQ(
      withAllEngines("int x; int y; thread T { begin x := 1; restart; y := "
                     "1; end } thread U { x := 3; y := 3; }"),
      "a");
  EXPECT_EQ(withAllEngines(
                "int x; int y; thread T { begin x := 1; y := 1; end }" + U),
            "n");
}

TEST(CausalCases, SaysMayWhereConditionsWereDropped) {
  EXPECT_EQ(
      withAllEngines("int x; int y; thread T { begin if (x == 0) { x := 1; "
                     "} end } thread U { x := 3; }"),
      "m");
  EXPECT_EQ(
      withAllEngines("int x; thread T { begin if (choose) { x := 1; } x := "
                     "2; end } thread U { x := 3; }"),
      "n");
}

TEST(CausalCases, SelfChoosesElementsAndBranches) {
  EXPECT_EQ(
      withAllEngines("int a[2]; thread T[2] { begin a[self] := 1; a[self] "
                     ":= 2; end }"),
      "a");
  EXPECT_EQ(withAllEngines("int a[2]; thread T[2] { begin a[self] := 1; a[1 - "
                           "self] := 2; a[self] := 3; end }"),
            "n");
  EXPECT_EQ(
      withAllEngines("int x; thread T[2] { begin if (self == 0) { x := 1; "
                     "x := 2; } end }"),
      "a");
}

/// Busy waiting, as in section 5: `begin` inside the lock or around it.
std::string acquire(const std::string &Count, bool IsAround, bool IsBroken) {
  const std::string Update = " D := 5; ";
  const std::string Body =
      IsAround ? "begin acquire(l);" + Update + Update + "release(l); end"
               : "acquire(l); begin" + Update + Update + "end release(l);";
  return "int D; lock l; thread T[" + Count + "] { while (true) { " + Body +
         " } }" + (IsBroken ? " thread U { while (true) { D := 7; } }" : "");
}

TEST(CausalCases, TableOneOfThePaper) {
  for (const bool IsAround : {false, true}) {
    for (const char *Count : {"4", "30", "100", "1000", "*"}) {
      EXPECT_EQ(verdicts(acquire(Count, IsAround, false)), "a");
      EXPECT_EQ(verdicts(acquire(Count, IsAround, true)), "n");
    }
  }
  // With one thread that does not take the lock, two threads are enough.
  EXPECT_EQ(decide(acquire("*", true, true)).Blocks[0].Threads, 2u);
}

TEST(CausalCases, UnfoldingOfAcquireIsLinear) {
  for (const unsigned Threads : {4u, 30u, 100u}) {
    const std::string Count = std::to_string(Threads);
    const std::string Text = "int D; lock l; thread T[" + Count +
                             "] { while (true) { acquire(l); begin D := 5; end "
                             "release(l); } }";
    const CausalResult R = decide(Text, Engine::Unfolding);
    EXPECT_EQ(R.Blocks[0].What, Verdict::NotCoverable);
    EXPECT_EQ(R.Prefix.Events.size(), 7u * Threads);
    // One block that is checked, as in Acquire1.
    const CausalResult One = decide(
        "int D; lock l; thread T { while (true) { acquire(l); begin D := 5; "
        "end release(l); } } thread U[" +
            std::to_string(Threads - 1) +
            "] { while (true) { acquire(l); D := 5; release(l); } }",
        Engine::Unfolding);
    EXPECT_EQ(One.Blocks[0].What, Verdict::NotCoverable);
    EXPECT_EQ(One.Prefix.Events.size(), 3u * Threads + 4);
  }
}

TEST(CausalCases, CopiesOfAThreadAreAlike) {
  std::string Text = "int D; lock l;\n";
  for (unsigned I = 0; I < 200; ++I)
    Text += "thread T" + std::to_string(I) +
            " { begin acquire(l); D := D + 1; release(l); end }\n";
  EXPECT_EQ(verdicts(Text), std::string(200, 'a'));
  EXPECT_EQ(verdicts(Text + "thread U { D := 0; }"), std::string(200, 'n'));
}

/// T[0] is like U, T[1] is not; no third thread stands in for them.
TEST(CausalCases, ReplicasThatDifferAreNotOneAnother) {
  const std::string Same = "begin x := 1; y := 1; x := 2; end y := 2;";
  const std::string Text = "int x; int y; thread T[2] { if (self == 0) { " +
                           Same + " } } thread U { " + Same + " }";
  for (const Engine E : {Engine::All, Engine::Forward, Engine::Explicit})
    EXPECT_EQ(verdicts(Text, E), "nn");
}

/// A lock that is made of a flag: with its value the blocks are atomic, for any
/// number of threads; if the flag is set without a look at it, they are not.
TEST(CausalCases, ValuesOfSyncVariables) {
  const auto Text = [](const char *Take) {
    return "sync bool taken; int x; thread T[*] { while (true) { " +
           std::string(Take) + " begin x := 1; x := 2; end taken := false; } }";
  };
  for (const Engine E : {Engine::All, Engine::Forward, Engine::Backward}) {
    EXPECT_EQ(verdicts(Text("while (!cas(taken, false, true)) {}"), E), "a");
    EXPECT_EQ(verdicts(Text("assume(!taken); taken := true;"), E), "n");
    EXPECT_EQ(verdicts(Text("step { assume(!taken); taken := true; }"), E),
              "a");
  }
}

/// What a thread knows is dropped where it is too much.
TEST(CausalCases, TooManyValuesAreDropped) {
  std::string Text = "sync bool s; int x; thread T { bool b0";
  for (unsigned I = 1; I < 16; ++I)
    Text += ", b" + std::to_string(I);
  Text += ";\n";
  for (unsigned I = 0; I < 16; ++I)
    Text += "b" + std::to_string(I) + " := s;\n";
  for (unsigned I = 0; I < 16; ++I)
    Text += "if (b" + std::to_string(I) + ") { begin x := 1; x := 2; end }\n";
  EXPECT_EQ(verdicts(Text + "} thread U { s := true; x := 3; }"),
            std::string(16, 'm'));
}

TEST(CausalCases, ReplayRefusesWhatIsNoRun) {
  const Program P = model::lower(
      model::parse("int x; thread T { begin x := 1; x := 2; end } thread U { x "
                   ":= 3; }"),
      model::Calls::Expand);
  net::Budget B(60, 0);
  const BlockVerdict V = analyse(P, Engine::All, B).Blocks[0];
  ASSERT_EQ(V.What, Verdict::Coverable);
  EXPECT_TRUE(replay(P, keptValues(P), V.Run).IsShown);
  Schedule Without = V.Run;
  Without.erase(Without.begin() + V.Shown.Between);
  EXPECT_FALSE(replay(P, keptValues(P), Without).IsShown);
  Schedule Swapped = V.Run;
  std::swap(Swapped.front(), Swapped.back());
  EXPECT_NE(replay(P, keptValues(P), Swapped).Problem, "");
  Schedule Unmarked = V.Run;
  for (ScheduleStep &S : Unmarked)
    S.Chooses.reset();
  EXPECT_EQ(replay(P, keptValues(P), Unmarked).Problem, "no block is chosen");
}

} // namespace
