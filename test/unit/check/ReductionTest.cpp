//===- ReductionTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reduction, offline and online: the examples of TSE'06 and of the list of
// where it is wrong or silent, and what its theorems promise, by all
// interleavings of random programs (RandomRuns.h).
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "RandomRuns.h"
#include "test/unit/Events.h"
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

using Trace = std::vector<Event>;

/// Of each finding the number of the begin event of its region.
std::set<uint64_t> found(const char *Algorithm, const Trace &T,
                         Options O = {}) {
  O.All = true;
  std::set<uint64_t> Regions;
  for (const Finding &F : findings(Algorithm, T, O)) {
    EXPECT_EQ(F.What, Notion::Potential);
    EXPECT_EQ(F.Kind, "irreducible-region");
    Regions.insert(F.Blamed.at(0).Begin.Number);
  }
  return Regions;
}

/// The run in which the threads take their steps in the order of `Order`
/// ("0012"); what is left of each thread follows in the order of threads.
Trace run(const std::vector<std::string> &Threads, const char *Order = "") {
  const Program P = program(Threads);
  std::vector<size_t> Taken(P.size());
  Interleaving I;
  for (; *Order; ++Order) {
    I.push_back(*Order - '0');
    ++Taken[*Order - '0'];
  }
  for (size_t T = 0; T != P.size(); ++T)
    for (; Taken[T] != P[T].size(); ++Taken[T])
      I.push_back(T);
  return events(P, I);
}

/// Any run: for the offline algorithm they are all the same.
size_t offline(const std::vector<std::string> &Threads, Options O = {}) {
  const Program P = program(Threads);
  std::mt19937_64 Random(1);
  return found("reduction", events(P, *randomInterleaving(P, Random)), O)
      .size();
}
size_t online(const std::vector<std::string> &Threads) {
  return found("reduction-online", run(Threads)).size();
}

TEST(Reduction, MoversAndTheirOrder) {
  // R B L; N; R N L.
  EXPECT_EQ(offline({"[ +l rx wx -l ]", "+l wx -l"}), 0u);
  EXPECT_EQ(offline({"[ wx ]", "wx"}), 0u);
  EXPECT_EQ(offline({"[ +l wy wx -l ]", "+l wy -l wx"}), 0u);
  // N N; L R; N R; L N.
  EXPECT_EQ(offline({"[ rx wx ]", "wx"}), 1u);
  EXPECT_EQ(offline({"[ +l rx -l +l wx -l ]", "+l wx -l"}), 1u);
  EXPECT_EQ(offline({"[ wx +l wy -l ]", "wx +l wy -l"}), 1u);
  EXPECT_EQ(offline({"[ +l wy -l wx ]", "wx +l wy -l"}), 1u);
  // Nested locks, and locks hand over hand.
  EXPECT_EQ(offline({"[ +l +m rx wx -m -l ]", "+l +m wx -m -l"}), 0u);
  EXPECT_EQ(offline({"[ +l rx +m ry -l wy -m ]", "+l wx -l +m wy -m"}), 0u);
  EXPECT_EQ(offline({"[ +l rx -l +m ry -m ]", "+l wx -l +m wy -m"}), 1u);
}

// N* as printed in some copies of Theorems 1 and 2 would accept this.
TEST(Reduction, AtMostOneNonMover) {
  EXPECT_TRUE(explore(program({"[ wx wx ]", "rx"})).Unserializable);
  EXPECT_EQ(offline({"[ wx wx ]", "rx"}), 1u);
}

// Fig. 1 and Fig. 5: size() and toArray() lock the vector in turn.
TEST(Reduction, Vector) {
  const std::vector<std::string> Vector = {"[ +l rx -l +l rx ry rx -l ]",
                                           "[ +l rx wy wx -l ]"};
  EXPECT_TRUE(explore(program(Vector)).Unserializable);
  const std::vector<Finding> Found = findings("reduction", run(Vector));
  ASSERT_EQ(Found.size(), 1u);
  const Finding &F = Found[0];
  EXPECT_EQ(F.Blamed.at(0).Begin.Number, 1u);
  ASSERT_FALSE(F.Relations.empty());
  EXPECT_EQ(F.Relations[0].First.Number, 4u);
  EXPECT_EQ(F.Relations[0].Later.Number, 5u);
  EXPECT_EQ(F.Closing, 5u);
  EXPECT_NE(F.Relations[0].Why.find("release"), std::string::npos);
  EXPECT_NE(F.Relations[0].Why.find("acquire"), std::string::npos);
}

