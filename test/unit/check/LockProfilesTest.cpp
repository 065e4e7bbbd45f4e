//===- LockProfilesTest.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prediction with locks: exact for two threads, sound for more. The oracle
// looks at all interleavings, and replays every witness.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "RandomRuns.h"
#include "Schedules.h"
#include "lib/check/Profiles.h"
#include <chrono>

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;

namespace {

/// \p Keeps: regions are kept, and the run is not read again for them; each
/// pair of accesses of a short one is looked at.
std::vector<Finding> predict(const std::vector<Event> &Run, bool Keeps = true) {
  Options O;
  O.All = true;
  Profiles P(O, /*WithLocks=*/true, Keeps ? 1000 : 0, /*MaxStates=*/1 << 12,
             /*Share=*/.5, /*AllPairs=*/Keeps ? 16 : 0);
  P.consume({Run.data(), Run.size()});
  P.finish();
  EXPECT_EQ(P.gaveUp(), "");
  for (const auto &[Name, Figure] : P.statistics())
    if (Name == "schedules that did not stand up to a replay")
      EXPECT_EQ(Figure, 0u);
  return P.findings();
}

/// Predicts from some run of the program, and asks the oracle.
bool isPredicted(const std::vector<std::string> &Threads) {
  const Program P = program(Threads);
  std::mt19937_64 Random(1);
  const std::vector<Event> Run = events(P, *randomInterleaving(P, Random));
  const std::vector<Finding> Found = predict(Run);
  expectReplayable(P, Run, Found, {});
  EXPECT_EQ(explore(P).Unserializable, !Found.empty());
  return !Found.empty();
}

/// Is each access of Order in it, as the schedule has them?
void expectOrdered(const Finding &F) {
  std::map<uint32_t, uint64_t> Reached;
  size_t Next = 0;
  for (const Stretch &S : F.Schedule) {
    while (Next != F.Order.size() && F.Order[Next].What.Thread == S.Thread &&
           F.Order[Next].Number <= S.Last)
      ++Next;
    Reached[S.Thread] = S.Last;
  }
  EXPECT_EQ(Next, F.Order.size());
}

struct Figures {
  uint64_t Compared = 0, Unserializable = 0, Missed = 0, Witnesses = 0;
};

Figures compare(ProgramOptions O, uint64_t Count, bool MayMiss) {
  Figures Of;
  forEachRun(
      numberOfPrograms(Count),
      [O](uint64_t Seed) { return randomProgram(Seed, O); },
      [&](const Program &P, const std::vector<Event> &Run, uint64_t) {
        const Outcomes All = explore(P);
        if (All.GaveUp)
          return;
        const std::vector<Finding> Found = predict(Run);
        expectReplayable(P, Run, Found, {});
        EXPECT_EQ(predict(Run, /*Keeps=*/false).size(), Found.size());
        ++Of.Compared;
        Of.Unserializable += All.Unserializable;
        Of.Witnesses += Found.size();
        EXPECT_TRUE(All.Unserializable || Found.empty());
        const bool Misses = All.Unserializable && Found.empty();
        Of.Missed += Misses;
        EXPECT_TRUE(MayMiss || !Misses);
      });
  std::printf("%llu programs, %llu unserializable, %llu missed, %llu "
              "witnesses\n",
              (unsigned long long)Of.Compared,
              (unsigned long long)Of.Unserializable,
              (unsigned long long)Of.Missed, (unsigned long long)Of.Witnesses);
  EXPECT_GT(Of.Compared, Count / 2);
  return Of;
}

ProgramOptions twoThreads() {
  ProgramOptions O;
  O.MaxThreads = 2;
  O.MaxOps = 10;
  O.LockPercent = 40;
  O.Sync = ProgramOptions::None;
  return O;
}

} // namespace

// Lemma 2 of TACAS'09 fails with locks: T1 cannot run to its end inside T0.
TEST(LockProfilesErrata, Lemma2FailsWithLocks) {
  EXPECT_TRUE(isPredicted({"[ +l rx wx -l ]", "wx +l -l"}));
  EXPECT_FALSE(isPredicted({"[ +l rx wx -l ]", "+l wx -l"}));
}

