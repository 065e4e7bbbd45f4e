//===- ScheduleTextTest.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/ScheduleText.h"
#include "lib/predict/Predict.h"
#include "lib/predict/ReadsFrom.h"
#include "gtest/gtest.h"

using namespace atsan;
using namespace atsan::predict;

namespace {

// Thread 1 reads x and then writes it in a region; thread 2 writes it.
constexpr char Lost[] = "atsan-steps 1\n"
                        "13 0 0 1 0 0 0 pthread_create 1 1\n" // 1
                        "13 0 0 2 0 0 0 pthread_create 2 1\n" // 2
                        "6 1 0.1 0 0 5 0 begin 1 0\n"         // 3
                        "0 1 0.1 10 4 1 0 _Z3addv#1 1 1\n"    // 4
                        "1 1 0.1 10 4 2 0 _Z3addv#2 1 1\n"    // 5
                        "7 1 0.1 0 0 6 0 _Z3addv#2 1 0\n"     // 6
                        "15 1 0.1 0 0 0 0 _Z3addv#2 1 0\n"    // 7
                        "1 2 0.2 10 4 3 0 _Z3setv#1 1 1\n"    // 8
                        "15 2 0.2 0 0 0 0 _Z3setv#1 1 0\n";   // 9

StepLog read(const std::string &Text) {
  StepLog Log;
  EXPECT_EQ(Log.read(Text), "");
  return Log;
}

} // namespace

TEST(ScheduleText, HoldsThreadsAtTheirNextPoint) {
  const StepLog Log = read(Lost);
  EXPECT_EQ(scheduleText(Log, {{0, 2}, {1, 4}, {2, 9}, {1, 7}}),
            "atsan-schedule 1\n"
            "switch 0 end 1 0.1\n"
            "switch 0.1 _Z3addv#2 1 0.2\n"
            "switch 0.2 end 1 0.1\n"
            "end\n");
  // Event 6 has no point of its own: who is to stop before it runs on.
  EXPECT_EQ(scheduleText(Log, {{1, 5}, {2, 9}}), "atsan-schedule 1\n"
                                                 "switch 0.1 end 1 0.2\n"
                                                 "end\n");
  EXPECT_EQ(scheduleText(Log, {{1, 4}, {1, 5}}), "atsan-schedule 1\nend\n");
}

TEST(ReadsFrom, CountsReadsThatSeeAnotherWrite) {
  const StepLog Log = read(Lost);
  const ReadsFrom Recorded(Log);
  EXPECT_EQ(Recorded.changed({{0, 2}, {1, 7}, {2, 9}}), 0u);
  EXPECT_EQ(Recorded.changed({{0, 2}, {1, 4}, {2, 9}, {1, 7}}), 0u);
  EXPECT_EQ(Recorded.changed({{0, 2}, {2, 9}, {1, 7}}), 1u);
}

TEST(Predict, FindsTheLostUpdate) {
  const Predictions P = predict::predict(read(Lost), 10);
  EXPECT_EQ(P.GaveUp, "");
  ASSERT_EQ(P.All.size(), 1u);
  EXPECT_EQ(P.All[0].ChangedReads, 0u);
  EXPECT_EQ(P.All[0].Message,
            "between the read in add() and the write in add(), in a region of "
            "thread 0.1, may come the write in set() of thread 0.2");
  EXPECT_NE(P.All[0].Schedule.find("switch 0.1 _Z3addv#2 1 0.2\n"),
            std::string::npos)
      << P.All[0].Schedule;
}

TEST(Predict, KeepsTheBestOfMany) {
  std::string Many = "atsan-steps 1\n"
                     "13 0 0 1 0 0 0 pthread_create 1 1\n"
                     "13 0 0 2 0 0 0 pthread_create 2 1\n"
                     "6 1 0.1 0 0 5 0 begin 1 0\n";
  const auto Add = [&](const std::string &Front, const std::string &Back) {
    for (int I = 0; I != 50; ++I)
      Many += Front + std::to_string(100 + I * 8) + Back + std::to_string(I) +
              " 1 1\n";
  };
  Add("0 1 0.1 ", " 4 1 0 _Z3addv#1");
  Add("1 1 0.1 ", " 4 2 0 _Z3addv#2");
  Many += "7 1 0.1 0 0 6 0 _Z3addv#2 1 0\n"
          "15 1 0.1 0 0 0 0 _Z3addv#2 1 0\n"
          "6 2 0.2 0 0 5 0 begin 1 0\n";
  Add("1 2 0.2 ", " 4 3 0 _Z3setv#1");
  Many += "7 2 0.2 0 0 6 0 _Z3setv#1 1 0\n"
          "15 2 0.2 0 0 0 0 _Z3setv#1 1 0\n";
  const Predictions P = predict::predict(read(Many), 10);
  ASSERT_EQ(P.All.size(), MaxPredictions);
  EXPECT_EQ(P.All.front().ChangedReads, 0u);
  for (size_t I = 1; I != P.All.size(); ++I)
    EXPECT_LE(P.All[I - 1].ChangedReads, P.All[I].ChangedReads);
}

TEST(Predict, KeepsTheOrderOfJoins) {
  std::string Joined = Lost;
  // The first thread waits for thread 1 before it starts thread 2.
  const std::string Start2 = "13 0 0 2 0 0 0 pthread_create 2 1\n";
  Joined.erase(Joined.find(Start2), Start2.size());
  const size_t At = Joined.find("1 2 0.2");
  Joined.insert(At, "14 0 0 1 0 0 0 pthread_join 1 1\n" + Start2);
  EXPECT_TRUE(predict::predict(read(Joined), 10).All.empty());
}