TEST(Reduction, ReadOnlyAndThreadLocal) {
  EXPECT_EQ(offline({"[ rx rx rx ]", "rx rx"}), 0u);
  EXPECT_EQ(offline({"[ rx wx rx ]", "ry wy"}), 0u);
  // Initialized before it is shared: start and join order the accesses.
  EXPECT_EQ(offline({"wx >1 [ rx rx ] <1", "rx"}), 0u);
  EXPECT_EQ(offline({">1 <1 [ rx wx ]", "wx"}), 0u);
  EXPECT_EQ(offline({"[ rx wx ] |b", "|b wx"}), 0u);
  Options O;
  O.Improved.HappensBefore = false;
  EXPECT_EQ(offline({">1 <1 [ rx wx ]", "wx"}, O), 1u);
}

TEST(Reduction, AcqAStarRel) {
  // Only read-only x within the first section.
  const std::vector<std::string> P = {"[ +l rx -l +l wy -l ]", "+l rx wy -l"};
  EXPECT_FALSE(explore(program(P)).Unserializable);
  EXPECT_EQ(offline(P), 0u);
  EXPECT_EQ(offline({"[ +l wy -l +l rx -l ]", "+l rx wy -l"}), 0u);
  EXPECT_EQ(offline({"[ +l -l +l wy -l +l -l ]", "+l wy -l"}), 0u);
  EXPECT_EQ(offline({"[ +l +m rx -m -l +l wy -l ]", "+l wy -l +m rx -m"}), 0u);
  Options O;
  O.Improved.AcqARel = false;
  EXPECT_EQ(offline(P, O), 1u);
  // A shared variable in one of them is enough.
  EXPECT_EQ(offline({"[ +l rx ry -l +l wy -l ]", "+l wy -l"}), 1u);
}

TEST(Reduction, LocksThatAreBothMovers) {
  // Reentrant, of one thread only, protected.
  EXPECT_EQ(offline({"[ +l +l rx -l wx -l ]", "+l wx -l"}), 0u);
  EXPECT_EQ(offline({"[ +l rx -l +l rx -l ]", "rx"}), 0u);
  EXPECT_EQ(offline({"[ +m wx -m +m wy -m +l wz -l ]", "+l wz -l"}), 0u);
  EXPECT_EQ(offline({"[ +l +m wx -m +m wx -m -l ]", "+l +m wx -m -l"}), 0u);
  EXPECT_EQ(offline({"[ +l +m wx -m +m wx -m -l ]", "+m wx -m"}), 1u);
  // Given back too early, the outer lock protects nothing.
  EXPECT_EQ(offline({"[ +l +m wx -l -m +m wx -m ]", "+l +m wx -m -l"}), 1u);
  // Held in shared mode it does not either.
  EXPECT_EQ(offline({"[ %l +m wx -m +m wx -m /l ]", "%l +m wx -m /l"}), 1u);
}

// What must be reported, if anything else is to be believed.
void expectReported(const std::vector<std::string> &Threads) {
  EXPECT_TRUE(explore(program(Threads)).Unserializable);
  EXPECT_EQ(offline(Threads), 1u);
}

// m is taken under l, but also held without: another thread's release of m may
// come right before an acquire under l.
TEST(Reduction, ALockIsProtectedToItsRelease) {
  expectReported({"+l [ wy +m wx -m ] -l", "+l +m -l ry wx -m"});
  EXPECT_EQ(offline({"+l [ wy +m wx -m ] -l", "+l +m ry wx -m -l"}), 0u);
}

// Taken before the start of the other thread, and given back after.
TEST(Reduction, ALockIsSharedFromAcquireToRelease) {
  expectReported({"+l >1 ry wx -l", "[ wy +l wx -l ]"});
  EXPECT_EQ(offline({"+l ry wx -l >1", "[ wy +l wx -l +l wx -l ]"}), 0u);
}

TEST(Reduction, SharedMode) {
  EXPECT_EQ(offline({"[ %l rx rx /l ]", "+l wx -l"}), 0u);
  // A write under a lock that another thread may share.
  EXPECT_EQ(offline({"[ %l rx wx /l ]", "%l wx /l"}), 1u);
}