TEST(LockProfilesErrata, TheOthersHoldWithLocksThatForbidNothing) {
  EXPECT_FALSE(isPredicted({"[ wy ] [ rx ]", "[ wx wy ]"}));
  EXPECT_TRUE(isPredicted({"[ wy wz ]", "[ wy ] [ rz ]"}));
  EXPECT_FALSE(isPredicted({"[ rx ry ]", "[ rx ry ]", "[ wy ] [ wx ]"}));
  EXPECT_TRUE(isPredicted({"[ rz ry ]", "[ wz ] [ ry ]", "[ wy ] [ wz ]"}));
  EXPECT_FALSE(isPredicted({"[ rx ] [ wx ]", "[ wx ]"}));
}

TEST(LockProfiles, LocksForbid) {
  EXPECT_FALSE(isPredicted({"[ +l rx wx -l ]", "+l wx -l"}));
  EXPECT_TRUE(isPredicted({"[ +l rx -l +l wx -l ]", "+l wx -l"}));
  EXPECT_FALSE(isPredicted({"[ %l rx wx /l ]", "+l wx -l"}));
  EXPECT_TRUE(isPredicted({"[ %l rx wx /l ]", "%l wx /l"}));
}

/// Acquisition histories: each holds what the other one took on its way.
TEST(LockProfiles, WhatWasTakenOnTheWayForbids) {
  EXPECT_FALSE(isPredicted({"[ +l +m -m rx wx -l ]", "+m +l -l wx -m"}));
  EXPECT_TRUE(isPredicted({"[ +l +m -m rx wx -l ]", "+l -l +m wx -m"}));
}

/// Both regions are under way, and neither can run whole within the other.
TEST(LockProfiles, RegionsThatCross) {
  EXPECT_TRUE(isPredicted({"[ +l wx +m wy -m -l ]", "[ ry rx ]"}));
  EXPECT_TRUE(isPredicted({"[ +l rx +k -k wy -l ]", "[ +k ry -k wx ]"}));
}

/// Between the other thread's accesses, in two transactions, it takes a lock.
TEST(LockProfiles, WhatIsTakenInBetweenForbids) {
  EXPECT_FALSE(isPredicted({"[ +l wx wy -l ]", "rx +l -l ry"}));
  EXPECT_TRUE(isPredicted({"[ +l wx wy -l ]", "rx +m -m ry"}));
  EXPECT_TRUE(isPredicted({"[ +l wx wy -l ]", "rx +l -l rx ry"}));
  EXPECT_TRUE(isPredicted({"[ +l wx wy -l ]", "rx %m /m ry +l -l"}));
}

TEST(LockProfiles, AThreadMayStopInItsRegion) {
  EXPECT_TRUE(isPredicted({"[ rx wx +l -l ]", "[ +l wx wy -l ]"}));
}

TEST(LockProfiles, StartAndJoinForbid) {
  EXPECT_FALSE(isPredicted({"[ rx wx ] >1", "wx"}));
  EXPECT_TRUE(isPredicted({">1 [ rx wx ] <1", "wx"}));
  EXPECT_FALSE(isPredicted({">1 <1 [ rx wx ]", "wx"}));
}

TEST(LockProfiles, WhatIsHandedOverForbids) {
  EXPECT_TRUE(isPredicted({"[ rx wx ]", "wx"}));
  for (const char *Tells : {"wx !a", "wx ^a", "wx ^b"})
    EXPECT_FALSE(isPredicted({Tells[3] == '!'
                                  ? "?a [ rx wx ]"
                                  : std::string("v") + Tells[4] + " [ rx wx ]",
                              Tells}));
  EXPECT_TRUE(isPredicted({"?a [ rx wx ]", "!a wx"}));
  EXPECT_TRUE(isPredicted({"vb [ rx wx ]", "^b wx"}));
  // What comes behind the signal comes behind the begin of the wait.
  EXPECT_FALSE(isPredicted({"[ rx wx ] ?a", "!a wx"}));
  EXPECT_TRUE(isPredicted({"[ rx wx ] ^b", "wx vb"}));
  // The signal is given under a lock.
  EXPECT_FALSE(isPredicted({"?a [ +l rx wx -l ]", "+l wx !a -l"}));
  EXPECT_TRUE(isPredicted({"?a [ rx wx ]", "+l !a wx -l"}));
}

