//===- DifferentialTest.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every algorithm against the oracle, on small random histories. More of them:
//
//   ATSAN_REGISTER_HISTORIES=1000000 build/test/unit/RegistersTests
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Decide.h"
#include "lib/registers/Explain.h"
#include "test/unit/registers/Permutations.h"
#include "test/unit/registers/RandomHistory.h"
#include <gtest/gtest.h>

using namespace atsan::registers;
using namespace atsan::registers::test;

namespace {

/// How many histories an algorithm has decided, by verdict.
struct Count {
  unsigned Linearizable = 0, Violations = 0;
};

void compare(const char *Algorithm, const Register &R, int Offending,
             Count &Decided) {
  Values Known;
  if (!whyNot(Algorithm, R, Known).empty())
    return;
  Request Wanted;
  Wanted.WantsOrder = true;
  const Decision D = decide(Algorithm, R, Known, Wanted);
  SCOPED_TRACE(Algorithm + std::string("\n") + text(R));
  ASSERT_NE(D.Is, Verdict::Unknown);
  ASSERT_EQ(D.Is == Verdict::Violation, Offending >= 0);
  ++(Offending >= 0 ? Decided.Violations : Decided.Linearizable);
  const bool HasMore =
      Algorithm != std::string("soar") && Algorithm != std::string("clmt");
  if (!HasMore)
    return;
  if (Offending < 0) {
    ASSERT_TRUE(isLinearization(R.Operations, R.Initial, D.Order));
    return;
  }
  ASSERT_EQ(D.Offending, static_cast<uint32_t>(Offending));
  const Explanation E = explain(R, Known, D, 0);
  ASSERT_TRUE(E.IsMinimal);
  std::vector<Operation> Core;
  for (const uint32_t I : E.Core)
    Core.push_back(R.Operations[I]);
  ASSERT_FALSE(isLinearizable(Core, R.Initial));
  std::set<Value> Held;
  for (Value V = -20; V != 60; ++V)
    if (canHold(R.Operations, R.Initial, Offending, V))
      Held.insert(V);
  for (const Value V : E.Possible)
    ASSERT_TRUE(Held.count(V)) << V;
  if (!E.HasMore) {
    ASSERT_EQ(E.Possible.size(), Held.size());
  }
}

void compareAll(const Shape &Of,
                std::initializer_list<const char *> Algorithms) {
  std::mt19937_64 Random(Of.Processes * 100 + Of.MostOperations);
  std::vector<Count> Decided(Algorithms.size());
  for (unsigned I = 0; I != histories(); ++I) {
    const Register R = randomHistory(Random, Of);
    const int Offending = firstOffending(R.Operations, R.Initial);
    size_t A = 0;
    for (const char *Algorithm : Algorithms) {
      compare(Algorithm, R, Offending, Decided[A++]);
      if (::testing::Test::HasFatalFailure())
        return;
    }
  }
  // Each has had something to decide, of either kind.
  size_t A = 0;
  for (const char *Algorithm : Algorithms) {
    EXPECT_GT(Decided[A].Linearizable, histories() / 200) << Algorithm;
    EXPECT_GT(Decided[A].Violations, histories() / 200) << Algorithm;
    ++A;
  }
}

TEST(RegistersDifferential, AnyOperations) {
  compareAll({3, 7, false, false, false}, {"frontier", "auto"});
  compareAll({5, 6, false, false, false}, {"frontier"});
}

TEST(RegistersDifferential, ReadsAndWrites) {
  compareAll({4, 6, false, false, true}, {"frontier", "clmt"});
}

TEST(RegistersDifferential, UniqueValues) {
  compareAll({4, 7, false, true, true}, {"zones", "frontier", "auto"});
  compareAll({3, 6, false, true, true}, {"clmt"});
}

TEST(RegistersDifferential, OneWriter) {
  compareAll({3, 8, true, false, true},
             {"one-writer", "soar", "frontier", "auto"});
  compareAll({4, 6, true, false, true}, {"clmt", "soar"});
  compareAll({3, 7, true, true, true}, {"one-writer", "zones", "soar"});
}

} // namespace
