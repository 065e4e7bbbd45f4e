//===- BlocksSchedulesTest.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedules that findings of `blocks` come with: an oracle of the tests'
// own replays each of them from the first event on. Starts and joins anywhere,
// whatever divides regions, with and without each improvement.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "RandomRuns.h"
#include "Schedules.h"
#include "lib/check/Replay.h"
#include <cstdio>

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

Options given(const char *Level, const char *Improvements = "all",
              const char *Splits = "all") {
  Options O;
  O.Level = Level;
  O.All = true;
  EXPECT_TRUE(O.Improved.parse(Improvements));
  EXPECT_TRUE(O.Splits.parse(Splits));
  return O;
}

/// As if each thread were a loop: what it does the same is of one place, too.
void makeAlike(std::vector<Event> &Events) {
  for (Event &E : Events)
    E.Location = E.Thread + 1;
}

/// How many findings a run has, at level full or another.
size_t count(const std::vector<std::string> &Threads,
             const char *Improvements = "all", const char *Level = "full",
             bool AreAlike = false) {
  const Program P = program(Threads);
  std::mt19937_64 Random(1);
  std::vector<Event> Events = events(P, *randomInterleaving(P, Random));
  if (AreAlike)
    makeAlike(Events);
  const auto Found = findings("blocks", Events, given(Level, Improvements));
  expectReplayable(P, Events, Found, {});
  return Found.size();
}

TEST(BlocksSchedules, StartsAndJoinsAreEdgesWithoutImprovements) {
  for (const char *I : {"all", "none", "escape", "happens-before"}) {
    EXPECT_EQ(count({"wy >1", "wx", "[ wy wx ]"}, I), 1u) << I;
    EXPECT_EQ(count({"wy", "wx", "[ wy wx ]"}, I), 0u) << I;
    EXPECT_EQ(count({"wy", "<0 wx", "[ wy wx ]"}, I), 1u) << I;
    // And orders, even if it is not used to make the search quick.
    EXPECT_EQ(count({"[ wx wx ] >1", "wx"}, I), 0u) << I;
    EXPECT_EQ(count({">1 [ wx wx ]", "wx"}, I), 1u) << I;
  }
}

TEST(BlocksSchedules, ALockIsHeldAcrossAStart) {
  for (const char *Level : {"1v", "2v", "full"}) {
    EXPECT_EQ(count({"+l >1 rx -l <1", "+l [ wx -l wx ]"}, "all", Level), 0u);
    EXPECT_EQ(count({"+l >1 -l rx <1", "+l [ wx -l wx ]"}, "all", Level), 1u);
    EXPECT_EQ(count({">1 +l rx -l <1", "+l [ wx -l wx ]"}, "all", Level), 1u);
    EXPECT_EQ(count({"+l <1 rx -l", "[ +l wx -l wx ]"}, "none", Level), 0u);
    EXPECT_EQ(count({"+l rx -l <1", "[ +l wx -l wx ]"}, "none", Level), 1u);
    EXPECT_EQ(count({"+l |b rx -l", "|b [ +l wx -l wx ]"}, "none", Level), 0u);
    EXPECT_EQ(count({"+l |b -l rx", "|b [ +l wx -l wx ]"}, "none", Level), 1u);
  }
}

/// Units that look alike, of which one goes on under a lock.
TEST(BlocksSchedules, ALockThatWasHeldBeforeIsAnother) {
  auto Count = [](const char *First) {
    return count({First, "+l [ wx -l wx ]"}, "all", "full", true);
  };
  EXPECT_EQ(Count("+l >1 rx -l +l rx -l <1"), 1u);
  EXPECT_EQ(Count("+l >1 rx -l <1 +l rx -l"), 0u);
}

TEST(BlocksSchedules, SeveralJoinsOfOneThread) {
  for (const char *I : {"all", "none"}) {
    EXPECT_EQ(count({"[ wx wy ]", "rx", "<1", "<1 ry"}, I), 1u);
    EXPECT_EQ(count({"[ wx wy ]", "rx", "<1 ry", "<1"}, I), 1u);
    EXPECT_EQ(count({"[ wx wy ]", "rx", "<1", "ry"}, I), 0u);
  }
}

TEST(BlocksSchedules, NothingLeadsThroughAThreadWithoutATransaction) {
  for (const char *I : {"all", "none"}) {
    EXPECT_EQ(count({"[ wx wy ]", "rx >2", "", "<2 ry"}, I), 0u);
    EXPECT_EQ(count({"[ wx wy ]", "rx >2", "+l -l", "<2 ry"}, I), 0u);
    EXPECT_EQ(count({"[ wx wy ]", "rx >2", "rz", "<2 ry"}, I), 1u);
    EXPECT_EQ(count({"[ wx wy ]", "rx >2", "[ ]", "<2 ry"}, I), 1u);
  }
}

