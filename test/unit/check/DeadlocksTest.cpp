//===- DeadlocksTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Potential deadlocks: known programs, and random ones of locks alone against
// all of their interleavings (RandomRuns.h).
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "RandomRuns.h"
#include <gtest/gtest.h>

using namespace atsan_test;
using atsan::check::Finding;
using atsan::check::Options;
using atsan::trace::Event;

namespace {

/// Of a run that did not deadlock, of which there must be one.
std::vector<Finding> findingsOf(const Program &P, bool All) {
  std::mt19937_64 Random(1);
  Options O;
  O.All = All;
  return findings("deadlocks", events(P, *randomInterleaving(P, Random)), O);
}
size_t count(const std::vector<std::string> &Threads, bool All = true) {
  return findingsOf(program(Threads), All).size();
}

TEST(Deadlocks, TwoLocks) {
  EXPECT_EQ(count({"+l +m -m -l", "+m +l -l -m"}), 1u);
  EXPECT_EQ(count({"+l +m -m -l", "+l +m -m -l"}), 0u);
  EXPECT_EQ(count({"+l +m -m -l +m +l -l -m"}), 0u);
  EXPECT_EQ(count({"+l -l +m -m", "+m +l -l -m"}), 0u);
}

TEST(Deadlocks, AnyNumberOfLocks) {
  EXPECT_EQ(count({"+l +m -m -l", "+m +n -n -m", "+n +l -l -n"}), 1u);
  EXPECT_EQ(count({"+l +m -m -l", "+m +n -n -m", "+l +n -n -l"}), 0u);
  EXPECT_EQ(count({"+l +m -m -l", "+m +n -n -m", "+n +k -k -n", "+k +l -l -k"}),
            1u);
  // Two steps of the circle are of one thread.
  EXPECT_EQ(count({"+l +m -m -l +m +n -n -m", "+n +l -l -n"}), 0u);
}

TEST(Deadlocks, GateLocksKeepApart) {
  EXPECT_EQ(count({"+n +l +m -m -l -n", "+n +m +l -l -m -n"}), 0u);
  EXPECT_EQ(count({"+n +l +m -m -l -n", "+k +m +l -l -m -k"}), 1u);
  EXPECT_EQ(count({"%n +l +m -m -l /n", "%n +m +l -l -m /n"}), 1u);
  EXPECT_EQ(count({"%n +l +m -m -l /n", "+n +m +l -l -m -n"}), 0u);
}

TEST(Deadlocks, OrderKeepsApart) {
  EXPECT_EQ(count({"+l +m -m -l >1", "+m +l -l -m"}), 0u);
  EXPECT_EQ(count({">1 <1 +l +m -m -l", "+m +l -l -m"}), 0u);
  EXPECT_EQ(count({">1 +l +m -m -l <1", "+m +l -l -m"}), 1u);
  EXPECT_EQ(count({"+l +m -m -l |b", "|b +m +l -l -m"}), 0u);
  EXPECT_EQ(count({"|b +l +m -m -l", "|b +m +l -l -m"}), 1u);
}

TEST(Deadlocks, SharedAndRecursive) {
  EXPECT_EQ(count({"%l %m /m /l", "%m %l /l /m"}), 0u);
  EXPECT_EQ(count({"%l +m -m /l", "%m +l -l /m"}), 1u);
  EXPECT_EQ(count({"+l %m /m -l", "+m %l /l -m"}), 1u);
  EXPECT_EQ(count({"%l %m /m /l", "+m +l -l -m"}), 1u);
  EXPECT_EQ(count({"+l +m +l -l -m -l", "+l +m -m -l"}), 0u);
}

TEST(Deadlocks, FindingsSayWhat) {
  const std::vector<Finding> F =
      findingsOf(program({"+l +m -m -l", "+m +l -l -m"}), false);
  ASSERT_EQ(F.size(), 1u);
  EXPECT_EQ(F[0].Kind, "potential-deadlock");
  EXPECT_EQ(F[0].What, atsan::check::Notion::Potential);
  ASSERT_EQ(F[0].Relations.size(), 2u);
  EXPECT_EQ(F[0].Relations[0].First.What.Location, 1u);
  EXPECT_EQ(F[0].Relations[0].Later.What.Location, 2u);
  EXPECT_EQ(F[0].Relations[1].First.What.Location, 101u);
  EXPECT_EQ(F[0].Relations[1].Later.What.Location, 102u);
}

TEST(Deadlocks, AllOfThem) {
  const std::vector<std::string> P = {"+l +m -m -l +l +n -n -l",
                                      "+m +l -l -m +n +l -l -n"};
  EXPECT_EQ(count(P, true), 2u);
  EXPECT_EQ(count(P, false), 1u);
}

/// Both directions with nested locks; without, that nothing is missed.
void compare(bool Nested) {
  uint64_t Found = 0, False = 0;
  const uint64_t Count = numberOfPrograms(4000);
  forEachRun(
      Count,
      [&](uint64_t Seed) {
        ProgramOptions O;
        O.Accesses = O.Regions = false;
        O.MaxLocks = 4;
        O.NestedLocks = Nested;
        O.SharedLocks = Seed % 3 == 0;
        O.RecursiveLocks = Seed % 5 == 0;
        O.Sync = ProgramOptions::None;
        return randomProgram(Seed, O);
      },
      [&](const Program &P, const std::vector<Event> &Events, uint64_t) {
        const Outcomes Expected = explore(P);
        if (Expected.GaveUp)
          return;
        const bool Alarm = !findings("deadlocks", Events).empty();
        EXPECT_LE(Expected.Deadlocks, Alarm);
        if (Nested)
          EXPECT_EQ(Expected.Deadlocks, Alarm);
        Found += Alarm;
        False += Alarm && !Expected.Deadlocks;
      });
  EXPECT_GT(Found * 20, Count);
  testing::Test::RecordProperty("false_alarms", std::to_string(False));
}

TEST(DeadlocksDifferential, NestedLocksExactly) { compare(true); }

TEST(DeadlocksDifferential, OtherLocksWithoutMissingAny) { compare(false); }

} // namespace
