//===-- DependenceTest.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which steps depend on each other, and what the registry knows.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_strategy.h"
#include <gtest/gtest.h>

using namespace __atsan;

namespace {

Step step(StepKind Kind, uptr Object, u32 Size = 0, uptr Second = 0) {
  Step S;
  S.kind = Kind;
  S.object = Object;
  S.size = Size;
  S.second = Second;
  return S;
}

void expectDependent(bool Expected, const Step &A, const Step &B) {
  EXPECT_EQ(Expected, AreDependent(A, B));
  EXPECT_EQ(Expected, AreDependent(B, A));
}

TEST(Dependence, OfMemoryIsByOverlapAndAWrite) {
  const Step Read = step(StepKind::kRead, 100, 4);
  expectDependent(false, Read, step(StepKind::kRead, 100, 4));
  expectDependent(true, Read, step(StepKind::kWrite, 100, 4));
  expectDependent(true, Read, step(StepKind::kWrite, 103, 8));
  expectDependent(true, Read, step(StepKind::kWrite, 96, 5));
  expectDependent(false, Read, step(StepKind::kWrite, 104, 4));
  expectDependent(false, Read, step(StepKind::kWrite, 96, 4));
  expectDependent(true, step(StepKind::kWrite, 0, 1000), Read);
  // At both ends of the address space.
  expectDependent(false, step(StepKind::kWrite, ~0ul, 1),
                  step(StepKind::kWrite, 0, 1));
  expectDependent(true, step(StepKind::kWrite, ~7ul, 8),
                  step(StepKind::kWrite, ~0ul, 1));
}

TEST(Dependence, OfSynchronizationIsByName) {
  const Step Lock = step(StepKind::kSync, 100);
  expectDependent(true, Lock, step(StepKind::kSync, 100));
  expectDependent(false, Lock, step(StepKind::kSync, 101));
  expectDependent(true, Lock, step(StepKind::kSyncShared, 100));
  expectDependent(false, step(StepKind::kSyncShared, 100),
                  step(StepKind::kSyncShared, 100));
  const Step Wait = step(StepKind::kSync, 200, 0, 100);
  expectDependent(true, Wait, Lock);
  expectDependent(true, Wait, step(StepKind::kSync, 200));
  expectDependent(true, Wait, step(StepKind::kSync, 300, 0, 200));
  expectDependent(true, Wait, step(StepKind::kSync, 300, 0, 100));
  expectDependent(false, Wait, step(StepKind::kSync, 300, 0, 400));
}

TEST(Dependence, OfAMutexAndWhoOverwritesIt) {
  expectDependent(true, step(StepKind::kSync, 100),
                  step(StepKind::kWrite, 96, 8));
  expectDependent(true, step(StepKind::kSync, 300, 0, 100),
                  step(StepKind::kWrite, 96, 8));
  expectDependent(false, step(StepKind::kSync, 104),
                  step(StepKind::kWrite, 96, 8));
}

TEST(Dependence, OfLocalStepsIsNone) {
  for (StepKind Kind : {StepKind::kRead, StepKind::kWrite, StepKind::kSync,
                        StepKind::kSyncShared, StepKind::kLocal})
    expectDependent(false, step(StepKind::kLocal, 100, 4), step(Kind, 100, 4));
}

TEST(Registry, KnowsItsNames) {
  for (const char *const *Name = kStrategyNames; *Name; Name++)
    EXPECT_TRUE(NewStrategy(*Name, {})) << *Name;
  EXPECT_FALSE(NewStrategy("", {}));
  EXPECT_FALSE(NewStrategy("rand", {}));
  EXPECT_FALSE(NewStrategy("randomly", {}));
}

} // namespace