/// An access to memory that has not escaped is none to conflict with, but makes
/// a transaction.
TEST(BlocksSchedules, ThreadsWithUnescapedMemoryOnly) {
  const Program P = program({"[ wx wy ]", "rx >2", "rz", "<2 ry"});
  std::mt19937_64 Random(1);
  std::vector<Event> Events = events(P, *randomInterleaving(P, Random));
  const auto Read =
      std::find_if(Events.begin(), Events.end(), [](const Event &E) {
        return E.Thread == 2 && E.Kind == EventKind::Read;
      });
  Event Birth = *Read;
  Birth.Kind = EventKind::Birth;
  Events.insert(Read, Birth);
  EXPECT_EQ(findings("blocks", Events, given("full")).size(), 1u);
}

// --- The replay itself. ------------------------------------------------------

/// What Replay says of a schedule of the run, in which the cycle is that of
/// accesses 0 (left), 1 and 2 (entered), by number.
std::string replayed(const std::vector<std::string> &Threads,
                     const Interleaving &Order,
                     const std::vector<Stretch> &Schedule,
                     const std::vector<uint64_t> &Accesses) {
  const std::vector<Event> Events = events(program(Threads), Order);
  Replay R{RegionSplits()};
  for (const Event &E : Events)
    R.take(E);
  auto At = [&](size_t I) {
    return NumberedEvent{Accesses[I], Events[Accesses[I] - 1]};
  };
  return R.check(Schedule, {{At(0).What.Thread, At(2), At(0)},
                            {At(1).What.Thread, At(1), At(1)}});
}

/// A region reads twice; another thread writes in between. Where memory dies or
/// is born between two accesses, they are to different objects.
TEST(Replay, BytesMustLiveOn) {
  const auto Says = [](EventKind Kind, uint64_t Address, bool IsBetween) {
    const auto Made = [](uint32_t Thread, EventKind K, uint64_t At = 0) {
      Event E;
      E.Thread = Thread;
      E.Kind = K;
      E.Address = At;
      E.Size = 8;
      return E;
    };
    std::vector<Event> Run = {
        Made(0, EventKind::RegionBegin), Made(0, EventKind::Read, 64),
        Made(0, EventKind::Read, 64), Made(0, EventKind::RegionEnd)};
    Run.push_back(Made(1, Kind, Address));
    Run.push_back(Made(1, EventKind::Write, 64));
    Replay R{RegionSplits()};
    for (const Event &E : Run)
      R.take(E);
    const NumberedEvent First{2, Run[1]}, Last{3, Run[2]}, Write{6, Run[5]};
    std::vector<Stretch> Schedule = {{0, 2}, {1, 6}, {0, 3}};
    if (!IsBetween)
      Schedule.insert(Schedule.begin(), {1, 5});
    return R.check(Schedule, {{0, Last, First}, {1, Write, Write}});
  };
  for (const EventKind Kind : {EventKind::Birth, EventKind::Death}) {
    EXPECT_NE(Says(Kind, 64, true), "");
    EXPECT_EQ(Says(Kind, 64, false), "");
    EXPECT_EQ(Says(Kind, 72, true), "");
    EXPECT_EQ(Says(Kind, 60, true), "");
  }
}

TEST(Replay, LooksForTheCycle) {
  // 1 [, 2 rx, 3 wx, 4 ], 5 end, 6 wx.
  const std::vector<std::string> P = {"[ rx wx ]", "wx"};
  const Interleaving O = {0, 0, 0, 0, 1};
  EXPECT_EQ(replayed(P, O, {{0, 2}, {1, 6}, {0, 3}}, {2, 6, 3}), "");
  EXPECT_NE(replayed(P, O, {{0, 3}, {1, 6}}, {2, 6, 3}), "");
  EXPECT_NE(replayed(P, O, {{1, 6}, {0, 3}}, {2, 6, 3}), "");
  EXPECT_NE(replayed(P, O, {{0, 2}, {1, 6}}, {2, 6, 3}), "");
  // Two reads; other bytes; two regions.
  EXPECT_NE(
      replayed({"[ rx wx ]", "rx"}, O, {{0, 2}, {1, 6}, {0, 3}}, {2, 6, 3}),
      "");
  EXPECT_NE(
      replayed({"[ rx wx ]", "wy"}, O, {{0, 2}, {1, 6}, {0, 3}}, {2, 6, 3}),
      "");
  EXPECT_EQ(replayed({"[ rx ] [ wx ]", "wx"}, {0, 0, 0, 0, 0, 0, 1},
                     {{0, 2}, {1, 8}, {0, 5}}, {2, 8, 5}),
            "leaves a transaction and enters another");
}

