//===- CausalDifferentialTest.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every verdict of every engine equals explicit search of the paper's net:
// ATSAN_DIFF_PROGRAMS=N sets of how many random programs. Each run is replayed
// by the interpreter before analyse() gives it out; here once more.
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Analysis.h"
#include "lib/causal/Literal.h"
#include "lib/model/Lower.h"
#include "lib/model/Parser.h"
#include "test/unit/Setting.h"
#include "test/unit/causal/RandomProgram.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace atsan;
using namespace atsan::causal;
using namespace atsan::causal::test;
using atsan_test::setting;
using net::Verdict;

namespace {

uint64_t howMany() { return setting("ATSAN_DIFF_PROGRAMS", 100); }

/// Begins a part of a long run.
uint64_t firstSeed() { return setting("ATSAN_DIFF_FIRST_SEED", 0); }

Program programOf(const std::string &Text) {
  return model::lower(model::parse(Text), model::Calls::Expand);
}

/// Verdict of the paper's net for one region; nullopt if it is too large.
std::optional<bool> isAtomic(const Program &P, uint32_t Region) {
  std::vector<bool> Only(P.Regions.size());
  Only[Region] = true;
  net::Budget B(0.2, 0);
  const LiteralAnswer A = searchLiteral(P, keptValues(P), Only, B);
  if (A.What == Verdict::Coverable) {
    const Replayed R = replay(P, keptValues(P), A.Run);
    EXPECT_EQ(R.Problem, "");
    EXPECT_TRUE(R.IsShown);
    EXPECT_EQ(R.Region, Region);
  }
  if (A.What == Verdict::GaveUp)
    return std::nullopt;
  return A.What == Verdict::NotCoverable;
}

/// Returns how often the engine gave up: each alone takes minutes for a few
/// nets whose places have values.
uint64_t expectVerdicts(const Program &P, Engine E,
                        const std::vector<std::optional<bool>> &Expected) {
  net::Budget B(E == Engine::All ? 60 : 2, 0);
  uint64_t GaveUp = 0;
  const CausalResult R = analyse(P, E, B);
  EXPECT_EQ(R.Blocks.size(), Expected.size());
  for (size_t I = 0; I < std::min(R.Blocks.size(), Expected.size()); ++I) {
    const BlockVerdict &V = R.Blocks[I];
    if (V.What == Verdict::GaveUp) {
      ++GaveUp;
      continue;
    }
    EXPECT_TRUE(V.What == Verdict::Coverable || V.What == Verdict::NotCoverable)
        << V.Why;
    if (Expected[I])
      EXPECT_EQ(V.What == Verdict::NotCoverable, *Expected[I])
          << "engine " << static_cast<int>(E) << ", block " << I;
    if (V.What != Verdict::Coverable)
      continue;
    const Replayed Again = replay(P, keptValues(P), V.Run);
    EXPECT_EQ(Again.Problem, "");
    EXPECT_TRUE(Again.IsShown);
    EXPECT_EQ(Again.Region, V.Region);
  }
  return GaveUp;
}

TEST(Causal, DifferentialFixedThreads) {
  uint64_t Atomic = 0, Not = 0, Large = 0, Late = 0, LateAlone = 0;
  for (uint64_t Seed = firstSeed(); Seed < firstSeed() + howMany(); ++Seed) {
    std::mt19937_64 Dice(Seed);
    const std::string Text = randomProgram(Dice, Seed % 2 ? "[2]" : "",
                                           Seed % 8 == 1, Seed % 3 == 2);
    SCOPED_TRACE("seed " + std::to_string(Seed) + "\n" + Text);
    const Program P = programOf(Text);
    if (P.Regions.empty())
      continue;
    std::vector<std::optional<bool>> Expected;
    for (uint32_t Region = 0; Region < P.Regions.size(); ++Region) {
      Expected.push_back(isAtomic(P, Region));
      Atomic += Expected.back() == true;
      Not += Expected.back() == false;
      Large += !Expected.back();
    }
    Late += expectVerdicts(P, Engine::All, Expected);
    LateAlone += expectVerdicts(P, Engine::Unfolding, Expected);
    LateAlone += expectVerdicts(P, Engine::Forward, Expected);
    if (Seed % 32 == 0)
      expectVerdicts(P, Engine::Backward, Expected);
    if (HasFailure())
      FAIL() << "seed " << Seed << '\n' << Text;
  }
  std::printf("%llu blocks atomic, %llu not, %llu too large; not decided in "
              "time: %llu by all engines together, %llu by one\n",
              static_cast<unsigned long long>(Atomic),
              static_cast<unsigned long long>(Not),
              static_cast<unsigned long long>(Large),
              static_cast<unsigned long long>(Late),
              static_cast<unsigned long long>(LateAlone));
  EXPECT_LE(1000 * Late, howMany());
  EXPECT_LE(100 * LateAlone, howMany());
  EXPECT_GT(Atomic, howMany() / 10);
  EXPECT_GT(Not, howMany() / 10);
}

/// T[*] is atomic only if T[1] to T[3] are; if it is not, the run says with how
/// many threads the paper's net shows it.
TEST(Causal, DifferentialAnyNumberOfThreads) {
  uint64_t Atomic = 0, Not = 0, Late = 0;
  for (uint64_t Seed = firstSeed() / 3; Seed < (firstSeed() + howMany()) / 3;
       ++Seed) {
    const auto WithCount = [&](const std::string &Count) {
      std::mt19937_64 Dice(1'000'000 + Seed);
      return programOf(randomProgram(Dice, Count, false, Seed % 4 == 3));
    };
    const Program Any = WithCount("[*]");
    if (Any.Regions.empty())
      continue;
    net::Budget B(60, 0);
    const CausalResult R = analyse(Any, Engine::All, B);
    net::Budget Alone(60, 0);
    const CausalResult Forward = analyse(Any, Engine::Forward, Alone);
    // It takes seconds where forward takes milliseconds, so not always.
    net::Budget Short(2, 0);
    const CausalResult Backward =
        Seed % 16 ? Forward : analyse(Any, Engine::Backward, Short);
    for (const BlockVerdict &V : R.Blocks) {
      if (V.What == Verdict::GaveUp) {
        ++Late;
        continue;
      }
      for (const CausalResult *Of : {&Forward, &Backward})
        if (Of->Blocks[V.Region].What != Verdict::GaveUp) {
          ASSERT_EQ(Of->Blocks[V.Region].What, V.What) << "seed " << Seed;
        }
      if (V.What == Verdict::NotCoverable) {
        ++Atomic;
        for (const char *Count : {"[1]", "[3]"})
          EXPECT_NE(isAtomic(WithCount(Count), V.Region), false)
              << "seed " << Seed << ", T" << Count;
        continue;
      }
      ++Not;
      ASSERT_EQ(V.What, Verdict::Coverable);
      uint32_t Needed = 1;
      for (const ScheduleStep &S : V.Run)
        if (S.Thread.Thread == 0)
          Needed = std::max(Needed, S.Thread.Replica + 1);
      if (Needed <= 3)
        EXPECT_NE(
            isAtomic(WithCount("[" + std::to_string(Needed) + "]"), V.Region),
            true)
            << "seed " << Seed;
    }
    if (HasFailure())
      FAIL() << "seed " << Seed;
  }
  std::printf("%llu blocks atomic, %llu not, %llu not decided in time\n",
              static_cast<unsigned long long>(Atomic),
              static_cast<unsigned long long>(Not),
              static_cast<unsigned long long>(Late));
  EXPECT_LE(1000 * Late, howMany());
  EXPECT_GT(Atomic, howMany() / 100);
  EXPECT_GT(Not, howMany() / 100);
}

} // namespace
