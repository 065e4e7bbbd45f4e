//===- HostileTest.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events that no run can have, and what is made of them: an end of the trace
// with a message, or nothing; never a crash or memory out of proportion.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "lib/base/ResidentMemory.h"
#include "lib/check/Limits.h"
#include "test/unit/Events.h"
#include <chrono>
#include <gtest/gtest.h>
#include <random>

using namespace atsan;
using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

constexpr uint64_t Top = UINT64_MAX;
constexpr uint64_t Huge = uint64_t(1) << 63;

// Sizes for which scg has no shadow are for the other algorithm.
TEST(Hostile, HugeAccesses) {
  for (const auto &Range :
       {std::make_pair(uint64_t(0), Huge), std::make_pair(Huge, Huge),
        std::make_pair(Top - 7, uint64_t(8)),
        std::make_pair(uint64_t(1) << 47, uint64_t(1))}) {
    const std::vector<Event> Events = {
        event(0, EventKind::RegionBegin),
        event(0, EventKind::Read, Range.first, Range.second),
        event(1, EventKind::Write, Range.first + Range.second - 1, 1),
        event(0, EventKind::Read, Range.first, Range.second)};
    const auto Graph = analysed("conflict-graph", Events);
    ASSERT_EQ(Graph->findings().size(), 1u);
    EXPECT_EQ(Graph->findings()[0].Closing, 4u);
    const auto Summary = analysed("scg", Events);
    EXPECT_TRUE(Summary->findings().empty());
    EXPECT_NE(Summary->gaveUp().find("event 2"), std::string::npos);
    EXPECT_NE(Summary->gaveUp().find("--algorithm=conflict-graph"),
              std::string::npos);
  }
}

TEST(Hostile, TheLastPageOfMemoryIsTaken) {
  const uint64_t Last = (uint64_t(1) << 47) - 4096 - 8;
  const std::vector<Event> Events = {event(0, EventKind::RegionBegin),
                                     event(0, EventKind::Read, Last, 8),
                                     event(1, EventKind::Write, Last + 7, 1),
                                     event(0, EventKind::Read, Last, 8)};
  for (const char *Name : {"scg", "conflict-graph"}) {
    const auto A = analysed(Name, Events);
    EXPECT_EQ(A->gaveUp(), "");
    ASSERT_EQ(A->findings().size(), 1u) << Name;
  }
}

TEST(Hostile, HugeRangesDieAtOnce) {
  const std::vector<Event> Events = {
      event(0, EventKind::RegionBegin),    event(0, EventKind::Read, 64, 8),
      event(1, EventKind::Death, 0, Huge), event(1, EventKind::Write, 64, 8),
      event(1, EventKind::Birth, 0, Top),  event(0, EventKind::Read, 64, 8)};
  for (const char *Name : {"scg", "conflict-graph"})
    EXPECT_TRUE(analysed(Name, Events)->findings().empty()) << Name;
}

// A lock that dies with its memory is another one afterwards.
TEST(Hostile, LocksDieToo) {
  std::vector<Event> Events = {
      event(0, EventKind::RegionBegin), event(0, EventKind::Acquire, 64),
      event(0, EventKind::Release, 64), event(1, EventKind::Acquire, 64),
      event(1, EventKind::Release, 64), event(0, EventKind::Acquire, 64)};
  Options O;
  O.LockEdges = true;
  for (const char *Name : {"scg", "conflict-graph"}) {
    const auto A = analysed(Name, Events, O);
    ASSERT_EQ(A->findings().size(), 1u) << Name;
    EXPECT_EQ(A->findings()[0].Closing, 6u);
  }
  Events.insert(Events.begin() + 5, event(1, EventKind::Death, 60, 8));
  for (const char *Name : {"scg", "conflict-graph"})
    EXPECT_TRUE(analysed(Name, Events, O)->findings().empty()) << Name;
}

// Thread numbers that are used again (CAV'08, rule 5): the new thread has
// nothing to do with the old one.
TEST(Hostile, NumbersOfThreadsAreUsedAgain) {
  auto Trace = [](bool Ends) {
    std::vector<Event> Events = {event(0, EventKind::RegionBegin),
                                 event(0, EventKind::Read, 8, 8),
                                 event(1, EventKind::Write, 8, 8)};
    if (Ends)
      Events.push_back(event(1, EventKind::End));
    Events.push_back(event(1, EventKind::Write, 16, 8));
    Events.push_back(event(0, EventKind::Read, 16, 8));
    return Events;
  };
  for (const char *Name : {"scg", "conflict-graph"}) {
    EXPECT_EQ(analysed(Name, Trace(false))->findings().size(), 1u) << Name;
    EXPECT_TRUE(analysed(Name, Trace(true))->findings().empty()) << Name;
  }
}

