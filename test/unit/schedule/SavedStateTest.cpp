//===-- SavedStateTest.cpp
//--------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a strategy knows, from one process to the next: nothing is lost, nothing
// depends on where objects are, and what is damaged is refused.
//
//===----------------------------------------------------------------------===//
#include "Drive.h"
#include "lib/schedule/atsan_saved_state.h"
#include <functional>
#include <gtest/gtest.h>

using namespace __atsan;
using namespace atsan_test;

namespace {

std::string save(const Strategy &S) {
  InternalMmapVector<char> Bytes;
  S.Save(&Bytes);
  return {Bytes.data(), Bytes.size()};
}

bool load(Strategy &S, const std::string &Bytes) {
  // A copy of its own size: a sanitizer sees what is read behind it.
  const std::vector<char> Copy(Bytes.begin(), Bytes.end());
  return S.Load(Copy.data(), Copy.size());
}

DrivenRun run(Strategy &S, const MachineProgram &P, unsigned Number) {
  DriveOptions Options;
  Options.Base = 0x10000 + 8 * 4096 * Number; // Of another process each.
  return drive(S, P, Options);
}

// Two objects with equal options. The second one is not what freshStrategy
// gives.
struct Pair {
  Strategy &First, &Second;
};
Pair makePair(const char *Name, const StrategyOptions &Options = {}) {
  static std::map<std::pair<std::string, u32>, Strategy *> Seconds;
  Strategy *&Second = Seconds[{Name, Options.preemptions}];
  if (!Second)
    Second = NewStrategy(Name, Options);
  EXPECT_FALSE(load(*Second, ""));
  Second->Seed(Options.seed);
  return {freshStrategy(Name, Options), *Second};
}

class SavedState : public testing::TestWithParam<const char *> {};

void compareWithUninterrupted(const char *Name, const StrategyOptions &Options,
                              uint64_t Seed) {
  const MachineProgram P = randomMachineProgram(Seed);
  SCOPED_TRACE(describe(P));
  auto [Whole, Parts] = makePair(Name, Options);
  for (unsigned I = 0; I < 60 && Whole.HasMore(); I++) {
    const DrivenRun A = run(Whole, P, 0);
    Parts.Seed(Options.seed + I);
    const DrivenRun B = run(Parts, P, I);
    ASSERT_FALSE(A.Diverged || B.Diverged);
    ASSERT_EQ(A.Log.threads(), B.Log.threads()) << "run " << I;
    ASSERT_EQ(A.Redundant, B.Redundant);
    const std::string Bytes = save(Parts);
    ASSERT_EQ(Bytes, save(Whole));
    ASSERT_FALSE(load(Parts, ""));
    ASSERT_TRUE(load(Parts, Bytes));
    ASSERT_EQ(Bytes, save(Parts));
    ASSERT_EQ(Whole.HasMore(), Parts.HasMore());
    ASSERT_EQ(Whole.Covered(), Parts.Covered());
  }
}

TEST_P(SavedState, GoesOnWhereItWas) {
  for (uint64_t Seed = 0; Seed < 200 && !HasFailure(); Seed++)
    compareWithUninterrupted(GetParam(), {}, Seed);
}

// What a strategy knows after a run of ten steps, and some more in the middle.
std::string saveAfter(const char *Name, unsigned More, bool AreOnlyLoops) {
  Strategy &S = freshStrategy(Name);
  Candidate C = {};
  C.parent = kNoThread;
  C.ready = true;
  C.next.kind = StepKind::kRead;
  C.next.object = 0x1000;
  C.next.size = 4;
  C.next.interesting = true;
  S.BeginRun();
  for (unsigned I = 0; I < 10 + More; I++) {
    Decision D = {&C, 1, I ? 0 : kNoThread};
    D.only_loops = AreOnlyLoops && I >= 5 && I < 5 + More;
    EXPECT_EQ(S.Choose(D), 0u);
  }
  S.EndRun(/*complete=*/true);
  return save(S);
}

TEST(SavedStateOfLoops, DoesNotCountRoundsOfWaiting) {
  for (const char *Name : {"pct", "surw"}) {
    EXPECT_EQ(saveAfter(Name, 0, true), saveAfter(Name, 100, true)) << Name;
    EXPECT_NE(saveAfter(Name, 0, false), saveAfter(Name, 100, false)) << Name;
  }
}

// The estimates and the stack of some runs.
std::string someBytes(const char *Name) {
  Strategy &S = freshStrategy(Name);
  for (unsigned I = 0; I < 3; I++)
    run(S, randomMachineProgram(4), I);
  return save(S);
}

TEST_P(SavedState, IsRefusedIfDamaged) {
  const std::string Bytes = someBytes(GetParam());
  auto [New, S] = makePair(GetParam());
  const std::string Nothing = save(New);
  for (size_t I = 0; I < Bytes.size(); I++) {
    for (unsigned Bit = 0; Bit < 8; Bit++) {
      std::string Damaged = Bytes;
      Damaged[I] ^= 1 << Bit;
      ASSERT_FALSE(load(S, Damaged)) << "byte " << I;
    }
    ASSERT_FALSE(load(S, Bytes.substr(0, I))) << "cut at " << I;
    ASSERT_FALSE(load(S, Bytes.substr(I + 1)));
    ASSERT_EQ(Nothing, save(S)) << "as new";
  }
  ASSERT_FALSE(load(S, Bytes + '\0'));
  ASSERT_FALSE(load(S, Bytes + Bytes));
  ASSERT_FALSE(load(S, std::string(1000, '\0')));
  ASSERT_TRUE(load(S, Bytes));
}

TEST_P(SavedState, IsRefusedByOthers) {
  const std::string Bytes = someBytes(GetParam());
  for (const char *const *Name = kStrategyNames; *Name; Name++)
    EXPECT_EQ(std::string(GetParam()) == *Name,
              load(freshStrategy(*Name), Bytes));
}

INSTANTIATE_TEST_SUITE_P(, SavedState,
                         testing::Values("random", "pct", "pos", "surw",
                                         "systematic"),
                         [](const auto &I) { return std::string(I.param); });

TEST(SavedStack, GoesOnWithinABound) {
  StrategyOptions Options;
  Options.preemptions = 2;
  for (uint64_t Seed = 0; Seed < 200 && !HasFailure(); Seed++)
    compareWithUninterrupted("systematic", Options, Seed);
}

TEST(SavedOptions, AreCompared) {
  StrategyOptions Other;
  Other.depth = 4;
  EXPECT_FALSE(load(freshStrategy("pct", Other), someBytes("pct")));
  Other.preemptions = 4;
  EXPECT_FALSE(
      load(freshStrategy("systematic", Other), someBytes("systematic")));
  Other = {};
  Other.seed = 77;
  EXPECT_TRUE(load(freshStrategy("random", Other), someBytes("random")));
}

// The seed of a run decides, not the runs that are loaded.
TEST(SavedOptions, DoNotReplaceTheSeed) {
  const MachineProgram P = randomMachineProgram(4);
  for (const char *Name : {"random", "pos"}) {
    StrategyOptions Other;
    Other.seed = 77;
    const auto Fresh = run(freshStrategy(Name, Other), P, 0).Log.threads();
    const std::string Bytes = someBytes(Name);
    Strategy &S = freshStrategy(Name, Other);
    ASSERT_TRUE(load(S, Bytes));
    EXPECT_EQ(Fresh, run(S, P, 0).Log.threads()) << Name;
  }
}

// Right checksums do not make a stack.
TEST(SavedStack, MustBeOne) {
  const auto Loads = [](const std::function<void(StateWriter &)> &Levels,
                        u8 Exhausted = 0) {
    InternalMmapVector<char> Bytes;
    {
      StateWriter W(&Bytes, "systematic");
      W.Put32(kNoBound);
      W.Put8(Exhausted);
      W.Put8(0);
      Levels(W);
    }
    Strategy &S = freshStrategy("systematic");
    const std::string New = save(S);
    const bool Loaded = load(S, {Bytes.data(), Bytes.size()});
    EXPECT_TRUE(Loaded || save(S) == New);
    return Loaded;
  };
  const auto Level = [](StateWriter &W, u32 Count, u32 Chosen) {
    W.Put32(Count);
    W.Put32(Chosen);
    W.Put32(0);
    W.Put64(1);
  };
  const auto Option = [](StateWriter &W, u32 Thread, u8 Flags) {
    W.Put32(Thread);
    W.Put8(Flags);
    W.Put8(0);
    W.Put32(0);
  };
  EXPECT_TRUE(Loads([](StateWriter &W) { W.Put32(0); }));
  EXPECT_FALSE(Loads([](StateWriter &W) { W.Put64(0); })) << "more follows";
  EXPECT_FALSE(Loads([](StateWriter &W) { W.Put32(1); }));
  EXPECT_FALSE(Loads([](StateWriter &W) { W.Put32(~0u); }));
  const auto OneLevel = [&](u32 Count, u32 Chosen, u32 A, u32 B, u8 Flags,
                            u8 Exhausted = 0) {
    return Loads(
        [&](StateWriter &W) {
          W.Put32(1);
          Level(W, Count, Chosen);
          Option(W, A, 0);
          Option(W, B, Flags);
        },
        Exhausted);
  };
  EXPECT_TRUE(OneLevel(2, 1, 0, 1, 5));
  EXPECT_FALSE(OneLevel(2, 1, 0, 1, 5, /*Exhausted=*/1));
  EXPECT_FALSE(OneLevel(2, 1, 0, 1, 4)) << "not eligible";
  EXPECT_FALSE(OneLevel(2, 0, 0, 1, 5)) << "not eligible";
  EXPECT_FALSE(OneLevel(2, 2, 0, 1, 5)) << "chosen is none";
  EXPECT_FALSE(OneLevel(2, 1, 1, 1, 5)) << "not in order";
  EXPECT_FALSE(OneLevel(2, 1, 0, kNoThread, 5));
  EXPECT_FALSE(OneLevel(3, 1, 0, 1, 5));
  EXPECT_FALSE(OneLevel(1, 0, 0, 1, 5));
  EXPECT_FALSE(OneLevel(0x10000000, 1, 0, 1, 5));
}

TEST(SavedEstimates, MustBeSome) {
  const auto Loads = [](u32 Count, std::vector<u32> Parents) {
    InternalMmapVector<char> Bytes;
    {
      StateWriter W(&Bytes, "surw");
      W.Put64(10);
      W.Put32(Count);
      for (u32 Parent : Parents) {
        W.Put64(20);
        W.Put32(Parent);
      }
    }
    Strategy &S = freshStrategy("surw");
    const std::string New = save(S);
    const bool Loaded = load(S, {Bytes.data(), Bytes.size()});
    EXPECT_TRUE(Loaded || save(S) == New);
    return Loaded;
  };
  EXPECT_TRUE(Loads(2, {kNoThread, 0}));
  EXPECT_FALSE(Loads(2, {kNoThread, 1})) << "its own parent";
  EXPECT_FALSE(Loads(2, {1, kNoThread})) << "older than its parent";
  EXPECT_FALSE(Loads(2, {kNoThread}));
  EXPECT_FALSE(Loads(~0u, {kNoThread, 0}));
}

} // namespace
