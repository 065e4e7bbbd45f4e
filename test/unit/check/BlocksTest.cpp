//===- BlocksTest.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The block-based algorithm: the paper's examples, the errata, and random
// programs against all of their interleavings (RandomRuns.h).
//
//===----------------------------------------------------------------------===//

#include "lib/check/Blocks.h"
#include "Findings.h"
#include "RandomRuns.h"
#include "test/unit/Events.h"
#include <cstdio>

using namespace atsan_test;
using atsan::check::Blocks;
using atsan::check::Finding;
using atsan::check::Notion;
using atsan::check::Options;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

std::vector<Finding> findingsOf(const std::vector<Event> &Events,
                                const char *Level, bool All = false) {
  Options O;
  O.Level = Level;
  O.All = All;
  return findings("blocks", Events, O);
}

bool alarms(const std::vector<Event> &Events, const char *Level) {
  return !findingsOf(Events, Level).empty();
}
bool reductionAlarms(const std::vector<Event> &Events) {
  return !findings("reduction", Events).empty();
}

/// Of one run of the program, which must not matter.
bool found(const std::vector<std::string> &Threads, const char *Level) {
  const Program P = program(Threads);
  std::mt19937_64 Random(1);
  return alarms(events(P, *randomInterleaving(P, Random)), Level);
}

/// What the levels say, as "1v 2v full"; '-' for nothing found.
std::string levels(const std::vector<std::string> &Threads) {
  std::string Text;
  for (const char *Level : {"1v", "2v", "full"})
    Text += found(Threads, Level) ? Level : "-";
  return Text;
}

TEST(Blocks, OneVariable) {
  EXPECT_EQ(levels({"[ rx rx ]", "wx"}), "1v2vfull");
  EXPECT_EQ(levels({"[ rx wx ]", "wx"}), "1v2vfull");
  EXPECT_EQ(levels({"[ wx rx ]", "wx"}), "1v2vfull");
  EXPECT_EQ(levels({"[ wx wx ]", "wx"}), "1v2vfull");
  EXPECT_EQ(levels({"[ wx wx ]", "rx"}), "1v2vfull");
  EXPECT_EQ(levels({"[ wx rx wx ]", "rx"}), "1v2vfull");
  EXPECT_EQ(levels({"[ ux ux ]", "rx"}), "1v2vfull");
  EXPECT_EQ(levels({"[ rx wx ]", "rx"}), "---");
  EXPECT_EQ(levels({"[ wx rx ]", "rx"}), "---");
  EXPECT_EQ(levels({"[ ux rx ]", "rx"}), "---");
  EXPECT_EQ(levels({"[ rx ] [ wx ]", "wx"}), "---");
  EXPECT_EQ(levels({"rx wx", "wx"}), "---");
}

TEST(Blocks, LocksHeldThroughoutExclude) {
  EXPECT_EQ(levels({"[ +l rx wx -l ]", "+l wx -l"}), "---");
  EXPECT_EQ(levels({"[ +l rx -l +l wx -l ]", "+l wx -l"}), "1v2vfull");
  EXPECT_EQ(levels({"[ +l rx wx -l ]", "+m wx -m"}), "1v2vfull");
  EXPECT_EQ(levels({"[ %l rx wx /l ]", "%l wx /l"}), "1v2vfull");
  EXPECT_EQ(levels({"[ %l rx wx /l ]", "+l wx -l"}), "---");
  EXPECT_EQ(levels({"[ +l +l rx -l wx -l ]", "+l wx -l"}), "---");
  EXPECT_EQ(levels({"+l [ rx wx ] -l", "+l wx -l"}), "---");
}

TEST(Blocks, OrderExcludes) {
  EXPECT_EQ(levels({"[ rx wx ] >1", "wx"}), "---");
  EXPECT_EQ(levels({">1 <1 [ rx wx ]", "wx"}), "---");
  EXPECT_EQ(levels({">1 [ rx wx ] <1", "wx"}), "1v2vfull");
  EXPECT_EQ(levels({"[ rx wx ] |b", "|b wx"}), "---");
  EXPECT_EQ(levels({"|b [ rx wx ]", "|b wx"}), "1v2vfull");
  EXPECT_EQ(levels({"[ rx |b wx ]", "|b wx"}), "---");
  EXPECT_EQ(levels({"[ rx |b rx wx ]", "|b wx"}), "1v2vfull");
}