TEST(Reduction, BoundariesDivideRegions) {
  EXPECT_EQ(offline({"[ rx |b wx ]", "wx |b"}), 0u);
  Options O;
  O.Splits.parse("none");
  // Arrive is a left-mover, leave a right-mover.
  EXPECT_EQ(offline({"[ rx |b wx ]", "wx |b"}, O), 1u);
  EXPECT_EQ(offline({"[ wx >1 ]", "wx"}, O), 0u);
  EXPECT_EQ(offline({">1 [ <1 wx ]", "wx"}, O), 0u);
  EXPECT_EQ(offline({">1 [ >2 <1 ]", "wx", "wx"}, O), 1u);
}

// Fig. 4: t1, t2, t3 have no race. Nor have t2, t3, t4, where the paper's form
// of the multilocksets alarms; here three writers bring them to.
TEST(Reduction, Figure4) {
  EXPECT_EQ(offline({"+l rx -l", "+m rx -m", "[ +l +m wx wx -m -l ]"}), 0u);
  EXPECT_EQ(offline({"+l rx -l", "+m rx -m", "[ rx +l +m wx -m -l ]"}), 0u);
  const std::vector<std::string> Three = {"[ +l +m rx wx -m -l ]",
                                          "+m +n wx -n -m", "+l +n wx -n -l"};
  EXPECT_FALSE(explore(program(Three)).Unserializable);
  EXPECT_EQ(offline(Three), 1u);
}

// Where conflict- and view-equivalence differ, the former decides.
TEST(Reduction, ConflictNotViewEquivalence) {
  EXPECT_GE(offline({"[ +l wx -l +l wx -l ]", "[ +l wx rx -l ]"}), 1u);
  EXPECT_GE(offline({">1 >2 <1 <2 [ wx ]", "[ rx wx ]", "[ wx ]"}), 1u);
}

// Two read-only regions and two unary writers.
TEST(Reduction, ReadOnlyRegionsAndUnaryWriters) {
  EXPECT_EQ(offline({"wx", "wy", "[ rx ry ]", "[ rx ry ]"}), 2u);
}

// Reduction needs no other transaction to be bad, so it alarms here.
TEST(Reduction, IsNotComplete) {
  const std::vector<std::string> P = {"[ rx wx ]", "rx"};
  EXPECT_FALSE(explore(program(P)).Unserializable);
  EXPECT_EQ(offline(P), 1u);
}

TEST(Reduction, OnlineIsMisledByWhatShowsLater) {
  // The race, and the second user of the lock, come after the region.
  EXPECT_EQ(online({"[ rx wx ]", "wx"}), 0u);
  EXPECT_EQ(online({"[ +l rx -l +l wx -l ]", "+l wx -l"}), 0u);
  // Once they were seen, it reports.
  EXPECT_EQ(found("reduction-online", run({"[ rx wx ]", "wx"}, "1")).size(),
            1u);
  EXPECT_EQ(online({"+l wx -l", "[ +l rx -l +l wx -l ]"}), 1u);
  // It has no AcqA*Rel.
  EXPECT_EQ(online({"+l rx wy -l", "[ +l rx -l +l wy -l ]"}), 1u);
}

// Eraser's algorithm takes the first thread's accesses for an initialization.
TEST(Reduction, RacesCanBeErasers) {
  const Trace T = run({"[ wx wx ]", "+l rx -l"});
  EXPECT_EQ(found("reduction", T).size(), 1u);
  Options O;
  O.Improved.MultiLockSets = false;
  EXPECT_EQ(found("reduction", T, O).size(), 0u);
}

TEST(Improvements, AreParsed) {
  const std::pair<const char *, bool Improvements::*> All[] = {
      {"escape", &Improvements::Escape},
      {"happens-before", &Improvements::HappensBefore},
      {"multilocksets", &Improvements::MultiLockSets},
      {"acq-a-rel", &Improvements::AcqARel}};
  for (const auto &[Name, Its] : All) {
    Improvements I;
    ASSERT_TRUE(I.parse(Name));
    for (const auto &Other : All)
      EXPECT_EQ(I.*Other.second, Other.second == Its) << Name;
    EXPECT_TRUE(I.parse("none"));
    EXPECT_FALSE(I.*Its);
    EXPECT_TRUE(I.parse("all"));
    EXPECT_TRUE(I.*Its);
    EXPECT_FALSE(I.parse(std::string(Name) + ","));
    EXPECT_TRUE(I.*Its);
  }
}

