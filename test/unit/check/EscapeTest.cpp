//===- EscapeTest.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic escape analysis: the rules of TSE'06 section 3 one by one, and on
// random runs that to drop what has not escaped changes neither the verdict nor
// the closing event of the conflict graph.
//
//   ATSAN_DIFF_SCHEDULES  how many runs (default 20000)
//   ATSAN_DIFF_SEED       the first seed (default 1)
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "lib/check/Commuting.h"
#include "test/unit/Events.h"
#include "test/unit/Setting.h"
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

using Trace = std::vector<Event>;

struct Memory {
  __atsan::EscapeMap Map;

  void birth(uint32_t Thread, uint64_t Address, uint64_t Size = 16) {
    feedEscapes(Map, event(Thread, EventKind::Birth, Address, Size));
  }
  void death(uint64_t Address, uint64_t Size = 16) {
    feedEscapes(Map, event(0, EventKind::Death, Address, Size));
  }
  void store(uint64_t Word, uint64_t Block) {
    feedEscapes(Map, event(0, EventKind::Pointer, Word, Block));
  }
  bool escaped(uint64_t Address, uint32_t Thread = 0, uint64_t Size = 8) {
    return !feedEscapes(Map, event(Thread, EventKind::Read, Address, Size));
  }
};

TEST(Escape, WhatWasNeverBornHas) {
  Memory M;
  EXPECT_TRUE(M.escaped(0x10));
  M.birth(0, 0x1000);
  EXPECT_TRUE(M.escaped(0x10));
  EXPECT_TRUE(M.escaped(0xff8));
  EXPECT_FALSE(M.escaped(0x1000));
  EXPECT_FALSE(M.escaped(0x1008));
  EXPECT_TRUE(M.escaped(0x1010));
  M.death(0x1000);
  EXPECT_TRUE(M.escaped(0x1000));
}

TEST(Escape, ByAStoreInGlobalMemory) {
  Memory M;
  M.birth(0, 0x1000);
  M.birth(0, 0x2000);
  M.store(0x10, 0x1000);
  EXPECT_TRUE(M.escaped(0x1000));
  EXPECT_FALSE(M.escaped(0x2000));
  // Then by one in an escaped block.
  M.store(0x1008, 0x2000);
  EXPECT_TRUE(M.escaped(0x2000));
}

TEST(Escape, AsTheArgumentOfAThread) {
  Memory M;
  M.birth(0, 0x1000);
  M.store(0, 0x1000);
  EXPECT_TRUE(M.escaped(0x1000));
}

TEST(Escape, Cascades) {
  Memory M;
  for (uint64_t Block = 1; Block != 5; ++Block)
    M.birth(0, Block * 0x1000);
  M.store(0x1000, 0x2000);
  M.store(0x2008, 0x3000);
  M.store(0x3000, 0x1000); // A circle.
  EXPECT_FALSE(M.escaped(0x3000));
  M.store(0x10, 0x2000);
  EXPECT_TRUE(M.escaped(0x1000));
  EXPECT_TRUE(M.escaped(0x2000));
  EXPECT_TRUE(M.escaped(0x3000));
  EXPECT_FALSE(M.escaped(0x4000));
}

TEST(Escape, AnOverwrittenPointerDoesNot) {
  Memory M;
  for (uint64_t Block = 1; Block != 4; ++Block)
    M.birth(0, Block * 0x1000);
  M.store(0x1000, 0x2000);
  M.store(0x1000, 0x3000);
  M.store(0x10, 0x1000);
  EXPECT_FALSE(M.escaped(0x2000));
  EXPECT_TRUE(M.escaped(0x3000));
}

TEST(Escape, PointersDieWithTheirBlock) {
  Memory M;
  M.birth(0, 0x1000);
  M.birth(0, 0x2000);
  M.store(0x1000, 0x2000);
  M.death(0x1000);
  M.birth(0, 0x1000); // Another one.
  M.store(0x10, 0x1000);
  EXPECT_FALSE(M.escaped(0x2000));
}

