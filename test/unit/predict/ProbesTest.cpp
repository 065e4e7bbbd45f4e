//===- ProbesTest.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules that let a region read what it would have read earlier, and what
// predictions leave as it was in the run.
//
//===----------------------------------------------------------------------===//

#include "lib/predict/Probes.h"
#include "lib/predict/Predict.h"
#include "gtest/gtest.h"

using namespace atsan;
using namespace atsan::predict;

namespace {

constexpr char Starts[] = "atsan-steps 1\n"
                          "13 0 0 1 0 0 0 pthread_create 1 1\n"
                          "13 0 0 2 0 0 0 pthread_create 2 1\n";
constexpr char Begin1[] = "6 1 0.1 0 0 5 0 begin 1 0\n";
constexpr char Look1[] = "0 1 0.1 10 4 1 0 _Z3getv#1 1 1\n";
constexpr char Write1[] = "1 1 0.1 10 4 2 0 _Z3getv#2 1 1\n";
constexpr char End1[] = "7 1 0.1 0 0 6 0 _Z3getv#2 1 0\n";
constexpr char Begin2[] = "6 2 0.2 0 0 5 0 begin 1 0\n";
constexpr char Look2[] = "0 2 0.2 10 4 1 0 _Z3getv#1 1 1\n";
constexpr char End2[] = "7 2 0.2 0 0 6 0 _Z3getv#1 1 0\n";

StepLog read(const std::vector<const char *> &Lines) {
  StepLog Log;
  std::string Text = Starts;
  for (const char *Line : Lines)
    Text += Line;
  EXPECT_EQ(Log.read(Text), "");
  return Log;
}

} // namespace

TEST(Probes, LetTheSecondLookComeBeforeTheFirstAct) {
  const StepLog Log = read({Begin1, Look1, Write1, End1, Begin2, Look2, End2});
  const Predictions P = predict::predict(Log, 10);
  ASSERT_EQ(P.All.size(), 1u);
  EXPECT_TRUE(P.All[0].IsProbe);
  EXPECT_EQ(P.All[0].Message,
            "between the read in get() and the write in get(), in a region of "
            "thread 0.1, may come the read in get() of thread 0.2, which may "
            "do something else then");
  EXPECT_NE(P.All[0].Schedule.find("switch 0.1 _Z3getv#2 1 0.2\n"),
            std::string::npos)
      << P.All[0].Schedule;
}

TEST(Probes, AreOnlyOfRegionsThatSawTheWrite) {
  // Outside of regions; before the write; after another write.
  EXPECT_TRUE(
      findProbes(read({Begin1, Look1, Write1, End1, Look2}), 9).empty());
  EXPECT_TRUE(
      findProbes(read({Begin2, Look2, End2, Begin1, Look1, Write1, End1}), 9)
          .empty());
  EXPECT_TRUE(
      findProbes(read({Begin1, Look1, Write1, End1,
                       "1 0 0 10 4 7 0 main#1 1 1\n", Begin2, Look2, End2}),
                 9)
          .empty());
  // The memory is another block by then.
  EXPECT_TRUE(
      findProbes(read({Begin1, Look1, Write1, End1,
                       "3 0 0 8 10 0 0 malloc 1 0\n", Begin2, Look2, End2}),
                 9)
          .empty());
}

TEST(Probes, RespectLocks) {
  constexpr char Lock1[] = "9 1 0.1 99 0 0 0 pthread_mutex_lock 1 1\n",
                 Unlock1[] = "10 1 0.1 99 0 0 0 pthread_mutex_unlock 1 1\n",
                 Lock2[] = "9 2 0.2 99 0 0 0 pthread_mutex_lock 1 1\n",
                 Unlock2[] = "10 2 0.2 99 0 0 0 pthread_mutex_unlock 1 1\n";
  EXPECT_TRUE(findProbes(read({Begin1, Lock1, Look1, Write1, Unlock1, End1,
                               Begin2, Lock2, Look2, Unlock2, End2}),
                         9)
                  .empty());
  EXPECT_EQ(findProbes(read({Begin1, Lock1, Look1, Unlock1, Write1, End1,
                             Begin2, Lock2, Look2, Unlock2, End2}),
                       9)
                .size(),
            1u);
}

/// What the threads of the cycle read before it was written by a third one.
TEST(Predict, LeavesTheRunAsItWasBeforeTheCycle) {
  const Predictions P =
      predict::predict(read({"13 0 0 3 0 0 0 pthread_create 3 1\n",
                             "1 3 0.3 20 4 8 0 _Z3setv#1 1 1\n", Begin1,
                             "0 1 0.1 20 4 9 0 _Z3getv#9 1 1\n", Look1, Write1,
                             End1, "1 2 0.2 10 4 3 0 _Z3setv#2 1 1\n"}),
                       10);
  ASSERT_FALSE(P.All.empty());
  EXPECT_EQ(P.All[0].ChangedReads, 0u) << P.All[0].Schedule;
  EXPECT_NE(P.All[0].Schedule.find("switch 0.3"), std::string::npos)
      << P.All[0].Schedule;
}