TEST(Reduction, ARegionIsReportedOnceForEachPlace) {
  const Trace Once = run({"wx", "[ rx wx rx ]"});
  EXPECT_EQ(found("reduction", Once).size(), 1u);
  Trace Twice = Once;
  for (const Event &E : Once)
    if (E.Thread == 1)
      Twice.push_back(E);
  EXPECT_EQ(found("reduction", Twice).size(), 1u);
  EXPECT_EQ(found("reduction-online", Twice).size(), 1u);
}

// A memory block of the thread's own is nobody's business until it escapes.
TEST(Reduction, Escape) {
  const Trace Published = {event(0, EventKind::Birth, 0x1000, 16),
                           event(0, EventKind::RegionBegin),
                           event(0, EventKind::Write, 0x1000, 8),
                           event(0, EventKind::Write, 0x1008, 8),
                           event(0, EventKind::RegionEnd),
                           event(0, EventKind::Write, 0x10, 8),
                           event(0, EventKind::Pointer, 0x10, 0x1000),
                           event(1, EventKind::Read, 0x1000, 8),
                           event(1, EventKind::Read, 0x1008, 8)};
  EXPECT_EQ(found("reduction", Published).size(), 0u);
  Options O;
  O.Improved.Escape = false;
  EXPECT_EQ(found("reduction", Published, O).size(), 1u);
  // Published first, it is shared.
  Trace Early = Published;
  std::rotate(Early.begin() + 1, Early.begin() + 5, Early.begin() + 7);
  EXPECT_EQ(found("reduction", Early).size(), 1u);
}

// Accesses of several sizes: what is raced on are bytes.
TEST(Reduction, Bytes) {
  const auto Of = [](uint64_t Theirs) {
    return found("reduction", {event(0, EventKind::RegionBegin),
                               event(0, EventKind::Read, 0x1000, 8),
                               event(0, EventKind::Write, 0x1004, 8),
                               event(0, EventKind::RegionEnd),
                               event(1, EventKind::Write, Theirs, 1)})
        .size();
  };
  EXPECT_EQ(Of(0x1000), 0u);
  EXPECT_EQ(Of(0x1004), 1u);
  EXPECT_EQ(Of(0x1007), 1u);
  EXPECT_EQ(Of(0x1008), 0u);
  EXPECT_EQ(Of(0x100c), 0u);
}

ProgramOptions optionsOf(uint64_t Seed) {
  ProgramOptions O;
  O.MaxThreads = 2 + Seed % 3;
  O.MaxOps = O.MaxThreads == 4 ? 5 : 7;
  O.NestedLocks = Seed % 4;
  O.SharedLocks = Seed / 3 % 4 == 0;
  O.RecursiveLocks = Seed / 5 % 4 == 0;
  const ProgramOptions::SyncKind Kinds[] = {
      ProgramOptions::None, ProgramOptions::Global, ProgramOptions::Any,
      ProgramOptions::Anywhere};
  O.Sync = Kinds[Seed / 7 % 4];
  return O;
}

/// The same with each access in a critical section of its variable's lock: no
/// races, so that only the order of locks can make a region bad.
Program guarded(const Program &P) {
  Program Result(P.size());
  for (size_t T = 0; T != P.size(); ++T) {
    std::map<uint32_t, int> Held;
    for (const Operation &O : P[T]) {
      const bool Guards = isAccess(O.Kind) && !Held[O.Operand];
      if (Guards)
        Result[T].push_back({EventKind::Acquire, O.Operand});
      Result[T].push_back(O);
      if (Guards)
        Result[T].push_back({EventKind::Release, O.Operand});
      if (O.Kind == EventKind::Acquire || O.Kind == EventKind::AcquireShared)
        ++Held[O.Operand];
      if (O.Kind == EventKind::Release || O.Kind == EventKind::ReleaseShared)
        --Held[O.Operand];
    }
  }
  return Result;
}

/// Every other one is guarded.
Program programOf(uint64_t Seed) {
  ProgramOptions O = optionsOf(Seed);
  if (Seed % 2 == 0)
    return randomProgram(Seed, O);
  O.MaxThreads = 2 + Seed / 2 % 2;
  O.MaxOps = 6;
  O.MaxVariables = O.MaxLocks = 1 + Seed / 4 % 3;
  return guarded(randomProgram(Seed, O));
}

