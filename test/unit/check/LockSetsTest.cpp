//===- LockSetsTest.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multilocksets and Eraser's locksets: the examples of TSE'06 section 5.4, and
// what is promised, on runs of random programs:
//   real race => unprotected pair => multilocksets => empty common lockset
//   Eraser => empty common lockset
// where a real race is one that some interleaving shows: two conflicting
// accesses next to each other.
// RandomRuns.h says how to have more programs.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "RandomRuns.h"
#include "lib/check/HappensBefore.h"
#include "lib/check/LocksHeld.h"
#include "test/unit/Events.h"
#include <algorithm>
#include <cstdio>
#include <set>

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

using Trace = std::vector<Event>;

/// The addresses of the variables that are reported by multilocksets.
std::set<uint64_t> racy(const Trace &T, Options O = {}) {
  O.All = true;
  std::set<uint64_t> Found;
  for (const Finding &F : findings("locksets", T, O)) {
    EXPECT_EQ(F.What, Notion::Potential);
    EXPECT_EQ(F.Kind, "data-race");
    const Event &First = T.at(F.Relations.at(0).First.Number - 1);
    const Event &Later = T.at(F.Relations.at(0).Later.Number - 1);
    EXPECT_NE(First.Thread, Later.Thread);
    EXPECT_EQ(First.Address, Later.Address);
    EXPECT_TRUE(writes(First.Kind) || writes(Later.Kind));
    Found.insert(First.Address);
  }
  return Found;
}

/// Eraser's locksets, which know no order, report the variables at these
/// addresses: what multilocksets are compared with.
std::set<uint64_t> eraserRacy(const Trace &T) {
  Options O;
  EXPECT_TRUE(O.Improved.parse("none"));
  return racy(T, O);
}

/// The threads one after the other, in the given order.
Trace oneByOne(const std::vector<std::string> &Threads,
               const std::vector<uint8_t> &Order) {
  const Program P = program(Threads);
  Interleaving I;
  for (uint8_t T : Order)
    I.insert(I.end(), P[T].size(), T);
  return events(P, I);
}

TEST(LockSets, Figure4) {
  // "Suppose x has escaped from its creating thread", which is thread 0.
  const std::vector<std::string> P = {"wx >1 >2 >3 >4", "+l +m wx wx -m -l",
                                      "+m rx -m", "+l rx -l",
                                      "rx +l +m wx -m -l"};
  // t3 t2 t1: no race; Eraser's single lockset is empty.
  EXPECT_EQ(racy(oneByOne(P, {0, 3, 2, 1})).size(), 0u);
  EXPECT_EQ(eraserRacy(oneByOne(P, {0, 3, 2, 1})).size(), 1u);
  // t3 t2 t4: the paper's form alarms, for a read that only its own thread's
  // write could overlap; here that read does not count.
  EXPECT_EQ(racy(oneByOne(P, {0, 3, 2, 4})).size(), 0u);
  EXPECT_EQ(eraserRacy(oneByOne(P, {0, 3, 2, 4})).size(), 1u);
}

// "t1 accesses x, then t2, without any lock": in Eraser's initialization.
TEST(LockSets, EraserMissesRacesOfTheFirstThread) {
  const std::vector<std::string> P = {"wx", "+l rx -l"};
  EXPECT_EQ(racy(oneByOne(P, {0, 1})).size(), 1u);
  EXPECT_EQ(eraserRacy(oneByOne(P, {0, 1})).size(), 0u);
}

TEST(LockSets, OrderByStartAndJoin) {
  const std::vector<std::string> P = {"wx >1", "wx"};
  EXPECT_EQ(racy(oneByOne(P, {0, 1})).size(), 0u);
  EXPECT_EQ(eraserRacy(oneByOne(P, {0, 1})).size(), 1u);
  Options O;
  O.Improved.HappensBefore = false;
  EXPECT_EQ(racy(oneByOne(P, {0, 1}), O).size(), 1u);
}