TEST(Escape, StackVariablesHave) {
  Memory M;
  Event E = event(0, EventKind::Birth, 0x1000, 16);
  E.IsStack = true;
  feedEscapes(M.Map, E);
  EXPECT_TRUE(M.escaped(0x1000));
  M.birth(0, 0x2000);
  M.store(0x1000, 0x2000);
  EXPECT_TRUE(M.escaped(0x2000));
}

TEST(Escape, WhatAnotherThreadAccessesHas) {
  Memory M;
  M.birth(0, 0x1000);
  EXPECT_FALSE(M.escaped(0x1000, 0));
  EXPECT_TRUE(M.escaped(0x1000, 1));
  EXPECT_TRUE(M.escaped(0x1000, 0));
}

TEST(Escape, AnAccessBeyondTheBlockHas) {
  Memory M;
  M.birth(0, 0x1000);
  EXPECT_FALSE(M.escaped(0x1000, 0, 16));
  EXPECT_TRUE(M.escaped(0x1008, 0, 16));
}

TEST(Escape, APartThatLivesOnHas) {
  Memory M;
  M.birth(0, 0x1000, 0x4000);
  M.birth(0, 0x8000);
  M.store(0x1000, 0x8000);
  EXPECT_FALSE(M.escaped(0x4ff8));
  M.death(0x2000, 0x1000);
  EXPECT_TRUE(M.escaped(0x1000));
  EXPECT_TRUE(M.escaped(0x4ff8));
  EXPECT_TRUE(M.escaped(0x8000));
}

TEST(Escape, PartsThatPointToEachOther) {
  Memory M;
  M.birth(0, 0x1000, 0x2000);
  M.birth(0, 0x3000, 0x2000);
  M.store(0x1000, 0x3000);
  M.store(0x3000, 0x1000);
  M.death(0x2000, 0x2000);
  EXPECT_TRUE(M.escaped(0x1000));
  EXPECT_TRUE(M.escaped(0x4000));
  EXPECT_EQ(M.Map.LiveBlocks(), 0u);
}

TEST(Escape, BlocksOfAllSizes) {
  Memory M;
  uint64_t At = 0x100001;
  std::vector<std::pair<uint64_t, uint64_t>> Blocks;
  for (uint64_t Size = 1; Size < 100000; Size += Size / 3 + 1) {
    M.birth(0, At, Size);
    Blocks.push_back({At, Size});
    At += Size;
  }
  for (auto [Begin, Size] : Blocks) {
    EXPECT_FALSE(M.escaped(Begin, 0, Size));
    EXPECT_FALSE(M.escaped(Begin + Size - 1, 0, 1));
  }
  EXPECT_TRUE(M.escaped(0x100000, 0, 1));
  EXPECT_TRUE(M.escaped(At, 0, 1));
  EXPECT_EQ(M.Map.LiveBlocks(), Blocks.size());
  // One death of all.
  M.death(0x100000, At);
  EXPECT_EQ(M.Map.LiveBlocks(), 0u);
}

TEST(Escape, AnalysisCounts) {
  const Trace T = {event(0, EventKind::Birth, 0x1000, 16),
                   event(0, EventKind::Write, 0x1000, 8),
                   event(0, EventKind::Write, 0x10, 8),
                   event(0, EventKind::Pointer, 0x10, 0x1000),
                   event(0, EventKind::Write, 0x1000, 8)};
  const auto A = analysed("locksets", T);
  const auto S = A->statistics();
  ASSERT_EQ(S.size(), 4u);
  EXPECT_EQ(S[2].first, "accesses to escaped memory");
  EXPECT_EQ(S[2].second, 2u);
  EXPECT_EQ(S[3].second, 1u); // Not escaped.
  EXPECT_TRUE(A->findings().empty());
}

