//===-- SystematicTest.cpp
//--------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Systematic exploration against all interleavings, on random programs: one run
// for each class, and all schedules within a bound.
//
//===----------------------------------------------------------------------===//
#include "../Setting.h"
#include "Drive.h"
#include <gtest/gtest.h>
#include <set>

using namespace __atsan;
using namespace atsan_test;

namespace {

// Programs with more interleavings are left out.
constexpr size_t kMaxInterleavings = 4000;

// The runs, and that all that threads can wait for was among it.
struct Totals {
  uint64_t Programs = 0, TooLarge = 0, Interleavings = 0, Classes = 0, Runs = 0,
           Redundant = 0, Again = 0, Deadlocks = 0, Bounded = 0,
           Unserializable = 0;
  std::set<OpKind> Kinds;

  void note(const MachineProgram &P) {
    for (const auto &Thread : P.Threads)
      for (const Op &O : Thread)
        Kinds.insert(O.Kind);
  }
};

// How many threads may spin.
unsigned numAwaiting(const MachineProgram &P) {
  unsigned Num = 0;
  for (const auto &Thread : P.Threads) {
    bool Awaits = false;
    for (const Op &O : Thread)
      Awaits |= O.Kind == OpKind::Await;
    Num += Awaits;
  }
  return Num;
}

void compareClasses(const MachineProgram &P, const AllRuns &All, Totals &Sum) {
  Strategy &S = freshStrategy("systematic", {});
  std::map<TraceForm, unsigned> Seen;
  std::set<Verdict> Verdicts, Expected;
  while (S.HasMore()) {
    const DrivenRun Run = drive(S, P);
    ASSERT_FALSE(Run.Diverged);
    if (Run.Redundant) {
      Sum.Redundant++;
      continue;
    }
    Sum.Runs++;
    const TraceForm Form = Run.Log.form();
    ASSERT_TRUE(All.Classes.count(Form)) << text(Run.Log.threads());
    if (++Seen[Form] > 1) {
      // While a thread that spun goes on, others that spin are held, which no
      // conflict tells of.
      Sum.Again++;
      ASSERT_GE(numAwaiting(P), 2u) << "again: " << text(Run.Log.threads());
    }
    Verdicts.insert({Run.Final, Run.Log.isSerializable()});
    Sum.Deadlocks += Run.Deadlock;
    Sum.Unserializable += !Run.Log.isSerializable();
  }
  EXPECT_EQ(Coverage::kAllClasses, S.Covered());
  for (const auto &[Form, V] : All.Classes)
    Expected.insert(V);
  EXPECT_EQ(Expected, Verdicts);
  for (const AllRuns::Run &Run : All.Runs)
    ASSERT_TRUE(Seen.count(*Run.Class)) << "never: " << text(Run.Threads);
}

void compareWithinBound(const MachineProgram &P, const AllRuns &All, u32 Bound,
                        Totals &Sum) {
  StrategyOptions Options;
  Options.preemptions = Bound;
  Strategy &S = freshStrategy("systematic", Options);
  std::set<Interleaving> Expected, Seen;
  for (const AllRuns::Run &Run : All.Runs)
    if (Run.Preemptions <= Bound)
      Expected.insert(Run.Threads);
  while (S.HasMore()) {
    const DrivenRun Run = drive(S, P);
    ASSERT_FALSE(Run.Diverged || Run.Redundant);
    ASSERT_TRUE(Seen.insert(Run.Log.threads()).second);
  }
  EXPECT_EQ(Coverage::kAllWithinBound, S.Covered());
  EXPECT_TRUE(Expected == Seen)
      << "bound " << Bound << ": " << Expected.size() << " " << Seen.size();
  Sum.Bounded += Seen.size();
}

// Equal exactly for runs of one class.
void compareHashes(const MachineProgram &P, const AllRuns &All) {
  std::map<uint64_t, const TraceForm *> Of;
  std::map<const TraceForm *, uint64_t> Hash;
  for (const AllRuns::Run &Run : All.Runs) {
    const uint64_t H = classOf(P, Run.Threads, 0x10000 + 4096 * Of.size());
    ASSERT_EQ(Run.Class, Of.try_emplace(H, Run.Class).first->second);
    ASSERT_EQ(H, Hash.try_emplace(Run.Class, H).first->second);
  }
}

TEST(Systematic, RunsEachClassOnce) {
  const uint64_t Programs = setting("ATSAN_SCHEDULE_PROGRAMS", 2000);
  const uint64_t First = setting("ATSAN_SCHEDULE_SEED", 0);
  Totals Sum;
  for (uint64_t I = First; I < First + Programs; I++) {
    const MachineProgram P = randomMachineProgram(I);
    SCOPED_TRACE("seed " + std::to_string(I) + "\n" + describe(P));
    const AllRuns All = allInterleavings(P, kMaxInterleavings);
    if (All.TooMany) {
      Sum.TooLarge++;
      continue;
    }
    Sum.Programs++;
    Sum.Interleavings += All.Runs.size();
    Sum.Classes += All.Classes.size();
    compareClasses(P, All, Sum);
    compareHashes(P, All);
    compareWithinBound(P, All, I % 4, Sum);
    Sum.note(P);
    if (HasFailure())
      break;
  }
  EXPECT_EQ(unsigned(OpKind::End) + 1, Sum.Kinds.size());
  EXPECT_LE(Sum.Redundant, Sum.Runs / 50);
  EXPECT_NE(0u, Sum.Deadlocks);
  EXPECT_NE(0u, Sum.Unserializable);
  printf("%lu programs (and %lu too large), %lu interleavings, %lu classes, "
         "%lu complete runs (%lu again, %lu deadlocks, %lu not serializable), "
         "%lu redundant "
         "ones, %lu runs within bounds\n",
         Sum.Programs, Sum.TooLarge, Sum.Interleavings, Sum.Classes, Sum.Runs,
         Sum.Again, Sum.Deadlocks, Sum.Unserializable, Sum.Redundant,
         Sum.Bounded);
}

void expectRuns(const MachineProgram &P, unsigned Runs, unsigned Redundant) {
  SCOPED_TRACE(describe(P));
  Strategy &S = freshStrategy("systematic");
  unsigned Found[2] = {};
  while (S.HasMore())
    Found[drive(S, P).Redundant]++;
  EXPECT_EQ(Runs, Found[false]);
  EXPECT_EQ(Redundant, Found[true]);
}

// Figures of programs that are larger than those that are random: a redundant
// run costs as much as another one.
TEST(Systematic, RunsLittleInVain) {
  const Op Lock = {OpKind::Lock}, Unlock = {OpKind::Unlock},
           X = {OpKind::Update, 0}, Y = {OpKind::Write, 1},
           Barrier = {OpKind::Barrier};
  MachineProgram P;
  P.Parents = {-1, -1, -1};
  P.Threads = {{X, X, X}, {X, X, X}, {X, X}};
  expectRuns(P, 560, 0);
  // The orders of five sections.
  P.Threads = {{Lock, X, Unlock, Lock, X, Unlock},
               {Lock, X, Unlock, Lock, X, Unlock},
               {Lock, X, Unlock}};
  expectRuns(P, 30, 0);
  // Who waits for a lock cannot come before it is free, whoever else can go on.
  P.Threads = {{Lock, X, Unlock}, {Lock, X, Unlock}, {Y, Y}};
  expectRuns(P, 2, 0);
  P.BarrierParties = 3;
  P.Threads = {{X, Barrier, X}, {X, Barrier, X}, {X, Barrier, X}};
  expectRuns(P, 216, 0);
  // What comes before a birth, or after a join, races with nobody.
  const auto Fork = [](unsigned I) { return Op{OpKind::Create, uint8_t(I)}; };
  const auto Join = [](unsigned I) { return Op{OpKind::Join, uint8_t(I)}; };
  P.Parents = {-1, 0, 0, 0};
  P.Threads = {{X, Fork(1), Y, Fork(2), X, Fork(3)}, {Y}, {X}, {X, X}};
  expectRuns(P, 8, 0);
  P.Threads = {{Fork(1), Fork(2), Fork(3), Join(1), Join(2), Join(3), X, Y},
               {X},
               {X, Y},
               {X}};
  expectRuns(P, 6, 3);
}

void expectAllClasses(const MachineProgram &P) {
  SCOPED_TRACE(describe(P));
  Totals Sum;
  const AllRuns All = allInterleavings(P, 1000000);
  ASSERT_FALSE(All.TooMany);
  compareClasses(P, All, Sum);
}

// Random programs of which a class was missed, made small.
TEST(Systematic, FindsWhatWasMissed) {
  const Op Post = {OpKind::SemaphorePost, 0}, Take = {OpKind::SemaphoreWait, 0};
  MachineProgram P;
  P.Parents = {-1, -1, -1};
  // Where the first thread sleeps after the second one's Post and Take, the
  // third one has to wait, and is not executed any more: but it could have come
  // first.
  P.Threads = {{{OpKind::Broadcast, 1}, {OpKind::Write, 0}},
               {Post, Take},
               {Take, {OpKind::Update, 0}}};
  expectAllClasses(P);
  // Both spin; whoever reads what it waits for keeps the other one from reading
  // before it has ended.
  P.Threads = {
      {{OpKind::RegionBegin}, {OpKind::Update, 2}, {OpKind::RegionEnd}},
      {{OpKind::Await, 0, 1}, {OpKind::Update, 2}},
      {{OpKind::Await, 1, 1}}};
  expectAllClasses(P);
  // The last thread's steps before the lock tell nothing of who had it.
  P.Threads = {{{OpKind::Lock}, {OpKind::Unlock}},
               {{OpKind::Write, 1}, {OpKind::Lock}, {OpKind::Unlock}},
               {{OpKind::TryLock, 0, 1}, {OpKind::Unlock}}};
  expectAllClasses(P);
}

} // namespace
