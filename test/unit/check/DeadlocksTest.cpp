//===- DeadlocksTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Potential deadlocks: known programs, and random ones of locks alone against
// all of their interleavings (ATSAN_DIFF_PROGRAMS, ATSAN_DIFF_SEED).
//
//===----------------------------------------------------------------------===//

#include "check/Deadlocks.h"
#include "Interleavings.h"
#include "Setting.h"
#include <gtest/gtest.h>

using namespace atsan_test;
using atsan::check::Deadlocks;
using atsan::check::Finding;
using atsan::check::Options;

namespace {

/// Of a run that did not deadlock, of which there must be one.
std::optional<std::vector<Finding>> findingsOf(const Program &P, bool All,
                                               uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  const std::optional<Interleaving> Order = randomInterleaving(P, Random);
  if (!Order)
    return std::nullopt;
  const auto Events = events(P, *Order);
  Options O;
  O.All = All;
  Deadlocks D(O);
  D.consume({Events.data(), Events.size()});
  D.finish();
  EXPECT_EQ(D.gaveUp(), "");
  return D.findings();
}
size_t count(const std::vector<std::string> &Threads, bool All = true) {
  return findingsOf(program(Threads), All, 1)->size();
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
      *findingsOf(program({"+l +m -m -l", "+m +l -l -m"}), false, 1);
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
void compare(bool Nested, uint64_t Seed, uint64_t Count, uint64_t &Found,
             uint64_t &False) {
  for (const uint64_t End = Seed + Count; Seed < End; ++Seed) {
    ProgramOptions O;
    O.Accesses = O.Regions = false;
    O.MaxLocks = 4;
    O.NestedLocks = Nested;
    O.SharedLocks = Seed % 3 == 0;
    O.RecursiveLocks = Seed % 5 == 0;
    O.Sync = ProgramOptions::None;
    const Program P = randomProgram(Seed, O);
    const Outcomes Expected = explore(P);
    const auto F = findingsOf(P, false, Seed);
    if (Expected.GaveUp || !F)
      continue;
    if (Nested)
      EXPECT_EQ(Expected.Deadlocks, !F->empty()) << Seed << "\n" << describe(P);
    else
      EXPECT_LE(Expected.Deadlocks, !F->empty()) << Seed << "\n" << describe(P);
    Found += !F->empty();
    False += !F->empty() && !Expected.Deadlocks;
  }
}

TEST(DeadlocksDifferential, NestedLocksExactly) {
  uint64_t Found = 0, False = 0;
  const uint64_t Count = setting("ATSAN_DIFF_PROGRAMS", 4000);
  compare(true, setting("ATSAN_DIFF_SEED", 0), Count, Found, False);
  EXPECT_GT(Found * 20, Count);
}

TEST(DeadlocksDifferential, OtherLocksWithoutMissingAny) {
  uint64_t Found = 0, False = 0;
  const uint64_t Count = setting("ATSAN_DIFF_PROGRAMS", 4000);
  compare(false, setting("ATSAN_DIFF_SEED", 0), Count, Found, False);
  EXPECT_GT(Found * 20, Count);
  RecordProperty("false_alarms", std::to_string(False));
}

} // namespace
