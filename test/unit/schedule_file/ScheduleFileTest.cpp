//===- ScheduleFileTest.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run writes, another one reads; whatever else is in a file is said in
// words, with its line, and never crashes.
//
//===----------------------------------------------------------------------===//

#include "runtime/schedule/atsan_schedule_file.h"
#include "gtest/gtest.h"
#include <random>
#include <string>

using namespace __atsan;

namespace {

constexpr const char *kGood = "atsan-schedule 1\n"
                              "# A comment.\n"
                              "\n"
                              "explore 3\n"
                              "switch 0.1 _Z4pushi#12 2 0.2.7  # a.cpp:1:2\n"
                              "switch 0 pthread_join 1 0.1\r\n"
                              "end  # Of it.\r\n";

struct Read {
  explicit Read(const std::string &Text) {
    Wrong = ParseSchedule(Text.c_str(), &Schedule, &Line);
  }
  ScheduleText Schedule;
  u32 Line = 0;
  const char *Wrong;
};

TEST(ScheduleFile, IsRead) {
  const Read R(kGood);
  ASSERT_EQ(R.Wrong, nullptr);
  EXPECT_EQ(R.Schedule.exploration, 3u);
  ASSERT_EQ(R.Schedule.switches.size(), 2u);
  const Place Push = {"_Z4pushi", "", 0, 0, 12, 0};
  const Place Join = {"pthread_join", "", 0, 0, 0, 0};
  const Switch &First = R.Schedule.switches[0],
               &Second = R.Schedule.switches[1];
  EXPECT_EQ(First.at.thread, PathOfChild(kPathOfMain, 1));
  EXPECT_EQ(First.at.place, PlaceKey(&Push));
  EXPECT_EQ(First.at.visit, 2u);
  EXPECT_EQ(First.to, PathOfChild(PathOfChild(kPathOfMain, 2), 7));
  EXPECT_EQ(First.line, 5u);
  EXPECT_EQ(Second.at.thread, kPathOfMain);
  EXPECT_EQ(Second.at.place, PlaceKey(&Join));
  EXPECT_NE(PlaceKey(&Push), PlaceKey(&Join));
}

TEST(ScheduleFile, TestsAreRead) {
  const std::string Head = "atsan-schedule 1\nexplore 2\n";
  const Read R(Head +
               "  test  push.1 |  pop  # A comment.\r\nswitch 0 f 1 0.1\nend");
  ASSERT_EQ(R.Wrong, nullptr);
  EXPECT_STREQ(R.Schedule.test.data(), "push.1 |  pop");
  EXPECT_EQ(R.Schedule.switches.size(), 1u);
  for (const char *Bad : {"test", "test # push", "test a\ntest b"})
    EXPECT_NE(Read(Head + Bad).Wrong, nullptr) << Bad;
}

constexpr const char *kOrders =
    "atsan-schedule 1\n"
    "order 0.1 _Z3getv#1 1 before 0.2.7 pthread_mutex_lock 2  # a.cpp:1:2\n"
    "order 0.3 end 1 before 0 region-begin 4\n"
    "end\n";

TEST(ScheduleFile, OrdersAreRead) {
  const Read R(kOrders);
  ASSERT_EQ(R.Wrong, nullptr);
  EXPECT_EQ(R.Schedule.switches.size(), 0u);
  ASSERT_EQ(R.Schedule.orders.size(), 2u);
  const Place Get = {"_Z3getv", "", 0, 0, 1, 0};
  const Place Lock = {"pthread_mutex_lock", "", 0, 0, 0, 0};
  const Order &First = R.Schedule.orders[0], &Second = R.Schedule.orders[1];
  EXPECT_EQ(First.first.thread, PathOfChild(kPathOfMain, 1));
  EXPECT_EQ(First.first.parent, kPathOfMain);
  EXPECT_EQ(First.first.place, PlaceKey(&Get));
  EXPECT_EQ(First.first.visit, 1u);
  EXPECT_EQ(First.second.thread, PathOfChild(PathOfChild(kPathOfMain, 2), 7));
  EXPECT_EQ(First.second.parent, PathOfChild(kPathOfMain, 2));
  EXPECT_EQ(First.second.place, PlaceKey(&Lock));
  EXPECT_EQ(First.second.visit, 2u);
  EXPECT_EQ(First.line, 2u);
  EXPECT_EQ(Second.second.thread, kPathOfMain);
  EXPECT_EQ(Second.second.parent, 0u);
}

TEST(ScheduleFile, IsReadAsWritten) {
  const Place At = {"_ZN5Queue4pushEi", "/src/queue.h", 31, 7, 3, 0};
  ScheduledThread Main = {}, Child = {};
  Main.path = kPathOfMain;
  Child.parent = &Main;
  Child.child_index = 1;
  Child.path = PathOfChild(kPathOfMain, 1);
  Child.stop.place = &At;
  Child.visits[&At] = 5;
  InternalScopedString Text;
  Text.Append("atsan-schedule 1\n");
  AppendSwitch(&Text, &Child, &Main);
  Text.Append("end\n");
  EXPECT_STREQ(Text.data(),
               "atsan-schedule 1\n"
               "switch 0.1 _ZN5Queue4pushEi#3 5 0  # queue.h:31:7\n"
               "end\n");
  const Read R(Text.data());
  ASSERT_EQ(R.Wrong, nullptr);
  ASSERT_EQ(R.Schedule.switches.size(), 1u);
  EXPECT_EQ(R.Schedule.switches[0].at.thread, Child.path);
  EXPECT_EQ(R.Schedule.switches[0].at.place, PlaceKey(&At));
  EXPECT_EQ(R.Schedule.switches[0].at.visit, 5u);
  EXPECT_EQ(R.Schedule.switches[0].to, Main.path);
}

TEST(ScheduleFile, WhatIsWrongHasALine) {
  const std::string Head = "atsan-schedule 1\n";
  for (const char *Bad : {"switch",
                          "switch 1 f#1 1 0",
                          "switch 0. f#1 1 0",
                          "switch 0.0 f#1 1 0",
                          "switch 0.99999999999 f#1 1 0",
                          "switch 0 f# 1 0",
                          "switch 0 f#1 0 0",
                          "switch 0 f#1 -1 0",
                          "switch 0 f#1 99999999999 0",
                          "switch 0 f#1 1",
                          "switch 0 f#1 1 0 0",
                          "order",
                          "order 0.1 f#1 1",
                          "order 0.1 f#1 1 after 0 g#1 1",
                          "order 0.1 f#1 1 before",
                          "order 0.1 f#1 before 0 g#1 1",
                          "order 0.1 f#1 1 before 0 g#1",
                          "order 0.1 f#1 1 before 0.1 g#1 1",
                          "order 0.1 f#1 1 before 0 g#1 1 1",
                          "explore",
                          "explore 0",
                          "explore x",
                          "test push.1 | pop",
                          "explore 1 test",
                          "end 1",
                          "go on"}) {
    const Read R(Head + "\n" + Bad);
    EXPECT_NE(R.Wrong, nullptr) << Bad;
    EXPECT_EQ(R.Line, 3u) << Bad;
  }
  // Lines of both kinds, and more than there may be.
  const std::string Switch = "switch 0 f#1 1 0.1\n", Explore = "explore 1\n",
                    Order = "order 0 f#1 1 before 0.1 g#1 1\n";
  for (const std::string &Bad :
       {Switch + Order, Order + Switch, Explore + Order, Order + Explore}) {
    const Read R(Head + Bad);
    EXPECT_NE(R.Wrong, nullptr) << Bad;
    EXPECT_EQ(R.Line, 3u) << Bad;
  }
  std::string Many = Head;
  for (int I = 0; I < 64; ++I)
    Many += Order;
  EXPECT_EQ(Read(Many + "end").Wrong, nullptr);
  EXPECT_NE(Read(Many + Order + "end").Wrong, nullptr);
  for (const char *Bad : {"", "\n\n", "# Nothing.", "switch 0 f#1 1 0",
                          "atsan-schedule", "atsan-schedule 2"})
    EXPECT_NE(Read(Bad).Wrong, nullptr) << Bad;
}

// Mutations of a good file: cut anywhere, and bytes changed.
void readMutations(const std::string &Good) {
  const size_t End = Good.rfind("\nend") + 4;
  for (size_t Size = 0; Size <= Good.size(); ++Size)
    EXPECT_EQ(Read(Good.substr(0, Size)).Wrong == nullptr, Size >= End) << Size;
  std::mt19937 Random(1);
  constexpr char Bytes[] = "0.#1 \n\tswitch\xff\x80@";
  for (int I = 0; I < 20000; ++I) {
    std::string Text = Good;
    for (unsigned N = Random() % 4 + 1; N-- > 0;) {
      const size_t At = Random() % Text.size();
      const char Byte = Bytes[Random() % (sizeof(Bytes) - 1)];
      switch (Random() % 3) {
      case 0:
        Text[At] = Byte;
        break;
      case 1:
        Text.insert(At, 1, Byte);
        break;
      default:
        Text.erase(At, Random() % 5);
        break;
      }
      if (Text.empty())
        break;
    }
    const Read R(Text);
    const size_t Lines = std::count(Text.begin(), Text.end(), '\n') + 1;
    EXPECT_LE(R.Line, Lines + 1);
  }
}

TEST(ScheduleFile, AnythingIsReadOrRefused) {
  readMutations(kGood);
  readMutations(kOrders);
}

} // namespace
