//===- InterleavingsTest.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle itself: known programs, and the states of explore() against all
// interleavings one by one, judged by the definition.
//
//===----------------------------------------------------------------------===//

#include "Interleavings.h"
#include <gtest/gtest.h>

using namespace atsan_test;

namespace {

Outcomes of(const std::vector<std::string> &Threads) {
  return explore(program(Threads));
}

TEST(Interleavings, OfKnownPrograms) {
  EXPECT_TRUE(of({"[ rx wx ]", "wx"}).Unserializable);
  EXPECT_FALSE(of({"+l [ rx wx ] -l", "+l wx -l"}).Unserializable);
  EXPECT_TRUE(of({"[ +l rx -l +l wx -l ]", "+l wx -l"}).Unserializable);
  EXPECT_FALSE(of({"[ rx wx ]", "rx"}).Unserializable);
  EXPECT_TRUE(of({"[ wx wx ]", "rx"}).Unserializable);
  EXPECT_FALSE(of({"[ rx ] wx", "wx"}).Unserializable);
  // Three threads: no two of them suffice.
  EXPECT_TRUE(of({"[ wx wy ]", "[ rx wz ]", "[ rz ry ]"}).Unserializable);
  EXPECT_FALSE(of({"[ wx wy ]", "[ rx wz ]"}).Unserializable);
  // Program order outside of regions counts, start and join do.
  EXPECT_TRUE(of({"[ wx wy ]", "rx ry"}).Unserializable);
  EXPECT_FALSE(of({"[ wx wy ]", "ry rx"}).Unserializable);
  EXPECT_TRUE(of({"[ wx wy ]", "rx >2", "ry"}).Unserializable);
  EXPECT_FALSE(of({"[ rx wx ] >1", "wx"}).Unserializable);
  EXPECT_FALSE(of({">1 <1 [ rx wx ]", "wx"}).Unserializable);
  EXPECT_FALSE(of({"[ rx |b wx ]", "|b wx"}).Unserializable);
  EXPECT_FALSE(of({"[ rx wx ] |b", "|b wx"}).Unserializable);
  EXPECT_TRUE(of({"|b [ rx wx ]", "|b wx"}).Unserializable);
}

TEST(Interleavings, ThatDeadlock) {
  EXPECT_TRUE(of({"+l +m -m -l", "+m +l -l -m"}).Deadlocks);
  EXPECT_FALSE(of({"+l +m -m -l", "+l +m -m -l"}).Deadlocks);
  EXPECT_FALSE(of({"+n +l +m -m -l -n", "+n +m +l -l -m -n"}).Deadlocks);
  EXPECT_FALSE(of({"%l %m /m /l", "%m %l /l /m"}).Deadlocks);
  EXPECT_TRUE(of({"+l +m -m -l", "%m %l /l /m"}).Deadlocks);
  EXPECT_FALSE(of({"+l +l -l -l"}).Deadlocks);
  EXPECT_TRUE(of({"+l >1 <1 -l", "+l -l"}).Deadlocks);
  EXPECT_TRUE(of({"+l |b -l", "+l -l |b"}).Deadlocks);
}

TEST(Interleavings, ViewEquivalenceIsWeaker) {
  // w1(x) w2(x) w1(x) under a later blind write.
  const Program P = program({"[ rx wx ]", "wx", "wx"});
  const Interleaving Order = {0, 0, 1, 0, 0, 2};
  EXPECT_FALSE(isConflictSerializable(P, Order));
  EXPECT_TRUE(isViewSerializable(P, Order));
  EXPECT_FALSE(isViewSerializable(P, {0, 0, 2, 1, 0, 0}));
  EXPECT_TRUE(isViewSerializable(P, {0, 0, 0, 0, 2, 1}));
}

TEST(Interleavings, AreExploredExactly) {
  unsigned Unserializable = 0, Deadlocks = 0;
  for (uint64_t Seed = 0; Seed < 1600; ++Seed) {
    ProgramOptions O;
    O.MaxThreads = 3;
    O.MaxOps = 4;
    O.NestedLocks = Seed % 11 % 3;
    O.SharedLocks = Seed % 5 == 0;
    O.RecursiveLocks = Seed % 7 == 0;
    const ProgramOptions::SyncKind Kinds[] = {
        ProgramOptions::Any, ProgramOptions::Global, ProgramOptions::Anywhere};
    O.Sync = Kinds[Seed % 3];
    const Dividers D = {Seed % 4 != 1, Seed % 4 < 2, Seed % 4 < 3};
    const Program P = randomProgram(Seed, O);
    Outcomes Expected;
    unsigned Count = 0;
    forEachInterleaving(P, [&](const Interleaving &I, bool Deadlocked) {
      Expected.Deadlocks |= Deadlocked;
      Expected.Unserializable |= !isConflictSerializable(P, I, D);
      EXPECT_TRUE(isFeasible(P, I));
      return ++Count < 2000;
    });
    if (Count == 2000)
      continue;
    const Outcomes Found = explore(P, 2000000, D);
    EXPECT_EQ(Found.Unserializable, Expected.Unserializable)
        << describe(P) << "seed " << Seed;
    EXPECT_EQ(Found.Deadlocks, Expected.Deadlocks) << describe(P);
    EXPECT_FALSE(Found.GaveUp);
    Unserializable += Found.Unserializable;
    Deadlocks += Found.Deadlocks;
  }
  EXPECT_GT(Unserializable, 15u);
  EXPECT_GT(Deadlocks, 5u);
}

/// The programs that the differential tests draw: none is too large.
TEST(Interleavings, DecideWhatTestsDraw) {
  unsigned Unserializable = 0, Deadlocks = 0, GaveUp = 0;
  for (uint64_t Seed = 0; Seed < 2000; ++Seed) {
    const Outcomes Found = explore(randomProgram(Seed));
    Unserializable += Found.Unserializable;
    Deadlocks += Found.Deadlocks;
    GaveUp += Found.GaveUp;
  }
  EXPECT_EQ(GaveUp, 0u);
  EXPECT_GT(Unserializable, 300u);
  EXPECT_LT(Unserializable, 1700u);
  EXPECT_GT(Deadlocks, 0u);
}

TEST(Programs, AreWrittenAsTheyAreRead) {
  for (uint64_t Seed = 0; Seed < 200; ++Seed) {
    const Program P = randomProgram(Seed);
    std::vector<std::string> Lines;
    std::string Text = describe(P);
    for (size_t End; (End = Text.find("\",\n")) != std::string::npos;
         Text.erase(0, End + 3))
      Lines.push_back(Text.substr(1, End - 1));
    EXPECT_EQ(describe(program(Lines)), describe(P));
  }
}

} // namespace
