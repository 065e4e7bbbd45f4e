//===- BlocksCostTest.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The block-based algorithm on runs that are long, or have much of everything:
// what it looks at and keeps, and that limits end it.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "Interleavings.h"
#include "lib/check/Blocks.h"
#include "test/unit/Events.h"
#include <gtest/gtest.h>

using namespace atsan_test;
using atsan::check::Blocks;
using atsan::check::Options;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

TEST(Blocks, LimitsAreSaid) {
  for (const char *Level : {"1v", "2v", "full"}) {
    Options O;
    O.Level = Level;
    O.MaxSeconds = 1e-9;
    Blocks B(O);
    const std::vector<Event> Events(10000);
    EXPECT_FALSE(B.consume({Events.data(), Events.size()}));
    B.finish();
    EXPECT_NE(B.gaveUp().find("--max-seconds"), std::string::npos);
  }
}

/// Level full.
bool alarms(const std::vector<Event> &Events) {
  return !findings("blocks", Events).empty();
}

/// Of one run, thread after thread.
std::vector<Event> serially(const Program &P) {
  Interleaving Order;
  for (size_t T = 0; T < P.size(); ++T)
    Order.insert(Order.end(), P[T].size(), uint8_t(T));
  return events(P, Order);
}

std::string repeated(const std::string &Text, unsigned Times) {
  std::string All;
  for (; Times; --Times)
    All += Text + " ";
  return All;
}

/// A unit that goes on and on is reduced meanwhile.
TEST(Blocks, LongUnits) {
  const std::string Region = "[ +m rx -m " + repeated("+n ry wz -n", 3000);
  const std::string Section = "+l " + repeated("rx wx +m ry -m", 3000) + "-l";
  auto Full = [](const std::string &First, const std::string &Second) {
    return alarms(serially(program({First, Second})));
  };
  EXPECT_TRUE(Full(Region + "+m wx -m ]", "+m wx -m"));
  EXPECT_FALSE(Full("+l " + Region + "+m wx -m ] -l", "+l wx -l"));
  EXPECT_TRUE(Full(Section, "[ rx wx ]"));
  EXPECT_FALSE(Full(Section, "+l [ rx wx ] -l"));
}

/// Threads that do very many different things, in any order.
TEST(Blocks, ManyUnits) {
  auto Run = [](unsigned Units, unsigned Steps, bool Violates) {
    std::vector<Event> Events =
        serially(program({"[ wx wy ] ", Violates ? "rx" : "ry"}));
    std::mt19937_64 Random(1);
    auto Read = [&](uint64_t Address) {
      Events.push_back(event(1, EventKind::Read, Address, 8));
    };
    for (unsigned I = 0; I < Steps; ++I)
      Read(0x10000 + 8 * (Random() % Units));
    Read(variableAddress(Violates ? 1 : 0));
    return alarms(Events);
  };
  EXPECT_TRUE(Run(60, 60000, true));
  EXPECT_TRUE(Run(900, 4000, true));
  EXPECT_FALSE(Run(900, 4000, false));
}

/// A server: clients find a store under the lock of all, load it under its own,
/// serve from it, and one of them counts. Nothing is wrong with it but what
/// Broken leaves unlocked.
std::vector<Event> server(unsigned Requests, bool Broken) {
  constexpr unsigned Clients = 5, Stores = 8, Fields = 12;
  constexpr uint64_t Manager = 0x1000, Counter = 0x2000, Lists = 0x10000;
  std::vector<Event> Events;
  std::mt19937_64 Random(1);
  auto Add = [&](uint32_t Thread, EventKind Kind, uint64_t Address) {
    Event E;
    E.Kind = Kind;
    E.Thread = Thread;
    E.Address = Address;
    E.Size = (Kind == EventKind::Read || Kind == EventKind::Write) ? 8 : 0;
    E.Location = uint32_t(Address % 9973);
    Events.push_back(E);
  };
  for (unsigned I = 0; I < Requests; ++I) {
    const uint32_t T = 1 + Random() % Clients;
    const unsigned Store = Random() % Stores;
    const uint64_t Lock = 0x100000 + 0x1000 * Store,
                   Own = 0x900000 + 32 * I * T;
    const unsigned Way = Random() % 2;
    auto Region = [&](uint64_t Held, uint64_t Of, bool Counts) {
      Add(T, EventKind::Acquire, Held);
      Add(T, EventKind::RegionBegin, 0);
      for (unsigned F = 0; F < Fields; ++F)
        Add(T, F % 3 ? EventKind::Read : EventKind::Write,
            Of + 8 * ((F * 5 + Way) % Fields));
      if (Counts) {
        Add(T, EventKind::Acquire, Counter);
        Add(T, EventKind::Write, Counter + 64);
        Add(T, EventKind::Release, Counter);
      }
      if (Counts && Broken && I == Requests / 2)
        Add(T, EventKind::Write, Counter + 64);
      Add(T, EventKind::RegionEnd, 0);
      Add(T, EventKind::Release, Held);
    };
    for (unsigned A = 0; A < 4; ++A) // Nobody else's, and never the same.
      Add(T, EventKind::Write, Own + 8 * A);
    Region(Manager, Lists + 8 * (Store % 8), false);
    Region(Lock, Lock + 64, true);
    Region(Lock, Lock + 64, false);
    Add(T, EventKind::Acquire, Counter);
    Add(T, EventKind::Read, Counter + 64);
    Add(T, EventKind::Release, Counter);
  }
  return Events;
}

