//===- LocksHeldTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which locks a thread holds: modes, recursion, order, acquisitions.
//
//===----------------------------------------------------------------------===//

#include "lib/check/LocksHeld.h"
#include "test/unit/Events.h"
#include <gtest/gtest.h>

using namespace atsan::check;
using atsan::trace::EventKind;

namespace {

struct Replay {
  LocksHeld Locks;

  LockStep operator()(uint32_t Thread, EventKind Kind, uint64_t Lock) {
    return Locks.take(atsan_test::event(Thread, Kind, Lock));
  }
  /// "3x 4s": lock 3 exclusively, lock 4 shared.
  std::string held(uint32_t Thread) {
    std::string Text;
    for (const HeldLock &H : Locks.held(Thread))
      Text += (Text.empty() ? "" : " ") + std::to_string(H.lock) +
              (H.IsExclusive() ? "x" : "s");
    return Text;
  }
};

TEST(LocksHeld, ModesAndOrder) {
  Replay R;
  EXPECT_EQ(R(0, EventKind::Acquire, 3), LockStep::kOuter);
  EXPECT_EQ(R(0, EventKind::AcquireShared, 4), LockStep::kOuter);
  EXPECT_EQ(R(1, EventKind::AcquireShared, 4), LockStep::kOuter);
  EXPECT_EQ(R.held(0), "3x 4s");
  EXPECT_EQ(R.held(1), "4s");
  EXPECT_EQ(R.Locks.held(1).begin()->acquisition, 3u);
  EXPECT_EQ(R(0, EventKind::Release, 3), LockStep::kOuter);
  EXPECT_EQ(R.held(0), "4s");
  EXPECT_EQ(R.held(1), "4s");
}

TEST(LocksHeld, Recursion) {
  Replay R;
  EXPECT_EQ(R(0, EventKind::Acquire, 3), LockStep::kOuter);
  EXPECT_EQ(R(0, EventKind::Acquire, 3), LockStep::kInner);
  EXPECT_EQ(R.Locks.held(0).begin()->acquisition, 1u);
  EXPECT_EQ(R(0, EventKind::Release, 3), LockStep::kInner);
  EXPECT_EQ(R.held(0), "3x");
  EXPECT_EQ(R(0, EventKind::Release, 3), LockStep::kOuter);
  EXPECT_TRUE(R.Locks.held(0).empty());
  EXPECT_EQ(R(0, EventKind::Acquire, 3), LockStep::kOuter);
  EXPECT_EQ(R.Locks.held(0).begin()->acquisition, 5u);
}

// One function of POSIX releases both kinds.
TEST(LocksHeld, ReleaseOfEitherKind) {
  Replay R;
  R(0, EventKind::AcquireShared, 4);
  EXPECT_EQ(R(0, EventKind::Release, 4), LockStep::kOuter);
  EXPECT_EQ(R.held(0), "");
}

TEST(LocksHeld, GivenBackByAnotherThread) {
  Replay R;
  R(0, EventKind::Acquire, 3);
  EXPECT_EQ(R(1, EventKind::Release, 3), LockStep::kNotHeld);
  EXPECT_EQ(R.held(0), "");
  EXPECT_EQ(R(0, EventKind::Release, 3), LockStep::kNotHeld);
}

} // namespace