TEST(LockProfiles, WitnessesHaveTheirOrder) {
  const Program P = program({"[ +l rx -l +l wx -l ]", "+l wx -l"});
  std::mt19937_64 Random(1);
  const std::vector<Event> Run = events(P, *randomInterleaving(P, Random));
  const std::vector<Finding> Found = predict(Run);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Order.size(), 3u);
  EXPECT_EQ(Found[0].Relations.size(), 2u);
  expectOrdered(Found[0]);
}

/// A region that reads many variables, which another thread writes: what was
/// found until the search had its share of the time is confirmed and shown.
TEST(LockProfiles, WhatWasFoundInTimeIsShown) {
  constexpr unsigned Variables = 20;
  std::vector<Event> Run(2 * Variables + 2);
  Run.front().Kind = EventKind::RegionBegin;
  Run[Variables + 1].Kind = EventKind::RegionEnd;
  for (unsigned I = 0; I != Variables; ++I)
    for (Event *E : {&Run[I + 1], &Run[I + Variables + 2]}) {
      E->Address = 8 * I;
      E->Size = 8;
      E->Location = I;
    }
  for (size_t I = Variables + 2; I != Run.size(); ++I) {
    Run[I].Thread = 1;
    Run[I].Kind = EventKind::Write;
  }
  const auto Found = [&](double Share, bool &GaveUp) {
    Options O;
    O.All = true;
    O.MaxSeconds = 1000;
    Profiles P(O, /*WithLocks=*/true, /*MaxItems=*/1000, /*MaxStates=*/1000,
               Share);
    P.consume({Run.data(), Run.size()});
    P.finish();
    GaveUp = P.gaveUp().find("its share") != std::string::npos;
    return P.findings().size();
  };
  bool GaveUp;
  const size_t All = Found(.5, GaveUp);
  EXPECT_FALSE(GaveUp);
  const size_t Some = Found(0, GaveUp);
  EXPECT_TRUE(GaveUp);
  EXPECT_GT(Some, 0u);
  EXPECT_LT(Some, All);
}

/// With so few states that many candidates are not decided, and few places of
/// which each has many: if none is said to be undecided, all is found; and none
/// is whose place has a finding.
TEST(LockProfilesDifferential, WhatIsUndecided) {
  struct Answer {
    size_t Found;
    uint64_t Refuted = 0;
    bool GaveUp;
  };
  const auto Predict = [](const std::vector<Event> &Run, size_t MaxStates) {
    Options O;
    O.All = true;
    Profiles P(O, /*WithLocks=*/true, /*MaxItems=*/1000, MaxStates);
    P.consume({Run.data(), Run.size()});
    P.finish();
    Answer Is{P.findings().size(), 0, !P.gaveUp().empty()};
    for (const auto &[Name, Figure] : P.statistics())
      if (Name == "candidates that no schedule has")
        Is.Refuted = Figure;
    return Is;
  };
  uint64_t GaveUp = 0, Fewer = 0;
  forEachRun(
      numberOfPrograms(2000),
      [](uint64_t Seed) { return randomProgram(Seed, twoThreads()); },
      [&](const Program &, std::vector<Event> Run, uint64_t) {
        for (Event &E : Run)
          E.Location %= 2;
        const Answer All = Predict(Run, 1 << 12);
        for (const size_t MaxStates : {1, 2, 4, 8}) {
          const Answer Some = Predict(Run, MaxStates);
          GaveUp += Some.GaveUp;
          Fewer += Some.Found < All.Found;
          EXPECT_TRUE(Some.GaveUp || Some.Found == All.Found);
          EXPECT_FALSE(Some.GaveUp && Some.Found == All.Found && !All.Refuted);
        }
      });
  EXPECT_GT(GaveUp, 0u);
  EXPECT_GT(Fewer, 0u);
}