// If some schedule of the events of a run has a cycle, the offline algorithm
// reports a region, whatever run it saw; deadlocks or not. What the online one
// reports, the offline one with Theorem 1 does; what Theorem 2 reports, too.
TEST(ReductionDifferential, NeverCallsAViolatingProgramAtomic) {
  const uint64_t Count = numberOfPrograms(20000);
  uint64_t Violating = 0, Deadlocking = 0, Reported = 0, FalseAlarms = 0;
  uint64_t OnlineMisses = 0, AcqARelHelps = 0, Guarded = 0;
  const char *const Splits[] = {"all", "none", "start,barrier", "join"};
  const Dividers Divide[] = {{true, true, true},
                             {false, false, false},
                             {true, false, true},
                             {false, true, false}};
  forEachRun(Count, programOf,
             [&](const Program &P, const Trace &T, uint64_t Seed) {
               Options Usual;
               const unsigned Divided = Seed % 3 ? 0 : Seed / 3 % 4;
               Usual.Splits.parse(Splits[Divided]);
               Options WithTheorem1 = Usual;
               WithTheorem1.Improved.AcqARel = false;
               const auto Found = found("reduction", T, Usual);
               const auto ByTheorem1 = found("reduction", T, WithTheorem1);
               const auto Online = found("reduction-online", T, Usual);
               EXPECT_TRUE(std::includes(ByTheorem1.begin(), ByTheorem1.end(),
                                         Online.begin(), Online.end()));
               EXPECT_TRUE(std::includes(ByTheorem1.begin(), ByTheorem1.end(),
                                         Found.begin(), Found.end()));
               AcqARelHelps += Found.size() < ByTheorem1.size();
               const Outcomes All = explore(P, 2000000, Divide[Divided]);
               if (All.GaveUp)
                 return;
               EXPECT_TRUE(!All.Unserializable || !Found.empty());
               Violating += All.Unserializable;
               Guarded += All.Unserializable && Seed % 2;
               Deadlocking += All.Deadlocks;
               Reported += !Found.empty();
               FalseAlarms += !All.Unserializable && !Found.empty();
               OnlineMisses += All.Unserializable && Online.empty();
             });
  RecordProperty("violating", Violating);
  RecordProperty("false_alarms", FalseAlarms);
  RecordProperty("missed_online", OnlineMisses);
  std::printf("%llu violating (%llu with all accesses guarded), %llu may "
              "deadlock, %llu reported, "
              "%llu false alarms, %llu missed online, AcqA*Rel helped in "
              "%llu\n",
              (unsigned long long)Violating, (unsigned long long)Guarded,
              (unsigned long long)Deadlocking, (unsigned long long)Reported,
              (unsigned long long)FalseAlarms, (unsigned long long)OnlineMisses,
              (unsigned long long)AcqARelHelps);
  // The test must have had something to decide.
  EXPECT_GT(Violating, Count / 50);
  EXPECT_GT(Guarded, Count / 200);
  EXPECT_LT(Reported, Count * 9 / 10);
  EXPECT_GT(AcqARelHelps, 0u);
}

// What online misses, it misses for want of knowledge: when the same threads do
// the same again, it reports what the offline algorithm reports by Theorem 1.
TEST(ReductionDifferential, OnlineKnowsTheSecondTime) {
  const uint64_t Count = numberOfPrograms(20000) / 5;
  uint64_t Reported = 0;
  Options WithTheorem1;
  WithTheorem1.Improved.AcqARel = false;
  forEachRun(
      Count,
      [](uint64_t Seed) {
        ProgramOptions O = optionsOf(Seed);
        O.Sync = ProgramOptions::None;
        return randomProgram(Seed, O);
      },
      [&](const Program &, const Trace &Once, uint64_t) {
        Trace Twice = Once;
        for (Event E : Once) {
          E.Location += 10000; // Other places, to tell them apart.
          Twice.push_back(E);
        }
        std::set<uint64_t> Expected, SecondTime;
        for (uint64_t Begin : found("reduction", Once, WithTheorem1))
          Expected.insert(Begin + Once.size());
        for (uint64_t Begin : found("reduction-online", Twice))
          if (Begin > Once.size())
            SecondTime.insert(Begin);
        EXPECT_EQ(Expected, SecondTime);
        Reported += !Expected.empty();
      });
  EXPECT_GT(Reported, Count / 50);
}

} // namespace