// Any order of any events: nothing breaks, and who closes a cycle first is the
// same where the events are not out of the question.
TEST(Hostile, AnythingGoes) {
  std::mt19937_64 Random(7);
  for (unsigned Round = 0; Round < 3000; ++Round) {
    std::vector<Event> Events;
    for (unsigned I = 0; I < 60; ++I)
      Events.push_back(event(
          Random() % 4, static_cast<EventKind>(Random() % trace::NumEventKinds),
          Random() % 4, Random() % 9));
    Options O;
    O.LockEdges = Random() % 2;
    O.All = Random() % 2;
    for (const char *Name : {"scg", "conflict-graph"})
      for (const Finding &F : analysed(Name, Events, O)->findings()) {
        EXPECT_GE(F.Relations.size(), 2u);
        EXPECT_LE(F.Closing, Events.size());
      }
  }
}

TEST(Limits, AreSaid) {
  std::vector<Event> Events(10000, event(0, EventKind::Read, 8, 8));
  Options O;
  O.MaxMemoryBytes = 1;
  for (const char *Name : {"scg", "conflict-graph"}) {
    const auto A = analysed(Name, Events, O);
    EXPECT_NE(A->gaveUp().find("--max-memory"), std::string::npos) << Name;
  }
  O.MaxMemoryBytes = 0;
  O.MaxSeconds = 1e-9;
  for (const char *Name : {"scg", "conflict-graph"}) {
    const auto A = analysed(Name, Events, O);
    EXPECT_NE(A->gaveUp().find("--max-seconds"), std::string::npos) << Name;
  }
}

// Regions that are open, and a chain of edges through them in which the last
// one has a high slot: this edge alone makes all rows of the graph grow, to
// some 300 MB.
std::vector<Event> manyRows() {
  constexpr uint32_t Threads = 8300, Chain = 1500;
  std::vector<Event> Events = {event(0, EventKind::RegionBegin)};
  for (uint32_t T = 0; T < Threads; ++T)
    Events.push_back(event(T, EventKind::Read, 8 * (T + 1), 8));
  for (uint32_t T = 1; T < Chain; ++T)
    Events.push_back(event(T, EventKind::RegionBegin));
  Events.push_back(event(Threads - 1, EventKind::RegionBegin));
  auto Link = [&](uint32_t From, uint32_t To) {
    const uint64_t At = 8 * (Threads + 1 + From);
    Events.push_back(event(From, EventKind::Write, At, 8));
    Events.push_back(event(To, EventKind::Read, At, 8));
  };
  for (uint32_t T = 0; T + 1 < Chain; ++T)
    Link(T, T + 1);
  Link(Chain - 1, Threads - 1);
  return Events;
}

// What scg did for regions that are all open, linked into one chain, and end in
// the order of the chain or the other way round.
uint64_t workForChain(uint32_t Length, bool FirstEndsFirst) {
  std::vector<Event> Events;
  for (uint32_t T = 0; T < Length; ++T)
    Events.push_back(event(T, EventKind::RegionBegin));
  for (uint32_t T = 0; T + 1 < Length; ++T) {
    Events.push_back(event(T, EventKind::Write, 8 * (T + 1), 8));
    Events.push_back(event(T + 1, EventKind::Read, 8 * (T + 1), 8));
  }
  for (uint32_t T = 0; T < Length; ++T)
    Events.push_back(
        event(FirstEndsFirst ? T : Length - 1 - T, EventKind::RegionEnd));
  const auto A = analysed("scg", Events);
  for (const auto &[Name, Value] : A->statistics())
    if (Name == "numbers of rows looked at")
      return Value;
  return 0;
}

// docs/check.md: the square of the open regions that are linked.
TEST(Growth, ScgIsQuadraticInAChain) {
  for (bool FirstEndsFirst : {true, false}) {
    const uint64_t Short = workForChain(300, FirstEndsFirst);
    const uint64_t Long = workForChain(600, FirstEndsFirst);
    EXPECT_GT(Short, 300 * 300 / 4u);
    EXPECT_LT(Long, 5 * Short) << Short;
  }
}

// A single event may not take much more memory than there is left.
TEST(Limits, BoundWhatOneEventTakes) {
  constexpr uint64_t MiB = uint64_t(1) << 20;
  const std::vector<Event> Large = {
      event(0, EventKind::RegionBegin),
      event(0, EventKind::Write, 4096, 1024 * MiB)};
  for (const std::vector<Event> &Events : {manyRows(), Large}) {
    Options O;
    O.MaxMemoryBytes = atsan::residentBytes() + 100 * MiB;
    const auto A = analysed("scg", Events, O);
    EXPECT_NE(A->gaveUp().find("--max-memory"), std::string::npos);
    EXPECT_LT(atsan::residentBytes(), O.MaxMemoryBytes + 10 * MiB);
  }
}

// However much an event costs: here, a millisecond.
TEST(Limits, AreReachedInTime) {
  using Clock = std::chrono::steady_clock;
  Options O;
  O.MaxSeconds = 0.02;
  Limits Limit(O);
  int Events = 0;
  while (!Limit.reached() && Events < 4000) {
    const Clock::time_point Begin = Clock::now();
    while (Clock::now() - Begin < std::chrono::milliseconds(1))
      ;
    ++Events;
  }
  EXPECT_LT(Events, 100);
  EXPECT_NE(Limit.why().find("--max-seconds"), std::string::npos);
}

} // namespace