/// Threads that know globals, and blocks of which they have a pointer: made
/// themselves, or loaded from memory that they know.
Trace randomRun(uint64_t Seed) {
  std::mt19937_64 R(Seed);
  constexpr uint32_t NumThreads = 3;
  constexpr uint64_t Words = 2;
  struct Block {
    uint64_t Address;
    bool Alive;
  };
  std::vector<Block> Blocks;
  std::map<uint64_t, size_t> PointerAt; // From words to blocks.
  std::vector<std::vector<size_t>> Known(NumThreads);
  std::vector<bool> InRegion(NumThreads);
  std::vector<uint64_t> Free = {0x1000, 0x2000, 0x3000, 0x4000, 0x5000};
  Trace T;
  for (unsigned Step = 0; Step != 40; ++Step) {
    const uint32_t Who = R() % NumThreads;
    std::vector<uint64_t> Reachable = {0x10, 0x18}; // Words of globals.
    std::vector<size_t> Live;
    for (size_t B : Known[Who])
      if (Blocks[B].Alive)
        Live.push_back(B);
    for (size_t B : Live)
      for (uint64_t W = 0; W != Words; ++W)
        Reachable.push_back(Blocks[B].Address + 8 * W);
    const uint64_t Word = Reachable[R() % Reachable.size()];
    switch (R() % 8) {
    case 0:
      T.push_back(event(Who, InRegion[Who] ? EventKind::RegionEnd
                                           : EventKind::RegionBegin));
      InRegion[Who] = !InRegion[Who];
      break;
    case 1:
      if (Free.empty())
        break;
      Known[Who].push_back(Blocks.size());
      Blocks.push_back({Free.back(), true});
      Free.pop_back();
      T.push_back(event(Who, EventKind::Birth, Blocks.back().Address, 16));
      break;
    case 2:
      if (Live.empty())
        break;
      {
        const size_t B = Live[R() % Live.size()];
        T.push_back(event(Who, EventKind::Write, Word, 8));
        T.push_back(event(Who, EventKind::Pointer, Word, Blocks[B].Address));
        PointerAt[Word] = B;
      }
      break;
    case 3: // Load a pointer.
      T.push_back(event(Who, EventKind::Read, Word, 8));
      if (PointerAt.count(Word))
        Known[Who].push_back(PointerAt[Word]);
      break;
    case 4:
      if (Live.empty() || R() % 3)
        break;
      {
        Block &B = Blocks[Live[R() % Live.size()]];
        B.Alive = false;
        T.push_back(event(Who, EventKind::Write, B.Address, 16));
        T.push_back(event(Who, EventKind::Death, B.Address, 16));
        Free.push_back(B.Address);
        for (uint64_t W = 0; W != Words; ++W)
          PointerAt.erase(B.Address + 8 * W);
      }
      break;
    default:
      T.push_back(
          event(Who, R() % 2 ? EventKind::Read : EventKind::Write, Word, 8));
      if (T.back().Kind == EventKind::Write)
        PointerAt.erase(Word);
      else if (PointerAt.count(Word))
        Known[Who].push_back(PointerAt[Word]);
    }
  }
  return T;
}

TEST(EscapeDifferential, DroppingChangesNoVerdict) {
  const uint64_t Runs = setting("ATSAN_DIFF_SCHEDULES", 20000);
  const uint64_t First = setting("ATSAN_DIFF_SEED", 1);
  uint64_t Violations = 0, Dropped = 0, Kept = 0;
  for (uint64_t Seed = First; Seed != First + Runs; ++Seed) {
    const Trace All = randomRun(Seed);
    Trace Rest;
    std::vector<uint64_t> NumberOf = {0};
    __atsan::EscapeMap Map;
    for (size_t I = 0; I != All.size(); ++I) {
      const bool Drops = feedEscapes(Map, All[I]);
      if (isAccess(All[I].Kind))
        ++(Drops ? Dropped : Kept);
      if (Drops)
        continue;
      Rest.push_back(All[I]);
      NumberOf.push_back(I + 1);
    }
    const uint64_t Found = firstClosing(findings("conflict-graph", Rest));
    ASSERT_EQ(firstClosing(findings("conflict-graph", All)), NumberOf[Found])
        << "ATSAN_DIFF_SEED=" << Seed;
    Violations += Found != 0;
  }
  std::printf("%llu violations; %llu accesses dropped, %llu kept\n",
              (unsigned long long)Violations, (unsigned long long)Dropped,
              (unsigned long long)Kept);
  EXPECT_GT(Violations, Runs / 20);
  EXPECT_GT(Dropped, Kept / 20);
}

} // namespace