TEST(Blocks, TwoVariables) {
  EXPECT_EQ(levels({"[ wx wy ]", "[ rx ry ]"}), "-2vfull");
  EXPECT_EQ(levels({"[ wx wy ]", "[ ry rx ]"}), "-2vfull");
  EXPECT_EQ(levels({"[ rx wy ]", "[ ry wx ]"}), "-2vfull");
  EXPECT_EQ(levels({"[ +l rx wy -l ]", "[ +l ry wx -l ]"}), "---");
  EXPECT_EQ(levels({"[ +l wx -l +l wy -l ]", "[ +l rx -l +l ry -l ]"}),
            "-2vfull");
  // A lock that is taken between two accesses excludes them from one side.
  EXPECT_EQ(levels({"[ +l wx wy -l ]", "[ rx +l -l ry ]"}), "-2vfull");
  EXPECT_EQ(levels({"[ +l wx wy -l ]", "rx +l -l ry"}), "---");
}

TEST(Blocks, MoreThanTwoTransactions) {
  // The paper's trace (6).
  EXPECT_EQ(levels({"[ wx wy ]", "[ rx wz ]", "[ rz ry ]"}), "--full");
  EXPECT_EQ(levels({"[ +l wx wy -l ]", "rx +l -l wz", "[ rz ] ry"}), "---");
  EXPECT_EQ(levels({"[ +l wx wy -l ]", "rx wz", "[ rz ] ry"}), "--full");
  // Unary transactions count, in program order and through start.
  EXPECT_EQ(levels({"[ wx wy ]", "rx ry"}), "--full");
  EXPECT_EQ(levels({"[ wx wy ]", "ry rx"}), "---");
  EXPECT_EQ(levels({"[ wx wy ]", "rx >2", "ry"}), "--full");
  EXPECT_EQ(levels({"[ wx wy ]", "rx <2", "ry"}), "---");
  EXPECT_EQ(levels({"[ +l wx wy -l ]", "rx +l -l ry"}), "---");
  EXPECT_EQ(levels({"[ +l wx wy -l ]", "rx +m -m ry"}), "--full");
  // Two read-only regions and two unary writers (errata of CAV'08).
  EXPECT_EQ(levels({"[ rx ry ]", "[ rx ry ]", "wx", "wy"}), "--full");
}

TEST(Blocks, PaperExamples) {
  // Section 2, Fig. 1: Vector(Collection) against removeAllElements(), x being
  // elementCount.
  EXPECT_EQ(levels({"[ +l rx -l +l rx -l ]", "[ +l wx -l ]"}), "1v2vfull");
  // Fig. 4 and section 6.5: reduction has a false alarm, blocks have none.
  EXPECT_EQ(levels({"[ rx +l +m wx -m -l ]", "[ +m rx -m ]", "[ +l rx -l ]"}),
            "---");
  // (3): the accesses cannot be in between, because of a deadlock.
  EXPECT_EQ(levels({"[ +l +m -m wx -l ]", "[ +m +l -l rx rx -m ]"}), "---");
  EXPECT_EQ(levels({"[ +l wx -l ]", "[ +m +l -l rx rx -m ]"}), "1v2vfull");
  // modCount (section 8.2): a benign race, a false alarm of reduction only.
  EXPECT_EQ(levels({"[ rx wx ]", "[ rx ]"}), "---");
}

/// paper-errata.md, "Reduction and blocks": what the theorems get wrong.
TEST(Blocks, Errata) {
  // View-serializable in every schedule, not conflict-serializable in some.
  const std::vector<std::string> Blind = {"[ +l wx -l +l wx -l ]",
                                          "[ +l wx rx -l ]"};
  const std::vector<std::string> Later = {">1 >2 <1 <2 wx", "[ rx wx ]", "wx"};
  for (const auto &Threads : {Blind, Later}) {
    EXPECT_TRUE(found(Threads, "1v"));
    const Program P = program(Threads);
    bool AllView = true, AllConflict = true;
    forEachInterleaving(P, [&](const Interleaving &I, bool Deadlocked) {
      EXPECT_FALSE(Deadlocked);
      AllView &= isViewSerializable(P, I);
      AllConflict &= isConflictSerializable(P, I);
      return true;
    });
    EXPECT_TRUE(AllView) << describe(P);
    EXPECT_FALSE(AllConflict) << describe(P);
  }
}

