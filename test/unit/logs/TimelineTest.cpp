//===- TimelineTest.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The events of a cycle: in its order, each once.
//
//===----------------------------------------------------------------------===//

#include "lib/report/Timeline.h"
#include "gtest/gtest.h"

using namespace atsan::report;

namespace {

/// An access that its address tells from others.
Event at(uint64_t Thread, uint64_t Transaction, const char *Address) {
  Event E;
  E.Role = "access";
  E.Thread = Thread;
  E.Transaction = Transaction;
  E.Address = Address;
  return E;
}

std::string order(const Timeline &Time) {
  std::string Out;
  for (const Event *E : Time.Events)
    Out += E->Address;
  return Out;
}

TEST(Timeline, ASharedEventIsThereOnce) {
  Finding R;
  R.Steps = {{at(1, 0, "a"), at(2, 1, "b")}, {at(2, 1, "b"), at(1, 0, "c")}};
  const Timeline Time = makeTimeline(R);
  EXPECT_EQ(order(Time), "abc");
  EXPECT_EQ(Time.Links[0].First, 0u);
  EXPECT_EQ(Time.Links[0].Later, Time.Links[1].First);
  EXPECT_EQ(Time.Links[1].Later, 2u);
}

TEST(Timeline, OneTransactionEnteredAndLeftAtTwoEvents) {
  Finding R;
  R.Steps = {{at(1, 0, "a"), at(2, 1, "b")}, {at(2, 1, "c"), at(1, 0, "d")}};
  EXPECT_EQ(order(makeTimeline(R)), "abcd");
}

TEST(Timeline, EverythingOfAnEventCounts) {
  Finding R;
  R.Steps = {{at(1, 0, "a"), at(2, 1, "b")}, {at(2, 1, "b"), at(1, 0, "c")}};
  auto Events = [&] { return makeTimeline(R).Events.size(); };
  Event &E = R.Steps[1].First;
  E.Transaction = 2;
  EXPECT_EQ(Events(), 4u);
  E = R.Steps[0].Later;
  EXPECT_EQ(Events(), 3u);
  E.Frames.emplace_back();
  EXPECT_EQ(Events(), 4u);
  E = R.Steps[0].Later;
  E.Access = "write";
  EXPECT_EQ(Events(), 4u);
}

TEST(Timeline, NoCycle) { EXPECT_TRUE(makeTimeline(Finding()).Events.empty()); }

} // namespace
