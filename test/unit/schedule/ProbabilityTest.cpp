//===-- ProbabilityTest.cpp
//-------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the papers promise of the strategies that throw dice: random and surw
// are uniform, pos does not care how many other steps there are, pct finds bugs
// of its depth with a probability that it knows.
//
//===----------------------------------------------------------------------===//
#include "Drive.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace __atsan;
using namespace atsan_test;

namespace {

const Op kRegion = {OpKind::RegionBegin}, kEnd = {OpKind::RegionEnd},
         kAccess = {OpKind::Update, 0}, kOther = {OpKind::SemaphorePost, 0};

// The threads of the steps that are interesting.
std::string interesting(const RunLog &Log) {
  std::string Text;
  for (size_t I = 0; I < Log.size(); I++)
    if (asStep(Log.step(I), 0).interesting)
      Text += char('0' + Log.threads()[I]);
  return Text;
}

// Fails if what was counted is not uniform over so many outcomes. A fair
// strategy is refused once in 10,000 seeds, and there is one seed.
void expectUniform(const std::map<std::string, unsigned> &Counts,
                   unsigned Outcomes, unsigned Runs) {
  EXPECT_EQ(Outcomes, Counts.size());
  const double Expected = double(Runs) / Outcomes;
  double Sum = 0;
  for (const auto &[Outcome, Count] : Counts)
    Sum += (Count - Expected) * (Count - Expected) / Expected;
  // Wilson and Hilferty's approximation of the distribution.
  const double K = Outcomes - 1, C = 2 / (9 * K);
  const double Limit = K * std::pow(1 - C + 3.72 * std::sqrt(C), 3);
  EXPECT_LT(Sum, Limit) << "of " << Outcomes << " outcomes";
}

void expectSurwUniform(const MachineProgram &P, unsigned Outcomes,
                       unsigned Runs = 40000) {
  SCOPED_TRACE(describe(P));
  Strategy &S = freshStrategy("surw");
  drive(S, P); // It learns how many steps there are.
  std::map<std::string, unsigned> Counts;
  for (unsigned I = 0; I < Runs; I++)
    Counts[interesting(drive(S, P).Log)]++;
  expectUniform(Counts, Outcomes, Runs);
}

TEST(Surw, IsUniformOverInterestingSteps) {
  MachineProgram P;
  P.Parents = {-1, -1};
  P.Threads = {{kRegion, kAccess, kAccess, kAccess, kEnd},
               {kRegion, kAccess, kAccess, kAccess, kEnd}};
  expectSurwUniform(P, 20);
  // Of unlike threads: 6! / (4! 2!).
  P.Threads[0].insert(P.Threads[0].begin() + 2, kAccess);
  P.Threads[1].erase(P.Threads[1].begin() + 2);
  expectSurwUniform(P, 15);
  // Whatever lies between.
  P.Threads[0].insert(P.Threads[0].begin(), 5, kOther);
  P.Threads[1].insert(P.Threads[1].begin() + 2, 7, kOther);
  P.Threads[1].insert(P.Threads[1].end(), 3, kOther);
  expectSurwUniform(P, 15);
  // Three threads: 6! / (3! 2! 1!).
  P.Parents = {-1, -1, -1};
  P.Threads = {{kRegion, kAccess, kAccess, kAccess, kEnd},
               {kOther, kRegion, kAccess, kAccess, kEnd},
               {kOther, kOther, kRegion, kAccess, kEnd}};
  expectSurwUniform(P, 60, 120000);
}

TEST(Surw, CountsWhatIsNotYetBorn) {
  MachineProgram P;
  P.Parents = {-1, 0, 0, 1};
  P.Threads = {{{OpKind::Create, 1}, {OpKind::Create, 2}},
               {kRegion, kAccess, kEnd},
               {kRegion, kAccess, kAccess, kEnd},
               {}};
  P.Threads.pop_back();
  P.Parents.pop_back();
  expectSurwUniform(P, 3);
  // A child's child, and a parent with a step of its own: 5! / (2! 2! 1!).
  P.Parents = {-1, 0, 1, -1};
  P.Threads = {{{OpKind::Create, 1}},
               {{OpKind::Create, 2}, kRegion, kAccess, kAccess, kEnd},
               {kOther, kRegion, kAccess, kAccess, kEnd},
               {kRegion, kAccess, kEnd}};
  expectSurwUniform(P, 30, 80000);
}

// A run that is not like those before: nothing is promised but that it ends.
TEST(Surw, OutlivesWrongEstimates) {
  Strategy &S = freshStrategy("surw");
  MachineProgram Few, Many;
  Few.Parents = Many.Parents = {-1, -1};
  Few.Threads = {{kRegion, kAccess, kEnd}, {kOther}};
  Many.Threads = {{kOther, kRegion, kAccess, kAccess, kEnd},
                  {kRegion, kAccess, kAccess, kAccess, kEnd}};
  for (unsigned I = 0; I < 200; I++)
    EXPECT_EQ(I % 3 ? 4u : 10u, drive(S, I % 3 ? Few : Many).Log.size());
}

// The intended thread waits for a lock whose holder has an interesting step to
// execute first.
TEST(Surw, OutlivesThreadsThatWait) {
  MachineProgram P;
  P.Parents = {-1, -1};
  P.Threads = {{{OpKind::Lock}, kRegion, kAccess, kEnd, {OpKind::Unlock}},
               {{OpKind::Lock}, kRegion, kAccess, kEnd, {OpKind::Unlock}}};
  Strategy &S = freshStrategy("surw");
  std::map<std::string, unsigned> Counts;
  for (unsigned I = 0; I < 1000; I++)
    Counts[interesting(drive(S, P).Log)]++;
  EXPECT_GT(Counts["01"], 300u);
  EXPECT_GT(Counts["10"], 300u);
}

// Locks are interesting, too. Who waits for one when the dice are thrown is as
// likely to come next as the thread that is about to give it back.
TEST(Surw, DrawsThreadsThatWait) {
  MachineProgram P;
  P.Parents = {-1, -1};
  for (int I = 0; I < 2; I++) {
    P.Threads.emplace_back();
    for (int Section = 0; Section < 2; Section++)
      for (const Op &O :
           {kRegion, Op{OpKind::Lock}, kAccess, kEnd, Op{OpKind::Unlock}})
        P.Threads.back().push_back(O);
  }
  Strategy &S = freshStrategy("surw");
  std::map<std::string, unsigned> Counts;
  for (unsigned I = 0; I < 6000; I++) {
    const std::string Steps = interesting(drive(S, P).Log);
    ASSERT_EQ(8u, Steps.size());
    Counts[{Steps[0], Steps[2], Steps[4], Steps[6]}]++;
  }
  for (const char *Order : {"0011", "0101", "0110", "1001", "1010", "1100"})
    EXPECT_GT(Counts[Order], 600u) << Order;
}

TEST(Random, IsUniformAtEachPoint) {
  MachineProgram P;
  P.Parents = {-1, -1, -1};
  P.Threads = {{kRegion, kAccess}, {kRegion, kAccess}, {kRegion, kAccess}};
  Strategy &S = freshStrategy("random");
  std::map<std::string, unsigned> Counts;
  for (unsigned I = 0; I < 30000; I++)
    Counts[text(drive(S, P).Log.threads()).substr(0, 2)]++;
  expectUniform(Counts, 9, 30000);
}

// One access against one: its order is chance, though one thread has to execute
// ten steps before that conflict with nothing.
TEST(Pos, DoesNotCareForOtherSteps) {
  MachineProgram P;
  P.Parents = {-1, -1};
  P.Threads = {{10, kOther}, {kAccess}};
  P.Threads[0].push_back(kAccess);
  Strategy &S = freshStrategy("pos");
  unsigned First = 0;
  for (unsigned I = 0; I < 10000; I++)
    First += drive(S, P).Log.threads().back() == 1;
  // By chance at each point it would be less than one in 1,000. Here the second
  // thread's number must be below eleven others.
  EXPECT_GT(First, 10000 / 12 * 0.8);
}

// The steps of two threads that conflict with each other, one each, after one
// of the second thread has met another one: all orders are possible.
TEST(Pos, ThrowsAgainForStepsThatConflict) {
  MachineProgram P;
  P.Parents = {-1, -1};
  P.Threads = {{3, kAccess}, {kAccess}};
  Strategy &S = freshStrategy("pos");
  std::map<std::string, unsigned> Counts;
  const unsigned Runs = 30000;
  for (unsigned I = 0; I < Runs; I++)
    Counts[text(drive(S, P).Log.threads())]++;
  // The second thread's step has another number against each of the others.
  EXPECT_NEAR(Runs / 2, Counts["1000"], Runs / 50);
  EXPECT_NEAR(Runs / 4, Counts["0100"], Runs / 50);
  EXPECT_NEAR(Runs / 8, Counts["0010"], Runs / 50);
  EXPECT_NEAR(Runs / 8, Counts["0001"], Runs / 50);
}

// How many runs of so many have this order of the first two threads' steps.
unsigned runsWith(const std::string &Order, u32 Depth, unsigned Runs) {
  MachineProgram P;
  P.Parents = {-1, -1, -1};
  P.Threads = {{4, kAccess}, {4, kAccess}, {4, kAccess}};
  StrategyOptions Options;
  Options.depth = Depth;
  Strategy &S = freshStrategy("pct", Options);
  unsigned Found = 0;
  for (unsigned I = 0; I < Runs; I++) {
    std::string Text;
    for (char C : text(drive(S, P).Log.threads()))
      if (C != '2')
        Text += C;
    Found += Text == Order;
  }
  return Found;
}

TEST(Pct, FindsBugsOfItsDepth) {
  const unsigned Runs = 100000;
  const double Threads = 3, Steps = 12;
  // One constraint: a thread before the other one.
  EXPECT_GT(runsWith("11110000", 1, Runs), Runs / Threads);
  // Two: one thread in the middle of the other one.
  EXPECT_EQ(0u, runsWith("00111100", 1, Runs));
  EXPECT_GT(runsWith("00111100", 2, Runs), Runs / (Threads * Steps));
  // Three: each in the other one.
  EXPECT_EQ(0u, runsWith("00110011", 2, Runs));
  EXPECT_GT(runsWith("00110011", 3, Runs), Runs / (Threads * Steps * Steps));
  EXPECT_EQ(0u, runsWith("00110101", 3, Runs));
  EXPECT_NE(0u, runsWith("00110101", 5, Runs));
}

} // namespace