/// What 2v-blocks do not see: the lock of the third is taken, while it holds
/// another, after the second is done, and by then the first has it.
TEST(Blocks, LocksOnTheWayToAnAccessCount) {
  EXPECT_EQ(
      levels({"[ +m rx wy -m ]", "[ +l wx wz -l ]", "[ +l +m -m rz ry -l ]"}),
      "---");
  EXPECT_EQ(levels({"[ +m rx wy -m ]", "[ +l wx wz -l ]", "[ +l rz ry -l ]"}),
            "--full");
}

TEST(Blocks, BytesCount) {
  auto Run = [](uint64_t From, uint64_t Size, const char *Level) {
    std::vector<Event> Events =
        events(program({"[ rx wx ]", "wx"}), {0, 0, 0, 0, 1});
    for (Event &E : Events)
      if (E.Thread == 1 && E.Size) {
        E.Address += From;
        E.Size = Size;
      }
    return alarms(Events, Level);
  };
  for (const char *Level : {"1v", "2v", "full"}) {
    EXPECT_TRUE(Run(0, 8, Level));
    EXPECT_TRUE(Run(7, 1, Level));
    EXPECT_TRUE(Run(7, 8, Level));
    EXPECT_FALSE(Run(8, 8, Level));
    EXPECT_TRUE(Run(uint64_t(-7), 8, Level));
    EXPECT_FALSE(Run(uint64_t(-8), 8, Level));
  }
}

TEST(Blocks, MemoryHasLives) {
  for (const char *Level : {"1v", "2v", "full"}) {
    std::vector<Event> Events =
        events(program({"[ rx wx ]", "wx"}), {0, 0, 0, 0, 1});
    EXPECT_TRUE(alarms(Events, Level));
    Events.insert(Events.begin() + 4,
                  event(0, EventKind::Death, variableAddress(0), 8));
    EXPECT_FALSE(alarms(Events, Level));
  }
}

/// Before the thread gives its pointer away, no other can come in between.
TEST(Blocks, MemoryEscapes) {
  const std::vector<Event> Events = {event(0, EventKind::Birth, 0x1000, 16),
                                     event(0, EventKind::RegionBegin),
                                     event(0, EventKind::Write, 0x1000, 8),
                                     event(0, EventKind::Write, 0x1000, 8),
                                     event(0, EventKind::RegionEnd),
                                     event(0, EventKind::Write, 0x10, 8),
                                     event(0, EventKind::Pointer, 0x10, 0x1000),
                                     event(1, EventKind::Read, 0x1000, 8)};
  for (const char *Level : {"1v", "2v", "full"}) {
    Options O;
    O.Level = Level;
    EXPECT_EQ(findings("blocks", Events, O).size(), 0u) << Level;
    O.Improved.Escape = false;
    EXPECT_EQ(findings("blocks", Events, O).size(), 1u) << Level;
  }
}

TEST(Blocks, FindingsSayWhat) {
  for (const char *Level : {"1v", "2v", "full"}) {
    const std::vector<Finding> F =
        findingsOf(events(program({"[ +l rx -l wx ]", "+l wx -l"}),
                          {1, 1, 1, 0, 0, 0, 0, 0, 0}),
                   Level);
    ASSERT_EQ(F.size(), 1u);
    EXPECT_EQ(F[0].What, Notion::Potential);
    EXPECT_EQ(F[0].Kind, "unserializable-pattern");
    ASSERT_EQ(F[0].Relations.size(), 2u);
    EXPECT_EQ(F[0].Relations[0].First.What.Location, 3u);
    EXPECT_EQ(F[0].Relations[0].Later.What.Location, 102u);
    EXPECT_EQ(F[0].Relations[1].First.What.Location, 102u);
    EXPECT_EQ(F[0].Relations[1].Later.What.Location, 5u);
    ASSERT_EQ(F[0].Blamed.size(), 1u);
    EXPECT_EQ(F[0].Blamed[0].Thread, 0u);
    EXPECT_EQ(F[0].Blamed[0].Begin.What.Location, 1u);
    EXPECT_EQ(F[0].Closing, 9u);
  }
}

/// Who is blamed, and the message.
std::pair<std::vector<uint32_t>, std::string>
blame(const std::vector<std::string> &Threads, const char *Level) {
  const Program P = program(Threads);
  Interleaving Order;
  for (size_t T = 0; T < P.size(); ++T)
    Order.insert(Order.end(), P[T].size(), uint8_t(T));
  const std::vector<Finding> F = findingsOf(events(P, Order), Level);
  EXPECT_EQ(F.size(), 1u);
  std::vector<uint32_t> Blamed;
  for (const auto &T : F.at(0).Blamed)
    Blamed.push_back(T.Thread);
  return {Blamed, F[0].Message};
}

