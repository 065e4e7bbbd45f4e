//===- HappensBeforeTest.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thread periods: Fig. 2 of TSE'06, barriers whose rounds overlap, and random
// runs against reachability in the graph of their events.
//
//   ATSAN_DIFF_SCHEDULES  how many runs (default 20000)
//   ATSAN_DIFF_SEED       the first seed (default 1)
//
//===----------------------------------------------------------------------===//

#include "lib/check/HappensBefore.h"
#include "test/unit/Events.h"
#include "test/unit/Setting.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

TEST(HappensBefore, StartAndJoin) {
  HappensBefore HB;
  const PeriodId Before = HB.period(1);
  HB.take(event(1, EventKind::Start, 2));
  const PeriodId Beside = HB.period(1), Child = HB.period(2);
  HB.take(event(1, EventKind::Join, 2));
  const PeriodId After = HB.period(1);
  EXPECT_TRUE(HB.before(Before, Child));
  EXPECT_TRUE(HB.before(Before, Beside));
  EXPECT_TRUE(HB.concurrent(Beside, Child));
  EXPECT_TRUE(HB.before(Child, After));
  EXPECT_TRUE(HB.before(Beside, After));
  EXPECT_FALSE(HB.concurrent(Before, After));
  EXPECT_EQ(HB.periods(), 4u);
}

TEST(HappensBefore, ThreadsThatStartedUnseenAreConcurrent) {
  HappensBefore HB;
  EXPECT_TRUE(HB.concurrent(HB.period(1), HB.period(2)));
}

// A thread that has left may arrive again before all have left.
TEST(HappensBefore, RoundsOfABarrierOverlap) {
  HappensBefore HB;
  const PeriodId A1 = HB.period(1), B1 = HB.period(2);
  HB.take(event(1, EventKind::BarrierArrive, 9));
  HB.take(event(2, EventKind::BarrierArrive, 9));
  HB.take(event(1, EventKind::BarrierLeave, 9));
  const PeriodId A2 = HB.period(1);
  HB.take(event(1, EventKind::BarrierArrive, 9));
  HB.take(event(2, EventKind::BarrierLeave, 9));
  const PeriodId B2 = HB.period(2);
  EXPECT_TRUE(HB.before(B1, A2));
  EXPECT_TRUE(HB.before(A1, B2));
  EXPECT_TRUE(HB.concurrent(A2, B2));
  EXPECT_TRUE(HB.concurrent(A1, B1));
}

/// A random run: threads start others, join those that have ended (also those
/// that others have joined), and meet at
/// barriers of two (of which every second run says so). `Edges[i]` are the
/// events that must precede event i.
struct RandomRun {
  std::vector<Event> Events;
  std::vector<std::vector<size_t>> Edges;

  explicit RandomRun(uint64_t Seed) {
    std::mt19937 R(Seed);
    struct Thread {
      size_t Last = SIZE_MAX, StartedBy = SIZE_MAX;
      bool Ended = false, Joined = false;
      int Arrived = -1; // Its round.
    };
    std::vector<Thread> T(1);
    struct Round {
      std::vector<size_t> Arrivals;
      bool Left = false;
    };
    const unsigned Parties = Seed % 2 * 2;
    std::vector<Round> Rounds;
    auto Add = [&](uint32_t Who, EventKind Kind, uint64_t Address) {
      Edges.emplace_back();
      for (size_t From : {T[Who].Last, T[Who].StartedBy})
        if (From != SIZE_MAX)
          Edges.back().push_back(From);
      T[Who].Last = Events.size();
      Events.push_back(event(Who, Kind, Address));
    };
    for (unsigned Step = 0; Step != 30; ++Step) {
      const uint32_t Who = R() % T.size();
      if (T[Who].Ended)
        continue;
      if (T[Who].Arrived >= 0) {
        Round &Its = Rounds[T[Who].Arrived];
        if (Its.Arrivals.size() < 2)
          continue;
        Add(Who, EventKind::BarrierLeave, 7);
        for (size_t A : Its.Arrivals)
          Edges.back().push_back(A);
        Its.Left = true;
        T[Who].Arrived = -1;
        continue;
      }
      switch (R() % 6) {
      case 0:
        if (T.size() == 5)
          break;
        Add(Who, EventKind::Start, T.size());
        T.emplace_back();
        T.back().StartedBy = Events.size() - 1;
        break;
      case 1:
        for (uint32_t Other = 1; Other != T.size(); ++Other)
          if (Other != Who && T[Other].Ended && (!T[Other].Joined || R() % 2)) {
            Add(Who, EventKind::Join, Other);
            Edges.back().push_back(T[Other].Last);
            T[Other].Joined = true;
            break;
          }
        break;
      case 2:
        // Unless the trace says how many meet, nobody may arrive at a full
        // round that none has left.
        if (!Rounds.empty() && !Parties && Rounds.back().Arrivals.size() == 2 &&
            !Rounds.back().Left)
          break;
        Add(Who, EventKind::BarrierArrive, 7);
        Events.back().Size = Parties;
        if (Rounds.empty() || Rounds.back().Arrivals.size() == 2)
          Rounds.emplace_back();
        Rounds.back().Arrivals.push_back(Events.size() - 1);
        T[Who].Arrived = static_cast<int>(Rounds.size()) - 1;
        break;
      case 3:
        if (Who && T[Who].Last != SIZE_MAX)
          T[Who].Ended = true;
        break;
      default:
        Add(Who, EventKind::Read, 1);
      }
    }
  }
};

TEST(HappensBefore, AgreesWithReachability) {
  const uint64_t First = setting("ATSAN_DIFF_SEED", 1);
  const uint64_t Runs = setting("ATSAN_DIFF_SCHEDULES", 20000);
  for (uint64_t Seed = First; Seed != First + Runs; ++Seed) {
    RandomRun Run(Seed);
    HappensBefore HB;
    std::vector<PeriodId> Of;
    std::vector<uint64_t> Reached; // Sets of events, as bits: at most 30.
    for (size_t I = 0; I != Run.Events.size(); ++I) {
      if (Run.Events[I].Kind == EventKind::Read)
        Of.push_back(HB.period(Run.Events[I].Thread));
      else
        Of.push_back(UINT32_MAX);
      HB.take(Run.Events[I]);
      Reached.push_back(uint64_t(1) << I);
      for (size_t From : Run.Edges[I])
        Reached[I] |= Reached[From];
    }
    for (size_t I = 0; I != Of.size(); ++I)
      for (size_t J = I + 1; J != Of.size(); ++J) {
        if (Of[I] == UINT32_MAX || Of[J] == UINT32_MAX ||
            Run.Events[I].Thread == Run.Events[J].Thread)
          continue;
        const bool Ordered = Reached[J] >> I & 1;
        ASSERT_EQ(HB.before(Of[I], Of[J]), Ordered)
            << "seed " << Seed << ", events " << I << " and " << J;
        ASSERT_EQ(HB.concurrent(Of[J], Of[I]), !Ordered);
      }
  }
}

} // namespace