uint64_t statistic(const Blocks &B, const std::string &Wanted) {
  for (const auto &[Name, Value] : B.statistics())
    if (Name == Wanted)
      return Value;
  ADD_FAILURE() << Wanted;
  return 0;
}

/// Trying cycles without asking first what can lead to what does not end here,
/// nor does asking for each access by itself.
TEST(Blocks, LongRunsEnd) {
  for (bool Broken : {false, true})
    for (bool All : {false, true}) {
      Options O;
      O.Improved.Escape = false;
      O.MaxSeconds = 120;
      O.All = All;
      Blocks B(O);
      const unsigned Requests = 2500;
      const std::vector<Event> Events = server(Requests, Broken);
      EXPECT_GT(Events.size(), 48 * size_t(Requests));
      B.consume({Events.data(), Events.size()});
      B.finish();
      EXPECT_EQ(B.gaveUp(), "");
      EXPECT_EQ(B.findings().size(), Broken);
      EXPECT_LE(statistic(B, "cycles tried"), 10u);
      EXPECT_LE(statistic(B, "questions what leads to what"), 200u);
    }
}

/// Of a pair of places one cycle is enough, also if another region is to blame
/// for it: it is the second that is interrupted here.
TEST(Blocks, NoMoreCyclesOfKnownPlaces) {
  std::vector<Event> Events;
  uint64_t Variable = 0;
  auto Add = [&](uint32_t Thread, EventKind Kind, uint32_t Location) {
    Events.push_back(event(Thread, Kind, 0));
    Event &E = Events.back();
    const bool IsAccess = Kind == EventKind::Read || Kind == EventKind::Write;
    E.Address = IsAccess ? 0x1000 + 8 * Variable : 0x10;
    E.Size = IsAccess ? 8 : 0;
    E.Location = Location;
  };
  constexpr unsigned Copies = 20;
  for (unsigned I = 0; I < Copies; ++I) {
    const uint64_t X = 2 * I, Y = X + 1;
    Add(0, EventKind::RegionBegin, 1);
    Add(0, EventKind::Acquire, 2);
    Variable = X, Add(0, EventKind::Write, 3);
    Variable = Y, Add(0, EventKind::Write, 4);
    Add(0, EventKind::Release, 5);
    Add(0, EventKind::RegionEnd, 6);
    Add(1, EventKind::RegionBegin, 11);
    Variable = Y, Add(1, EventKind::Read, 12);
    Add(1, EventKind::Acquire, 13);
    Add(1, EventKind::Release, 14);
    Variable = X, Add(1, EventKind::Read, 15);
    Add(1, EventKind::RegionEnd, 16);
  }
  for (const char *Level : {"2v", "full"}) {
    Options O;
    O.Level = Level;
    O.All = true;
    Blocks B(O);
    B.consume({Events.data(), Events.size()});
    B.finish();
    ASSERT_EQ(B.findings().size(), 1u);
    EXPECT_EQ(B.findings()[0].Blamed.at(0).Thread, 1u);
    EXPECT_LE(statistic(B, "cycles tried"), 2u);
  }
}

/// Whatever is under way when the limit is reached.
TEST(Blocks, EverySearchAsksForTheLimit) {
  Options O;
  for (bool Reached : {false, true}) {
    atsan::check::BlockUnits Units(O, true);
    for (const Event &E : serially(program({"[ rx wx ]", "[ wx ]"})))
      Units.take(E);
    Units.finish();
    atsan::check::Limits Limit(O);
    if (Reached)
      Limit.giveUp("enough");
    atsan::check::BlockReach Reach(Units, Limit);
    const atsan::check::BlockReach::Question Q = {
        0, 0, 0, {0, 1}, true, {Units.instances()[0].Thread}, 1};
    EXPECT_EQ(Reach.ask(Q)->empty(), Reached);
    atsan::check::BlockCandidates Candidates(Units, Reach, Limit);
    EXPECT_EQ(Candidates.find(2, false).empty(), Reached);
  }
}

/// How much a run repeats itself does not matter.
TEST(Blocks, MemoryIsBoundedByDistinctBlocks) {
  auto Statistics = [](const char *Level, unsigned Rounds) {
    Options O;
    O.Level = Level;
    Blocks B(O);
    std::mt19937_64 Random(1);
    const Program P = program(
        {"[ +l rx wx -l ] rz [ +m ry -m +l wx -l ]", "[ +l wx -l ] +m ry -m"});
    for (unsigned I = 0; I < Rounds; ++I) {
      std::vector<Event> Events = events(P, *randomInterleaving(P, Random));
      for (Event &E : Events)
        if (E.Kind != EventKind::End)
          B.consume({&E, 1});
    }
    B.finish();
    return B.statistics()[1];
  };
  for (const char *Level : {"1v", "2v", "full"})
    EXPECT_EQ(Statistics(Level, 10), Statistics(Level, 1000)) << Level;
}

} // namespace