/// Only those that are interrupted, and by what.
TEST(Blocks, BlamesWhoIsInterrupted) {
  using List = std::vector<uint32_t>;
  const std::string Rest = ", and no order of whole regions explains that";
  EXPECT_EQ(blame({"[ rx wx ]", "[ wx ]"}, "1v").second,
            "Event 7 of T1 can come between events 2 and 3 of a region of T0" +
                Rest);
  // Both lead out before they lead in. The second fits between, as a whole.
  for (const char *Level : {"2v", "full"}) {
    const auto [Who, Text] = blame({"[ wx wy ]", "[ ry rx ]"}, Level);
    EXPECT_EQ(Who, List{0});
    EXPECT_EQ(Text, "Events 7, 8 of T1 can come between events 2 and 3 of a "
                    "region of T0" +
                        Rest);
    // Here it is the first that fits into the second.
    EXPECT_EQ(blame({"[ +l wx wy -l ]", "[ ry +l -l rx ]"}, Level).first,
              List{1});
    // Neither does: they are locked against each other where they end.
    EXPECT_EQ(blame({"[ rx +l wy -l ]", "[ ry +l wx -l ]"}, Level).first.size(),
              1u);
  }
  EXPECT_EQ(blame({"[ wx wy ]", "[ rx wz ]", "[ rz ry ]"}, "full").first,
            List{0});
}

/// The region of T0 needs two transactions of T1, that of T2 one of T3.
TEST(Blocks, PairsComeFirst) {
  EXPECT_EQ(blame({"[ rx ry ]", "wx wy", "[ rz wz ]", "wz"}, "full").first,
            std::vector<uint32_t>{2});
  EXPECT_EQ(blame({"[ rx ry ]", "wx wy"}, "full").first,
            std::vector<uint32_t>{0});
}

TEST(Blocks, EverySiteOnceWithAll) {
  for (const char *Level : {"1v", "2v", "full"}) {
    const Program P = program({"[ rx wx ] [ ry wy ]", "wx wy wx"});
    std::mt19937_64 Random(1);
    const std::vector<Event> Events = events(P, *randomInterleaving(P, Random));
    EXPECT_EQ(findingsOf(Events, Level, true).size(), 2u) << Level;
    EXPECT_EQ(findingsOf(Events, Level, false).size(), 1u) << Level;
  }
}

ProgramOptions drawn(uint64_t Seed) {
  ProgramOptions O;
  O.SharedLocks = Seed % 4 == 0;
  O.RecursiveLocks = Seed % 5 == 0;
  if (Seed % 3 == 0) { // Small ones with many locks.
    O.MaxOps = 5;
    O.MaxVariables = 2;
  } else if (Seed % 3 == 1) { // Locks on the way from one access to another.
    O.MaxOps = 10;
    O.MaxThreads = 3;
    O.MaxLocks = 2;
    O.LockPercent = 50;
  }
  return O;
}

/// Both directions: nested locks, no deadlock, one thread starts and joins the
/// others, barriers are for all.
TEST(BlocksDifferential, FullIsExact) {
  const uint64_t Count = numberOfPrograms(4000);
  uint64_t Compared = 0, Unserializable = 0, OfReduction = 0;
  forEachRun(
      Count, [](uint64_t Seed) { return randomProgram(Seed, drawn(Seed)); },
      [&](const Program &P, const std::vector<Event> &Events, uint64_t) {
        const Outcomes Expected = explore(P);
        ASSERT_FALSE(Expected.GaveUp);
        const bool Full = alarms(Events, "full");
        EXPECT_EQ(Full, !findingsOf(Events, "full", true).empty());
        if (Expected.Deadlocks) {
          // Nothing is missed.
          EXPECT_LE(Expected.Unserializable, Full);
          return;
        }
        const bool One = alarms(Events, "1v"), Two = alarms(Events, "2v");
        EXPECT_EQ(Expected.Unserializable, Full);
        EXPECT_LE(One, Two);
        EXPECT_LE(Two, Full);
        if (!Full)
          OfReduction += reductionAlarms(Events);
        ++Compared;
        Unserializable += Full;
      });
  std::printf("%llu programs, %llu unserializable, no false alarm; reduction "
              "has %llu\n",
              (unsigned long long)Compared, (unsigned long long)Unserializable,
              (unsigned long long)OfReduction);
  EXPECT_GT(Compared * 10, Count * 8);
  EXPECT_GT(Unserializable * 10, Compared);
  EXPECT_LT(Unserializable * 10, Compared * 9);
}