TEST(LockProfilesDifferential, TwoThreads) {
  compare(twoThreads(), 1000, /*MayMiss=*/false);
}

TEST(LockProfilesDifferential, TwoThreadsAndManyLocks) {
  ProgramOptions O = twoThreads();
  O.LockPercent = 60;
  O.MaxOps = 14;
  O.MaxVariables = 2;
  compare(O, 1000, /*MayMiss=*/false);
}

TEST(LockProfilesDifferential, TwoThreadsAndSharedOrRecursiveLocks) {
  ProgramOptions O = twoThreads();
  O.SharedLocks = true;
  O.RecursiveLocks = true;
  compare(O, 1000, /*MayMiss=*/false);
}

TEST(LockProfilesDifferential, TwoThreadsWithStartsAndJoins) {
  ProgramOptions O = twoThreads();
  O.Sync = ProgramOptions::Any;
  compare(O, 1000, /*MayMiss=*/false);
}

TEST(LockProfilesDifferential, TwoThreadsThatHandOver) {
  ProgramOptions O = twoThreads();
  O.MaxHandOvers = 3;
  compare(O, 1000, /*MayMiss=*/false);
}

TEST(LockProfilesDifferential, ManyThreadsThatHandOver) {
  ProgramOptions O;
  O.MaxHandOvers = 3;
  compare(O, 1000, /*MayMiss=*/true);
}

TEST(LockProfilesDifferential, LocksInAnyOrder) {
  ProgramOptions O = twoThreads();
  O.NestedLocks = false;
  compare(O, 1000, /*MayMiss=*/true);
}

TEST(LockProfilesDifferential, ManyThreads) {
  ProgramOptions O;
  compare(O, 1000, /*MayMiss=*/true);
}

TEST(LockProfilesDifferential, ManyThreadsWithoutLocks) {
  ProgramOptions O;
  O.MaxThreads = 4;
  O.LockPercent = 0;
  O.Sync = ProgramOptions::None;
  compare(O, 300, /*MayMiss=*/false);
}

TEST(LockProfilesDifferential, StartsAndJoinsAnywhere) {
  ProgramOptions O;
  O.Sync = ProgramOptions::Anywhere;
  compare(O, 1000, /*MayMiss=*/true);
}

/// What each search misses, and the time that it takes; nobody has a false
/// alarm, and blocks --level=full misses nothing.
TEST(LockProfilesDifferential, AgainstBlocks) {
  struct Way {
    const char *Name;
    std::function<bool(const std::vector<Event> &)> Finds;
    uint64_t Missed = 0;
    std::chrono::duration<double> Spent{};
  };
  const auto Blocks = [](const char *Level) {
    return [Level](const std::vector<Event> &Run) {
      Options O;
      O.Level = Level;
      return !findings("blocks", Run, O).empty();
    };
  };
  Way Ways[] = {
      {"nested",
       [](const std::vector<Event> &Run) { return !predict(Run).empty(); }},
      {"blocks 2v", Blocks("2v")},
      {"blocks full", Blocks("full")}};
  uint64_t Count = 0, Unserializable = 0;
  forEachRun(
      numberOfPrograms(300), [](uint64_t Seed) { return randomProgram(Seed); },
      [&](const Program &P, const std::vector<Event> &Run, uint64_t) {
        const Outcomes All = explore(P);
        if (All.GaveUp)
          return;
        ++Count;
        Unserializable += All.Unserializable;
        for (Way &W : Ways) {
          const auto Begin = std::chrono::steady_clock::now();
          const bool Found = W.Finds(Run);
          W.Spent += std::chrono::steady_clock::now() - Begin;
          EXPECT_TRUE(All.Unserializable || !Found) << W.Name;
          W.Missed += All.Unserializable && !Found;
        }
      });
  for (const Way &W : Ways)
    std::printf(
        "%s: %llu of %llu missed, %.1f us for each of %llu programs\n", W.Name,
        (unsigned long long)W.Missed, (unsigned long long)Unserializable,
        W.Spent.count() * 1e6 / double(Count), (unsigned long long)Count);
  EXPECT_EQ(Ways[2].Missed, 0u);
}
