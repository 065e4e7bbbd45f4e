//===- TransactionsTest.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which transaction each event belongs to.
//
//===----------------------------------------------------------------------===//

#include "lib/event/Transactions.h"
#include "test/unit/Events.h"
#include <gtest/gtest.h>

using namespace atsan::check;
using atsan::trace::EventKind;
using atsan_test::event;

namespace {

TEST(RegionSplits, AreParsed) {
  RegionSplits S;
  EXPECT_TRUE(S.parse("join,wait"));
  EXPECT_FALSE(S.isBoundary(EventKind::Start));
  EXPECT_TRUE(S.isBoundary(EventKind::Join));
  EXPECT_FALSE(S.isBoundary(EventKind::BarrierLeave));
  EXPECT_TRUE(S.isBoundary(EventKind::Wait));
  EXPECT_TRUE(S.parse("none"));
  EXPECT_FALSE(S.isBoundary(EventKind::Join));
  EXPECT_TRUE(S.parse("all"));
  EXPECT_TRUE(S.isBoundary(EventKind::BarrierArrive));
}

TEST(RegionSplits, MisspeltOnesChangeNothing) {
  for (const char *Text : {"", "joins", "join,", ",join", "none,join"}) {
    RegionSplits S;
    EXPECT_FALSE(S.parse(Text)) << Text;
    EXPECT_TRUE(S.isBoundary(EventKind::Start)) << Text;
  }
}

TEST(Transactions, ReachFromTheOutermostBeginToItsEnd) {
  Transactions T{RegionSplits()};
  EXPECT_EQ(T.take(event(0, EventKind::Read)), Step::Unary);
  EXPECT_EQ(T.take(event(0, EventKind::RegionBegin)), Step::Begin);
  EXPECT_EQ(T.take(event(0, EventKind::RegionBegin)), Step::Inside);
  EXPECT_EQ(T.take(event(1, EventKind::Read)), Step::Unary);
  EXPECT_EQ(T.take(event(0, EventKind::RegionEnd)), Step::Inside);
  EXPECT_EQ(T.take(event(0, EventKind::Write)), Step::Inside);
  EXPECT_EQ(T.transaction(0), 2u);
  EXPECT_EQ(T.take(event(0, EventKind::RegionEnd)), Step::End);
  EXPECT_FALSE(T.inRegion(0));
  EXPECT_EQ(T.take(event(0, EventKind::RegionEnd)), Step::UsageError);
}

TEST(Transactions, AreDividedAtBoundariesAndRestarts) {
  Transactions T{RegionSplits()};
  T.take(event(0, EventKind::RegionBegin));
  EXPECT_EQ(T.take(event(0, EventKind::Wait)), Step::Unary);
  EXPECT_EQ(T.transaction(0), 3u);
  EXPECT_EQ(T.take(event(0, EventKind::Restart)), Step::Restart);
  EXPECT_EQ(T.transaction(0), 3u);
  EXPECT_EQ(T.take(event(0, EventKind::End)), Step::End);
  EXPECT_EQ(T.take(event(0, EventKind::Restart)), Step::Unary);
}

} // namespace