// Fig. 3 would let the initialization empty the set of the writes' locks.
TEST(LockSets, AccessesThatNothingOverlapsNeedNoLock) {
  const std::vector<std::string> P = {"wx >1 >2 <1 <2 wx", "+l wx -l",
                                      "+l wx rx -l"};
  const Interleaving Order = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0};
  EXPECT_EQ(racy(events(program(P), Order)).size(), 0u);
}

// Every two of three writes have a lock in common, but not all three.
TEST(LockSets, AreConservative) {
  EXPECT_EQ(
      racy(oneByOne({"+l +m wx -m -l", "+m +n wx -n -m", "+l +n wx -n -l"},
                    {0, 1, 2}))
          .size(),
      1u);
}

TEST(LockSets, SharedMode) {
  EXPECT_EQ(racy(oneByOne({"%l rx /l", "+l wx -l"}, {0, 1})).size(), 0u);
  EXPECT_EQ(racy(oneByOne({"%l rx /l", "%l wx /l"}, {0, 1})).size(), 1u);
}

TEST(LockSets, AtomicOperationsDoNotRaceWithEachOther) {
  Trace T = oneByOne({"wx", "ux"}, {0, 1});
  for (Event &E : T)
    E.IsAtomic = isAccess(E.Kind);
  EXPECT_EQ(racy(T).size(), 0u);
  T[0].IsAtomic = false;
  EXPECT_EQ(racy(T).size(), 1u);
}

TEST(LockSets, SemaphoresThatOthersPostAreNoLocks) {
  // The consumer waits for what the producer posts, and never posts.
  Trace T = oneByOne({"+l wx", "+l wx"}, {0, 1});
  EXPECT_EQ(racy(T).size(), 0u);
  T.insert(T.begin(), event(2, EventKind::Release, lockAddress(0)));
  EXPECT_EQ(racy(T).size(), 1u);
}

TEST(LockSets, AFindingNamesTheLocks) {
  const Trace T = oneByOne({"+l wx -l", "+m wx -m"}, {0, 1});
  const std::vector<Finding> Found = findings("locksets", T);
  ASSERT_EQ(Found.size(), 1u);
  const Finding &F = Found[0];
  EXPECT_EQ(F.Relations.at(0).First.Number, 2u);
  EXPECT_EQ(F.Relations.at(0).Later.Number, 6u);
  EXPECT_EQ(F.Closing, 6u);
  char Expected[128];
  std::snprintf(Expected, sizeof(Expected),
                "accesses that may overlap: T0 holds %#llx exclusively, T1 "
                "holds %#llx exclusively",
                (unsigned long long)lockAddress(0),
                (unsigned long long)lockAddress(1));
  EXPECT_EQ(F.Relations.at(0).Why, Expected);
}

/// By the definitions, from the events alone.
struct Expected {
  std::set<uint64_t> UnprotectedPair; ///< Concurrent, conflicting, disjoint.
  std::set<uint64_t> NoCommonLock;    ///< Of several threads, with a write.

  explicit Expected(const Trace &T) {
    struct Access {
      const Event *E;
      PeriodId Period;
      std::set<uint64_t> Locks;
    };
    std::vector<Access> Accesses;
    HappensBefore Order;
    LocksHeld Locks;
    for (const Event &E : T) {
      if (isAccess(E.Kind)) {
        Access A = {&E, Order.period(E.Thread), {}};
        for (const HeldLock &H : Locks.held(E.Thread))
          if (H.IsExclusive() || !writes(E.Kind))
            A.Locks.insert(H.lock);
        Accesses.push_back(A);
      }
      Locks.take(E);
      Order.take(E);
    }
    for (const Access &A : Accesses) {
      std::set<uint64_t> Common = A.Locks;
      bool HasWrite = false, IsShared = false;
      for (const Access &B : Accesses) {
        if (B.E->Address != A.E->Address)
          continue;
        std::set<uint64_t> Both;
        std::set_intersection(A.Locks.begin(), A.Locks.end(), B.Locks.begin(),
                              B.Locks.end(), std::inserter(Both, Both.end()));
        if (Both.empty() && Order.concurrent(A.Period, B.Period) &&
            (writes(A.E->Kind) || writes(B.E->Kind)))
          UnprotectedPair.insert(A.E->Address);
        HasWrite |= writes(B.E->Kind);
        IsShared |= B.E->Thread != A.E->Thread;
        std::set<uint64_t> Left;
        std::set_intersection(Common.begin(), Common.end(), B.Locks.begin(),
                              B.Locks.end(), std::inserter(Left, Left.end()));
        Common = Left;
      }
      if (Common.empty() && HasWrite && IsShared)
        NoCommonLock.insert(A.E->Address);
    }
  }
};

