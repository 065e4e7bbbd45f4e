//===- ChangedReadsTest.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which reads of a predicted schedule get another write's value: random ones
// against a walk over lists of events. ATSAN_DIFF_PROGRAMS=N sets of how many
// random runs.
//
//===----------------------------------------------------------------------===//

#include "lib/predict/ChangedReads.h"
#include "lib/check/Violations.h"
#include "test/unit/RecordedEvents.h"
#include "test/unit/Setting.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <random>

using namespace atsan;
using namespace atsan_test;
using check::NumberedEvent;
using check::Stretch;
using trace::Event;
using trace::EventKind;

namespace {

constexpr uint32_t MostThreads = 4;

std::vector<Event> randomAccesses(std::mt19937 &Dice) {
  std::vector<Event> Run(1 + Dice() % 16);
  for (Event &E : Run) {
    E.Thread = Dice() % MostThreads;
    E.Kind = std::array{EventKind::Read, EventKind::Write,
                        EventKind::ReadModifyWrite}[Dice() % 3];
    E.Address = 0x1000 + Dice() % 20;
    E.Size = Dice() % 8 == 0 ? 8192 : 1 + Dice() % 9;
  }
  return Run;
}

/// Threads take turns; some stop before their last event.
std::vector<Stretch> randomTurns(std::mt19937 &Dice,
                                 const std::vector<Event> &Run) {
  std::vector<Stretch> Schedule;
  std::vector<uint64_t> Reached(MostThreads);
  for (unsigned Turns = Dice() % 12; Turns; --Turns) {
    const uint32_t Thread = Dice() % MostThreads;
    std::vector<uint64_t> Left;
    for (uint64_t N = Reached[Thread] + 1; N <= Run.size(); ++N)
      if (Run[N - 1].Thread == Thread)
        Left.push_back(N);
    if (Left.empty())
      continue;
    Reached[Thread] = Left[Dice() % Left.size()];
    Schedule.push_back({Thread, Reached[Thread]});
  }
  return Schedule;
}

std::vector<uint64_t> inOrder(const std::vector<Event> &Run,
                              const std::vector<Stretch> &Schedule) {
  std::vector<uint64_t> Order;
  for (const Stretch &S : Schedule)
    for (uint64_t N = 1; N <= S.Last; ++N)
      if (Run[N - 1].Thread == S.Thread &&
          std::find(Order.begin(), Order.end(), N) == Order.end())
        Order.push_back(N);
  return Order;
}

/// The last write to a byte, of those that come before the read.
uint64_t lastWrite(const std::vector<Event> &Run,
                   const std::vector<uint64_t> &Order, uint64_t Read,
                   uint64_t Byte) {
  uint64_t Last = 0;
  for (const uint64_t N : Order) {
    if (N == Read)
      return Last;
    const Event &E = Run[N - 1];
    if (E.Kind != EventKind::Read && Byte >= E.Address &&
        Byte < E.Address + E.Size)
      Last = N;
  }
  return 0;
}

using Change = std::array<uint64_t, 3>; ///< A read, its write, and another one.

std::vector<Change> walk(const std::vector<Event> &Run,
                         const std::vector<Stretch> &Schedule,
                         const std::vector<NumberedEvent> &Shown) {
  std::vector<uint64_t> Recorded;
  for (uint64_t N = 1; N <= Run.size(); ++N)
    Recorded.push_back(N);
  const std::vector<uint64_t> Order = inOrder(Run, Schedule);
  std::vector<Change> Changes;
  for (const NumberedEvent &E : Shown) {
    if (E.What.Kind == EventKind::Write)
      continue;
    for (uint64_t Byte = 0; Byte != E.What.Size; ++Byte) {
      const uint64_t At = E.What.Address + Byte,
                     Was = lastWrite(Run, Recorded, E.Number, At),
                     Would = lastWrite(Run, Order, E.Number, At);
      if (Was == Would)
        continue;
      Changes.push_back({E.Number, Was, Would});
      break;
    }
  }
  return Changes;
}

TEST(ChangedReads, Differential) {
  const uint64_t Runs = setting("ATSAN_DIFF_PROGRAMS", 5000);
  uint64_t Some = 0;
  for (uint64_t Seed = 0; Seed < Runs; ++Seed) {
    std::mt19937 Dice(Seed);
    const std::vector<Event> Run = randomAccesses(Dice);
    std::vector<check::Finding> Findings(1 + Dice() % 3);
    std::vector<std::vector<Change>> Expected;
    for (check::Finding &F : Findings) {
      F.Schedule = randomTurns(Dice, Run);
      for (const uint64_t N : inOrder(Run, F.Schedule))
        if (Dice() % 2)
          F.Order.push_back({N, Run[N - 1]});
      Expected.push_back(walk(Run, F.Schedule, F.Order));
      Some += !Expected.back().empty();
    }
    predict::findChangedReads(
        Findings, [&] { return std::make_unique<RecordedEvents>(Run); });
    for (size_t I = 0; I != Findings.size(); ++I) {
      std::vector<Change> Found;
      for (const check::ChangedRead &R : Findings[I].ChangedReads)
        Found.push_back({R.Read.Number, R.Was.Number, R.Would.Number});
      ASSERT_EQ(Found, Expected[I]) << "seed " << Seed << ", finding " << I;
    }
  }
  EXPECT_GT(Some, Runs / 20);
}

} // namespace
