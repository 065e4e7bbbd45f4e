//===-- OracleTest.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle against the definitions of serializability by exhaustive search,
// and against itself: its incremental answer and its whole graph.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "RandomSchedule.h"
#include "Serial.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace atsan_test;

namespace {

constexpr unsigned kTinyRuns = 6000;

TEST(Oracle, AgreesWithTheDefinitionOnTinyRuns) {
  unsigned NotSerializable = 0;
  for (unsigned Seed = 1; Seed <= kTinyRuns; Seed++) {
    Schedule S = tinySchedule(Seed, 8 + Seed % 9);
    Oracle O;
    bool Cyclic = false;
    for (const Event &E : S)
      Cyclic |= O.apply(E);
    ASSERT_EQ(!Cyclic, isSerializable(S)) << "seed " << Seed << "\n"
                                          << describe(S);
    NotSerializable += Cyclic;
  }
  EXPECT_GT(NotSerializable, kTinyRuns / 20);
  EXPECT_LT(NotSerializable, kTinyRuns * 19 / 20);
}

TEST(Oracle, FindsTheFirstCycleAtTheEventThatClosesIt) {
  for (unsigned Seed = 1; Seed <= 400; Seed++) {
    Schedule S = randomSchedule(Seed);
    Oracle O;
    bool Cyclic = false;
    for (size_t I = 0; I < S.size() && !Cyclic; I++) {
      Cyclic = O.apply(S[I]);
      ASSERT_EQ(Cyclic, O.hasCycle()) << "seed " << Seed << "\n"
                                      << describe(S, I);
    }
  }
}

// A run and its mirror image under renaming have the same verdict.
TEST(Oracle, DoesNotDependOnNames) {
  for (unsigned Seed = 1; Seed <= 400; Seed++) {
    Schedule S = randomSchedule(Seed), Renamed = S;
    for (Event &E : Renamed) {
      E.Thread = 50 - E.Thread;
      if (E.What != Op::Acquire && E.What != Op::Release)
        E.Other = 50 - E.Other;
      E.Offset = 512 - E.Offset - E.Size;
    }
    ASSERT_EQ(firstViolation(S), firstViolation(Renamed)) << describe(S);
  }
}

TEST(RandomSchedule, IsValidAndReproducible) {
  for (unsigned Seed = 1; Seed <= 200; Seed++) {
    Schedule S = randomSchedule(Seed);
    EXPECT_EQ(dropInvalid(S).size(), S.size()) << "seed " << Seed;
    EXPECT_EQ(describe(randomSchedule(Seed)), describe(S));
    EXPECT_NE(describe(randomSchedule(Seed + 1)), describe(S));
  }
}

} // namespace