/// A region under a lock, and threads that take locks on their way from one
/// access to another: what excludes a cycle here is mostly that.
Program lockedOnTheWay(uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  auto Access = [&] {
    return std::string(1, "rrw"[Below(3)]) + "xyz"[Below(3)] + " ";
  };
  auto Under = [&](const std::string &What) {
    const char Lock = "lm"[Below(2)];
    return std::string("+") + Lock + " " + What + "-" + Lock + " ";
  };
  std::vector<std::string> Threads = {Under("[ " + Access() + Access() + "] ")};
  for (unsigned N = 1 + Below(2); N; --N) {
    std::string Text;
    for (unsigned Items = 2 + Below(3); Items; --Items) {
      const unsigned Dice = Below(8);
      Text += Dice < 4   ? Access()
              : Dice < 6 ? Under("")
              : Dice < 7 ? Under(Access())
                         : Under(Access() + Access());
    }
    Threads.push_back(Below(6) ? Text : "[ " + Text + "]");
  }
  return program(Threads);
}

/// What a level says is what all interleavings say, where none deadlocks.
template <typename DrawFunction>
void expectExact(const char *Level, DrawFunction Draw) {
  const uint64_t Count = numberOfPrograms(4000);
  uint64_t Unserializable = 0;
  forEachRun(Count, Draw,
             [&](const Program &P, const std::vector<Event> &Events, uint64_t) {
               const Outcomes Expected = explore(P);
               if (Expected.Deadlocks)
                 return;
               EXPECT_EQ(Expected.Unserializable, alarms(Events, Level));
               Unserializable += Expected.Unserializable;
             });
  EXPECT_GT(Unserializable * 20, Count);
  EXPECT_LT(Unserializable * 20, Count * 19);
}

TEST(BlocksDifferential, LocksOnTheWayCount) {
  expectExact("full", lockedOnTheWay);
}

/// Theorem 3: with one variable, level 1v is exact.
TEST(BlocksDifferential, OneVariableIsExactForOne) {
  expectExact("1v", [](uint64_t Seed) {
    ProgramOptions O = drawn(Seed);
    O.MaxVariables = 1;
    return randomProgram(Seed, O);
  });
}

/// Theorem 4: with two transactions, level 2v is exact.
TEST(BlocksDifferential, TwoVariablesAreExactForTwoTransactions) {
  expectExact("2v", [](uint64_t Seed) {
    ProgramOptions O = drawn(Seed);
    O.MaxThreads = 2;
    O.Sync = ProgramOptions::None;
    O.Regions = false;
    Program P = randomProgram(Seed, O);
    for (std::vector<Operation> &Ops : P) {
      Ops.insert(Ops.begin(), {EventKind::RegionBegin});
      Ops.push_back({EventKind::RegionEnd});
    }
    return P;
  });
}

/// One direction: locks in any order, any start, join and barrier. Nothing is
/// missed at level full, and what is a false alarm is one of reduction, too.
TEST(BlocksDifferential, FullMissesNothing) {
  uint64_t Alarms = 0, FalseAlarms = 0, OfReduction = 0;
  forEachRun(
      numberOfPrograms(4000),
      [](uint64_t Seed) {
        ProgramOptions O = drawn(Seed);
        O.NestedLocks = Seed % 2;
        O.Sync = ProgramOptions::Any;
        return randomProgram(Seed, O);
      },
      [&](const Program &P, const std::vector<Event> &Events, uint64_t) {
        const Outcomes Expected = explore(P);
        if (Expected.GaveUp)
          return;
        const bool Full = alarms(Events, "full");
        EXPECT_LE(Expected.Unserializable, Full);
        Alarms += Full;
        if (Expected.Unserializable)
          return;
        const bool Reduction = reductionAlarms(Events);
        EXPECT_LE(Full, Reduction);
        FalseAlarms += Full;
        OfReduction += Reduction;
      });
  std::printf("%llu alarms, %llu of them false; reduction has %llu false\n",
              (unsigned long long)Alarms, (unsigned long long)FalseAlarms,
              (unsigned long long)OfReduction);
  EXPECT_LT(FalseAlarms * 20, Alarms);
  EXPECT_LT(FalseAlarms * 2, OfReduction);
}

} // namespace
