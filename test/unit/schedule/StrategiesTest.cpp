//===-- StrategiesTest.cpp
//--------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all strategies have in common: they choose who can go on, find every
// class in time, and depend on their seed and on nothing else.
//
//===----------------------------------------------------------------------===//
#include "../Setting.h"
#include "Drive.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace __atsan;
using namespace atsan_test;

namespace {

class Strategies : public testing::TestWithParam<const char *> {};

std::vector<Interleaving> schedules(Strategy &S, const MachineProgram &P,
                                    unsigned Runs, uint64_t Base) {
  std::vector<Interleaving> All;
  DriveOptions Options;
  Options.Base = Base;
  for (unsigned I = 0; I < Runs && S.HasMore(); I++)
    All.push_back(drive(S, P, Options).Log.threads());
  return All;
}

// drive() fails where a thread is chosen that cannot go on.
TEST_P(Strategies, FindEveryClass) {
  uint64_t Programs = setting("ATSAN_SCHEDULE_PROGRAMS", 2000) / 10;
  // Some classes need more changes of priority than pct makes, or one in a
  // million runs: the program 3686 has a few.
  if (std::string(GetParam()) == "pct")
    Programs = std::min<uint64_t>(Programs, 3000);
  StrategyOptions Options;
  Options.depth = 9; // Of fewer changes of priority, pct would not find all.
  for (uint64_t Seed = 0; Seed < Programs; Seed++) {
    const MachineProgram P = randomMachineProgram(Seed);
    const AllRuns All = allInterleavings(P, 200);
    if (All.TooMany)
      continue;
    SCOPED_TRACE("seed " + std::to_string(Seed) + "\n" + describe(P));
    Strategy &S = freshStrategy(GetParam(), Options);
    std::set<TraceForm> Missing;
    for (const auto &[Form, V] : All.Classes)
      Missing.insert(Form);
    unsigned Runs = 0;
    for (; !Missing.empty() && Runs < 50000 && S.HasMore(); Runs++)
      Missing.erase(drive(S, P).Log.form());
    ASSERT_TRUE(Missing.empty()) << Missing.size() << " classes not found";
  }
}

TEST_P(Strategies, DoTheSameWithTheSameSeed) {
  for (uint64_t Seed = 0; Seed < 100; Seed++) {
    const MachineProgram P = randomMachineProgram(Seed);
    const auto First =
        schedules(freshStrategy(GetParam()), P, 50, /*Base=*/0x10000);
    EXPECT_EQ(First,
              schedules(freshStrategy(GetParam()), P, 50, /*Base=*/0x7f2000));
  }
}

TEST_P(Strategies, DependOnTheirSeed) {
  if (std::string(GetParam()) == "systematic")
    return;
  std::set<std::vector<Interleaving>> Different;
  MachineProgram P;
  P.Threads = {{6, {OpKind::Update}}, {6, {OpKind::Update}}};
  P.Parents = {-1, -1};
  for (uint64_t Seed = 1; Seed <= 20; Seed++) {
    StrategyOptions Options;
    Options.seed = Seed;
    Different.insert(
        schedules(*NewStrategy(GetParam(), Options), P, 20, 0x10000));
  }
  EXPECT_EQ(20u, Different.size());
}

TEST_P(Strategies, LetThreadsThatSpinWait) {
  // The second thread's awaiting would never end if it went on alone.
  MachineProgram P;
  P.Threads = {{8, {OpKind::Update}}, {{OpKind::Await, 0, 1}}};
  P.Parents = {-1, -1};
  Strategy &S = freshStrategy(GetParam());
  for (unsigned I = 0; I < 100 && S.HasMore(); I++) {
    const DrivenRun Run = drive(S, P);
    if (Run.Redundant)
      continue;
    const Interleaving &Schedule = Run.Log.threads();
    ASSERT_EQ(8, std::count(Schedule.begin(), Schedule.end(), 0));
  }
}

INSTANTIATE_TEST_SUITE_P(, Strategies,
                         testing::Values("random", "pct", "pos", "surw",
                                         "systematic"),
                         [](const auto &I) { return std::string(I.param); });

} // namespace
