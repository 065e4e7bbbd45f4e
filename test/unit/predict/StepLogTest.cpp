//===- StepLogTest.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/StepLog.h"
#include "gtest/gtest.h"

using namespace atsan::predict;
using atsan::trace::EventKind;

TEST(StepLog, ReadsEventsAndTheirPoints) {
  StepLog Log;
  ASSERT_EQ(Log.read("atsan-steps 1\n"
                     "13 0 0 1 0 14 0 pthread_create 1 1\n"
                     "1 1 0.1 ff0 4 7 1 _Z3setv#2 3 1 my bank.cpp:5:6\n"
                     "0 1 0.1 ff0 4 7 0 _Z3getv#1 3 0\n"
                     "0 1 0.1 ff0 4 7 0 i#1 3 0\n"
                     "0 1 0.1 cut li"),
            "");
  ASSERT_EQ(Log.events().size(), 4u);
  EXPECT_EQ(Log.events()[0].Kind, EventKind::Start);
  EXPECT_EQ(Log.events()[1].Kind, EventKind::Write);
  EXPECT_EQ(Log.events()[1].Address, 0xff0u);
  EXPECT_EQ(Log.events()[1].Size, 4u);
  EXPECT_TRUE(Log.events()[1].IsAtomic);
  EXPECT_EQ(Log.pointOf(2).Visit, 3u);
  EXPECT_TRUE(Log.pointOf(2).IsFresh);
  EXPECT_FALSE(Log.pointOf(3).IsFresh);
  EXPECT_EQ(Log.place(Log.pointOf(2).Place), "_Z3setv#2");
  EXPECT_EQ(Log.where(2), "set() my bank.cpp:5:6");
  EXPECT_EQ(Log.where(3), "get()");
  EXPECT_EQ(Log.where(1), "pthread_create");
  EXPECT_EQ(Log.where(4), "i") << "no type";
  EXPECT_EQ(Log.path(1), "0.1");
  EXPECT_EQ(Log.path(9), "");
  // One stack at two places is two locations.
  EXPECT_NE(Log.events()[1].Location, Log.events()[2].Location);
}

TEST(StepLog, SaysWhichLineIsNone) {
  const std::pair<const char *, const char *> Wrong[] = {
      {"", "it is empty, or cut in its first line"},
      {"atsan-steps 1", "it is empty, or cut in its first line"},
      {"atsan-steps 2\n", "line 1: 'atsan-steps 2' is no line"},
      {"atsan-steps 1\n0 0 0\n", "line 2: '0 0 0' is no line"},
      {"atsan-steps 1\n99 0 0 0 0 0 0 p 1 1\n", "line 2: "},
      {"atsan-steps 1\n0 9999999 0 0 0 0 0 p 1 1\n", "line 2: "},
      {"atsan-steps 1\n1 1 0.1 ff0 4 7 1 #2 3 1\n", "line 2: "},
  };
  for (const auto &[Text, Message] : Wrong) {
    StepLog Log;
    EXPECT_EQ(Log.read(Text).rfind(Message, 0), 0u) << Text;
  }
}
