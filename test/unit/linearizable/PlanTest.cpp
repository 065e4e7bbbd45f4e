//===- PlanTest.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "include/sanitizer/atsan_linearizable_plan.hpp"
#include <gtest/gtest.h>

using namespace atsan::detail;

namespace {

const std::vector<operation_shape> Shapes = {
    {"push", {0}, 0}, {"pop", {}, 0}, {"put if absent", {2, 0}, 0}};

TEST(Plan, LinesAreReadAsTheyWereWritten) {
  random_numbers Random(5);
  for (unsigned I = 0; I != 1000; ++I) {
    const std::string Line =
        write_plan(planner(Shapes, Random).make(1 + I % 3, 1 + I % 4), Shapes);
    plan Read;
    ASSERT_TRUE(read_plan(Line, Shapes, Read)) << Line;
    EXPECT_EQ(write_plan(Read, Shapes), Line);
  }
}

TEST(Plan, LinesOfOtherOperationsAreRefused) {
  plan P;
  EXPECT_TRUE(read_plan("- | push.0 pop | put_if_absent.1.7 | -", Shapes, P));
  for (const char *Line :
       {"", "-", "- | -", "- | pull | -", "- | push | -", "- | push. | -",
        "- | push.x | -", "- | push.1.2 | -", "- | pop.1 | -",
        "- | put_if_absent.2.0 | -", "- | push.-1 | -",
        "- | push.99999999999 | -"})
    EXPECT_FALSE(read_plan(Line, Shapes, P)) << Line;
  std::string Long = "- |";
  for (int I = 0; I != 65; ++I)
    Long += " pop";
  EXPECT_FALSE(read_plan(Long + " | -", Shapes, P));
}

TEST(Plan, SomeOperationsAreForOneThread) {
  const std::vector<operation_shape> Roles = {{"push", {}, 1}, {"pop", {}, 2}};
  random_numbers Random(5);
  for (unsigned I = 0; I != 100; ++I) {
    const plan P = planner(Roles, Random).make(3, 3);
    for (const planned_call &C : P.parts[1])
      EXPECT_EQ(C.operation, 0u);
    for (const planned_call &C : P.parts[2])
      EXPECT_EQ(C.operation, 1u);
    EXPECT_TRUE(P.parts[3].empty());
  }
}

TEST(Plan, TheSmallestIsFound) {
  plan From;
  ASSERT_TRUE(read_plan("push.0 pop push.1 | pop push.2 | pop pop | push.3 | "
                        "pop pop",
                        Shapes, From));
  // It needs a push before, a thread with a pop, and one with a push.
  const auto Fails = [](const plan &P) {
    bool HasPop = false, HasPush = false, HasPushBefore = false;
    for (const planned_call &C : P.parts.front())
      HasPushBefore |= C.operation == 0;
    for (size_t I = 1; I + 1 < P.parts.size(); ++I)
      for (const planned_call &C : P.parts[I])
        (C.operation ? HasPop : HasPush) = true;
    return HasPop && HasPush && HasPushBefore;
  };
  EXPECT_EQ(write_plan(smallest_plan(From, Fails), Shapes),
            "push.0 | - | pop | push.3 | -");
}

} // namespace