TEST(Replay, LooksAtLocks) {
  // 1 +l, 2 [, 3 rx, 4 wx, 5 ], 6 -l, 7 end, 8 +l, 9 wx.
  const Interleaving O = {0, 0, 0, 0, 0, 0, 1, 1, 1};
  const std::vector<Stretch> S = {{0, 3}, {1, 9}, {0, 4}};
  EXPECT_EQ(replayed({"+l [ rx wx ] -l", "+l wx -l"}, O, S, {3, 9, 4}),
            "acquires what another thread holds (event 8)");
  EXPECT_EQ(replayed({"+l [ rx wx ] -l", "%l wx /l"}, O, S, {3, 9, 4}),
            "acquires what another thread holds (event 8)");
  EXPECT_EQ(replayed({"%l [ rx wx ] /l", "%l wx /l"}, O, S, {3, 9, 4}), "");
  EXPECT_EQ(replayed({"+l [ rx wx ] -l", "+m wx -m"}, O, S, {3, 9, 4}), "");
}

TEST(Replay, LooksAtStartJoinAndBarriers) {
  // 1 [, 2 rx, 3 wx, 4 ], 5 >1, 6 end, 7 wx.
  EXPECT_EQ(replayed({"[ rx wx ] >1", "wx"}, {0, 0, 0, 0, 0, 1},
                     {{0, 2}, {1, 7}, {0, 3}}, {2, 7, 3}),
            "runs a thread that is not started");
  // 1 wx, 2 end, 3 <1, 4 [, 5 rx, 6 wx.
  EXPECT_EQ(replayed({"<1 [ rx wx ]", "wx"}, {1, 0, 0, 0, 0, 0},
                     {{0, 5}, {1, 2}, {0, 6}}, {5, 1, 6}),
            "joins a thread that has not ended (event 3)");
  // 1 and 2 arrive, 3 leaves, 4 [, 5 rx, 6 wx, 7 ], 8 end, 9 leaves, 10 wx.
  EXPECT_EQ(replayed({"|b [ rx wx ]", "|b wx"}, {0, 1, 0, 0, 0, 0, 0, 1, 1},
                     {{0, 5}, {1, 10}, {0, 6}}, {5, 10, 6}),
            "leaves a barrier before all are there (event 3)");
  EXPECT_EQ(replayed({"|b [ rx wx ]", "|b wx"}, {0, 1, 0, 0, 0, 0, 0, 1, 1},
                     {{0, 1}, {1, 2}, {0, 5}, {1, 10}, {0, 6}}, {5, 10, 6}),
            "");
}

// --- Random programs. --------------------------------------------------------

/// Both directions, at level full: no finding without a schedule that can
/// happen, and none missed. Levels 1v and 2v: the former.
TEST(BlocksDifferential, StartsAndJoinsAnywhere) {
  const char *const Splits[] = {"all",  "none",       "start",
                                "join", "start,join", "barrier"};
  const Dividers Divide[] = {{true, true, true},   {false, false, false},
                             {true, false, false}, {false, true, false},
                             {true, true, false},  {false, false, true}};
  const char *const Improvements[] = {"all", "none", "escape",
                                      "happens-before"};
  uint64_t Alarms = 0, Found = 0, Unserializable = 0;
  forEachRun(
      numberOfPrograms(3000),
      [](uint64_t Seed) {
        ProgramOptions O;
        O.SharedLocks = Seed % 4 == 0;
        O.RecursiveLocks = Seed % 5 == 0;
        O.NestedLocks = Seed % 7 != 0;
        O.MaxOps = 4 + Seed % 3;
        O.Sync = ProgramOptions::Anywhere;
        return randomProgram(Seed, O);
      },
      [&](const Program &P, std::vector<Event> Events, uint64_t Seed) {
        if (Seed % 3 == 0)
          makeAlike(Events);
        // Most with those that are usual.
        const unsigned S = Seed % 2 ? 0 : Seed / 2 % 6;
        const char *Improved = Improvements[Seed / 12 % 4];
        const Outcomes Expected = explore(P, 2000000, Divide[S]);
        if (Expected.GaveUp)
          return;
        bool Alarm = false;
        for (const char *Level : {"1v", "2v", "full"}) {
          const auto Its =
              findings("blocks", Events, given(Level, Improved, Splits[S]));
          expectReplayable(P, Events, Its, Divide[S]);
          Alarm = !Its.empty();
          Found += Its.size();
        }
        EXPECT_EQ(Expected.Unserializable, Alarm)
            << Splits[S] << ", " << Improved;
        Alarms += Alarm;
        Unserializable += Expected.Unserializable;
      });
  std::printf("%llu programs with alarms, %llu findings replayed; "
              "%llu unserializable\n",
              (unsigned long long)Alarms, (unsigned long long)Found,
              (unsigned long long)Unserializable);
  EXPECT_GT(Alarms * 20, numberOfPrograms(3000));
}

} // namespace