bool isSubset(const std::set<uint64_t> &A, const std::set<uint64_t> &B) {
  return std::includes(B.begin(), B.end(), A.begin(), A.end());
}

ProgramOptions optionsOf(uint64_t Seed) {
  ProgramOptions O;
  O.NestedLocks = Seed / 4 % 4;
  O.SharedLocks = Seed / 3 % 3 == 0;
  O.RecursiveLocks = Seed / 5 % 4 == 0;
  O.Regions = false;
  const ProgramOptions::SyncKind Kinds[] = {
      ProgramOptions::Global, ProgramOptions::Any, ProgramOptions::Global,
      ProgramOptions::Anywhere};
  O.Sync = Kinds[Seed % 4];
  return O;
}

TEST(LockSetsDifferential, BetweenUnprotectedPairsAndOneLockset) {
  const uint64_t Count = numberOfPrograms(20000);
  uint64_t Racy = 0, Doubtful = 0, EraserMissed = 0, EraserOnly = 0;
  forEachRun(
      Count, [](uint64_t Seed) { return randomProgram(Seed, optionsOf(Seed)); },
      [&](const Program &, const Trace &T, uint64_t) {
        const Expected E(T);
        const auto Multi = racy(T), Eraser = eraserRacy(T);
        EXPECT_TRUE(isSubset(E.UnprotectedPair, Multi));
        EXPECT_TRUE(isSubset(Multi, E.NoCommonLock));
        EXPECT_TRUE(isSubset(Eraser, E.NoCommonLock));
        Racy += !E.UnprotectedPair.empty();
        Doubtful += Multi.size() > E.UnprotectedPair.size();
        EraserMissed += !isSubset(E.UnprotectedPair, Eraser);
        EraserOnly += !isSubset(Eraser, Multi);
      });
  std::printf("%llu racy, multilocksets conservative in %llu; Eraser missed "
              "in %llu, alarmed alone in %llu\n",
              (unsigned long long)Racy, (unsigned long long)Doubtful,
              (unsigned long long)EraserMissed, (unsigned long long)EraserOnly);
  EXPECT_GT(Racy, Count / 20);
  EXPECT_GT(EraserMissed, 0u);
  EXPECT_GT(EraserOnly, 0u);
}

// A race that some schedule shows is reported, whatever schedule was seen.
TEST(LockSetsDifferential, NoRealRaceIsMissed) {
  const uint64_t Count = numberOfPrograms(20000) / 40;
  uint64_t Racy = 0;
  forEachRun(
      Count,
      [](uint64_t Seed) {
        ProgramOptions O = optionsOf(Seed);
        O.MaxThreads = 3;
        O.MaxOps = 4;
        return randomProgram(Seed, O);
      },
      [&](const Program &P, const Trace &Run, uint64_t) {
        std::set<uint64_t> Real;
        unsigned Looked = 0;
        forEachInterleaving(P, [&](const Interleaving &I, bool) {
          const Trace T = events(P, I);
          for (size_t J = 1; J < T.size(); ++J)
            if (isAccess(T[J].Kind) && isAccess(T[J - 1].Kind) &&
                T[J].Thread != T[J - 1].Thread &&
                T[J].Address == T[J - 1].Address &&
                (writes(T[J].Kind) || writes(T[J - 1].Kind)))
              Real.insert(T[J].Address);
          return ++Looked < 500;
        });
        EXPECT_TRUE(isSubset(Real, racy(Run)));
        Racy += !Real.empty();
      });
  EXPECT_GT(Racy, Count / 20);
}

} // namespace
