//===-- DivergenceTest.cpp
//--------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that depend on more than their schedule, runs that are given up, and
// drivers that do not tell all: systematic exploration ends, and claims
// nothing.
//
//===----------------------------------------------------------------------===//
#include "Drive.h"
#include <functional>
#include <gtest/gtest.h>
#include <set>

using namespace __atsan;
using namespace atsan_test;

namespace {

MachineProgram program(std::vector<std::vector<Op>> Threads) {
  MachineProgram P;
  P.Parents.assign(Threads.size(), -1);
  P.Threads = std::move(Threads);
  return P;
}

const Op kX = {OpKind::Write, 0}, kY = {OpKind::Write, 1},
         kReadX = {OpKind::Read, 0}, kWide = {OpKind::Write, 3},
         kLock = {OpKind::Lock, 0}, kUnlock = {OpKind::Unlock, 0};

// Explores what each run's number gives. Returns how many runs diverged.
unsigned
explore(const std::function<const MachineProgram &(unsigned)> &ProgramOf,
        Coverage Expected, const DriveOptions &Options = {}) {
  Strategy &S = freshStrategy("systematic");
  unsigned Diverged = 0;
  for (unsigned I = 0; S.HasMore(); I++) {
    if (I == 1000) {
      ADD_FAILURE() << "does not end";
      break;
    }
    Diverged += drive(S, ProgramOf(I), Options).Diverged;
  }
  EXPECT_EQ(Expected, S.Covered());
  return Diverged;
}

void expectDivergence(const MachineProgram &First, const MachineProgram &Then) {
  SCOPED_TRACE(describe(First) + describe(Then));
  EXPECT_EQ(0u, explore([&](unsigned) -> auto & { return First; },
                        Coverage::kAllClasses));
  EXPECT_NE(0u, explore([&](unsigned I) -> auto & { return I ? Then : First; },
                        Coverage::kSampled));
  // As if a coin was thrown in each run.
  EXPECT_NE(0u,
            explore([&](unsigned I) -> auto & { return I % 2 ? Then : First; },
                    Coverage::kSampled));
}

TEST(Divergence, IsSeen) {
  const MachineProgram P = program({{kX, kX, kX}, {kX, kX}});
  // A thread more, other kinds, other sizes.
  expectDivergence(P, program({{kX, kX, kX}, {kX, kX}, {kX}}));
  expectDivergence(P, program({{kX, kReadX, kX}, {kX, kX}}));
  expectDivergence(P, program({{kX, kX, kX}, {kLock, kX}}));
  expectDivergence(P, program({{kX, kWide, kX}, {kX, kX}}));
  // Steps that are the same, but for what they conflict with.
  expectDivergence(P, program({{kY, kX, kX}, {kX, kX}}));
  expectDivergence(P, program({{kX, kY, kX}, {kX, kX}}));
  // A thread that is not ready.
  const MachineProgram Locks =
      program({{kLock, kX, kUnlock, kX}, {kLock, kUnlock, kX}});
  MachineProgram NoLock = Locks;
  NoLock.Threads[0][0] = NoLock.Threads[0][2] = {OpKind::Signal, 0};
  expectDivergence(Locks, NoLock);
}

TEST(Divergence, IsNotSeenInRandomStrategies) {
  for (const char *Name : {"random", "pct", "pos", "surw"}) {
    Strategy &S = freshStrategy(Name);
    for (unsigned I = 0; I < 20; I++)
      EXPECT_FALSE(drive(S, randomMachineProgram(I)).Diverged);
    EXPECT_TRUE(S.HasMore());
    EXPECT_EQ(Coverage::kSampled, S.Covered());
  }
}

TEST(GivenUp, IsNotCovered) {
  const MachineProgram P = program({{kX, kX, kX}, {kX, kX}});
  DriveOptions Options;
  Options.MaxSteps = 4;
  EXPECT_EQ(0u, explore([&](unsigned) -> auto & { return P; },
                        Coverage::kSampled, Options));
  // A thread that was alone.
  const MachineProgram Alone = program({{kX, kX, kX, kX, kX}});
  EXPECT_EQ(0u, explore([&](unsigned) -> auto & { return Alone; },
                        Coverage::kSampled, Options));
  Options.MaxSteps = 6;
  EXPECT_EQ(0u, explore([&](unsigned) -> auto & { return P; },
                        Coverage::kAllClasses, Options));
}

// A runtime cannot stop a program in the middle: it goes on, and is explored no
// further.
TEST(Redundant, RunsMayGoOn) {
  for (uint64_t Seed = 0; Seed < 1000; Seed++) {
    const MachineProgram P = randomMachineProgram(Seed);
    const AllRuns All = allInterleavings(P, 1000);
    if (All.TooMany)
      continue;
    SCOPED_TRACE(describe(P));
    DriveOptions Options;
    Options.StopIfRedundant = false;
    Strategy &S = freshStrategy("systematic");
    std::set<TraceForm> Seen;
    while (S.HasMore()) {
      const DrivenRun Run = drive(S, P, Options);
      ASSERT_TRUE(Run.Complete);
      const bool IsNew = Seen.insert(Run.Log.form()).second;
      ASSERT_FALSE(IsNew && Run.Redundant);
    }
    ASSERT_EQ(All.Classes.size(), Seen.size());
    ASSERT_EQ(Coverage::kAllClasses, S.Covered());
  }
}

// A signal that the step of waking does not name.
TEST(Waking, ThatDependsOnNothingIsNotCovered) {
  MachineProgram P =
      program({{kLock, {OpKind::Wait}, kUnlock}, {{OpKind::Signal}, kX}});
  EXPECT_EQ(0u, explore([&](unsigned) -> auto & { return P; },
                        Coverage::kAllClasses));
  P.WakingTouchesCondition = false;
  EXPECT_EQ(0u,
            explore([&](unsigned) -> auto & { return P; }, Coverage::kSampled));
}

TEST(Deadlock, ThatIsNotToldIsNotCovered) {
  Strategy &S = freshStrategy("systematic");
  Candidate Both[2] = {};
  Both[0].thread = 0;
  Both[1].thread = 1;
  for (Candidate &C : Both) {
    C.parent = kNoThread;
    C.ready = true;
    C.next.kind = StepKind::kSync;
    C.next.object = 1;
  }
  // Each thread has one step, and the second one is lost.
  while (S.HasMore()) {
    S.BeginRun();
    S.Choose({Both, 2, kNoThread});
    S.EndRun(/*complete=*/true);
  }
  EXPECT_EQ(Coverage::kSampled, S.Covered());
}

} // namespace
