//===-- CheckerCasesTest.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules by hand, through the oracle and the checker: the traces of the
// papers and of paper-errata.md ("Monitoring"), the classics, and the rules of
// semantics.md. Each violating one has a twin that is right.
//
//===----------------------------------------------------------------------===//

#include "CycleCheck.h"
#include "UnitSupport.h"
#include "gtest/gtest.h"

using namespace atsan_test;
using namespace __atsan;

namespace {

// Bytes in granules of their own.
constexpr unsigned x = 0, y = 8, z = 16;

// `Violation`: the number (from 1) of the closing event, or 0.
void expect(Schedule S, int Violation) {
  // Threads that nobody creates are there from the beginning.
  Schedule Whole;
  Validity V;
  for (unsigned T = 1; T <= 9; T++) {
    bool Acts = false, IsCreated = false;
    for (const Event &E : S) {
      Acts |= E.What != Op::Forget && E.Thread == T;
      IsCreated |= E.What == Op::Create && E.Other == T;
    }
    if (Acts && !IsCreated)
      Whole.push_back(start(T));
  }
  int Offset = Whole.size();
  Whole.insert(Whole.end(), S.begin(), S.end());
  ASSERT_EQ(dropInvalid(Whole).size(), Whole.size()) << "not a valid schedule";
  // Tells the lock events their modes.
  Whole = dropInvalid(Whole);

  int Expected = Violation ? Violation - 1 + Offset : -1;
  EXPECT_EQ(firstViolation(Whole), Expected) << "oracle\n" << describe(Whole);
  for (unsigned Variant = 0; Variant < 4; Variant++) {
    RunOptions Options;
    Options.Gated = Variant & 1;
    if (Variant & 2)
      Options.Runs = EvenRuns::kOneCall;
    freshChecker();
    RunResult R = runChecker(Whole, Options);
    EXPECT_EQ(R.firstViolation(), Expected) << "checker\n" << describe(Whole);
    Oracle O;
    for (const Event &E : Whole)
      O.apply(E);
    for (const Finding &F : R.Findings)
      EXPECT_EQ(checkCycle(O, F, Options.Base), "") << describe(Whole);
  }
}
void expectNone(const Schedule &S) { expect(S, 0); }
void expectLast(const Schedule &S) { expect(S, S.size()); }

// --- CAV'08 and its errata. --------------------------------------------------

// Section 3: t2 has ended, and is still needed.
TEST(CheckerCases, CompletedTransactionMayNotBeDeleted) {
  expectLast({begin(1), rd(1, x), begin(2), wr(2, x), rd(2, z), begin(3),
              wr(3, z), leave(2), wr(1, x)});
  expectNone({begin(1), rd(1, x), begin(2), wr(2, y), rd(2, z), begin(3),
              wr(3, z), leave(2), wr(1, x)});
}

// Outgoing edges of a completed transaction come later.
TEST(CheckerCases, CompletedTransactionGetsOutgoingEdges) {
  expectLast({begin(1), rd(1, x), begin(2), wr(2, x), wr(2, z), leave(2),
              begin(3), rd(3, z), wr(3, y), leave(3), rd(1, y)});
  expectNone({begin(1), rd(1, x), begin(2), wr(2, x), wr(2, z), leave(2),
              begin(3), wr(3, y), leave(3), rd(1, y)});
}

// Rule 3: the edge of program order counts from the first access of the next
// transaction, wherever that one gets its edges.
TEST(CheckerCases, ProgramOrderOfLaterTransactions) {
  expectLast({begin(1), rd(1, x), begin(2), wr(2, x), leave(2), begin(2),
              wr(2, y), leave(2), rd(1, y)});
  // The other way round: what came before the edge is not reached.
  expectNone({begin(1), rd(1, x), begin(2), wr(2, y), leave(2), begin(2),
              wr(2, x), leave(2), rd(1, y)});
}

// Theorem 1 wants all threads to end. These never do.
TEST(CheckerCases, ThreadsThatStopInside) {
  expectLast({begin(1), begin(2), rd(1, x), wr(2, x), wr(2, y), rd(1, y)});
  expectNone({begin(1), begin(2), rd(1, x), wr(2, x), wr(2, y), rd(1, z)});
}

// A thread that ends inside a region ends it; cycles through it stay.
TEST(CheckerCases, ThreadThatEndsInside) {
  expectLast(
      {begin(1), wr(1, x), begin(2), rd(2, x), wr(2, y), end(2), rd(1, y)});
  expectNone({begin(1), wr(1, x), begin(2), rd(2, x), end(2), rd(1, y)});
}

// Rule 5: a new thread does not inherit the program order of a dead one.
TEST(CheckerCases, NewThreadsDoNotInheritFromDeadOnes) {
  expectNone({begin(1), wr(1, x), create(3, 2), rd(2, x), end(2), detach(3, 2),
              create(3, 4), wr(4, y), rd(1, y)});
  expectLast({begin(1), wr(1, x), create(3, 2), rd(2, x), wr(2, y), end(2),
              detach(3, 2), rd(1, y)});
  // But there is order through a join.
  expectLast({begin(1), wr(1, x), create(3, 2), rd(2, x), end(2), join(3, 2),
              create(3, 4), wr(4, y), rd(1, y)});
}

TEST(CheckerCases, StartMakesOrder) {
  expectLast({begin(1), wr(1, x), rd(2, x), create(2, 3), wr(3, y), rd(1, y)});
  expectNone({begin(1), wr(1, x), create(2, 3), rd(2, x), wr(3, y), rd(1, y)});
  // Within a region: the start belongs to it.
  expectLast({begin(1), create(1, 2), wr(2, x), rd(1, x)});
  // Unless it is a boundary.
  expectNone({begin(1), create(1, 2, true), wr(2, x), rd(1, x)});
}

TEST(CheckerCases, JoinMakesOrder) {
  expectLast({begin(1), create(4, 2), wr(1, x), rd(2, x), end(2), join(4, 2),
              wr(4, y), rd(1, y)});
  expectNone(
      {begin(1), create(4, 2), wr(1, x), rd(2, x), end(2), wr(4, y), rd(1, y)});
  expectLast({create(1, 2), begin(1), wr(1, x), rd(2, x), end(2), join(1, 2)});
  expectNone({create(1, 2), begin(1), wr(1, x), rd(2, x), end(2),
              join(1, 2, true), rd(1, x)});
}

// A start or join is a transaction, an access in a region or none. Order goes
// through threads that have one, and through no others.
TEST(CheckerCases, EmptyThreads) {
  expectLast({begin(1), wr(1, x), rd(2, x), create(2, 3), create(3, 4),
              wr(4, y), rd(1, y)});
  expectNone({begin(1), wr(1, x), rd(2, x), create(2, 3), end(3), join(4, 3),
              wr(4, y), rd(1, y)});
  for (const Event &Only : {rd(3, z), begin(3), create(3, 5)})
    expectLast({begin(1), wr(1, x), rd(2, x), create(2, 3), Only, end(3),
                join(4, 3), wr(4, y), rd(1, y)});
  expectNone({begin(1), wr(1, x), create(2, 3), rd(2, x), end(3), join(4, 3),
              wr(4, y), rd(1, y)});
}

// Neither read-only regions nor unary transactions may be dropped.
TEST(CheckerCases, ReadOnlyRegionsAndUnaryWriters) {
  expectLast({begin(4), rd(4, x), wr(1, x), begin(3), rd(3, x), rd(3, y),
              leave(3), wr(2, y), rd(4, y)});
  expectNone({begin(4), rd(4, x), wr(1, x), begin(3), rd(3, x), leave(3),
              wr(2, y), rd(4, y)});
}

// Program order alone leads into the completed transaction.
TEST(CheckerCases, CompletedTransactionReachedByProgramOrder) {
  expectLast(
      {begin(1), wr(1, x), rd(2, x), begin(2), wr(2, y), leave(2), rd(1, y)});
  expectNone(
      {begin(1), wr(1, x), begin(2), wr(2, y), leave(2), rd(2, x), rd(1, y)});
}

// --- Classics. ---------------------------------------------------------------

TEST(CheckerCases, LostUpdate) {
  expectLast({begin(1), rd(1, x, 4), begin(2), rd(2, x, 4), wr(2, x, 4),
              leave(2), wr(1, x, 4)});
  expectLast({begin(1), rd(1, x, 4), wr(2, x, 4), wr(1, x, 4)});
  expectNone({begin(1), rd(1, x, 4), wr(1, x, 4), leave(1), begin(2),
              rd(2, x, 4), wr(2, x, 4), leave(2)});
  // Two atomic increments are fine, in any order.
  expectNone(
      {begin(1), rmw(1, x, 4), begin(2), rmw(2, x, 4), leave(2), leave(1)});
}

TEST(CheckerCases, CheckThenAct) {
  expectLast({begin(1), rd(1, x), wr(2, x), wr(1, x)});
  expectLast({begin(1), rd(1, x), rmw(2, x), rmw(1, x)});
  expectNone(
      {begin(1), rd(1, x), leave(1), wr(2, x), begin(1), wr(1, x), leave(1)});
}

// The four patterns of one location, and their serializable relatives.
TEST(CheckerCases, OneLocationPatterns) {
  expectLast({begin(1), rd(1, x), wr(2, x), rd(1, x)});
  expectLast({begin(1), wr(1, x), wr(2, x), rd(1, x)});
  expectLast({begin(1), rd(1, x), wr(2, x), wr(1, x)});
  expectLast({begin(1), wr(1, x), rd(2, x), wr(1, x)});
  expectLast({begin(1), wr(1, x), wr(2, x), wr(1, x)});
  expectNone({begin(1), rd(1, x), rd(2, x), wr(1, x)});
  expectNone({begin(1), rd(1, x), rd(2, x), rd(1, x)});
  expectNone({begin(1), wr(1, x), rd(2, x), rd(1, x)});
}

// Each two of them are serializable, the three are not.
TEST(CheckerCases, ThreeRegionsPairwiseFine) {
  expectLast({begin(1), begin(2), begin(3), wr(1, x), rd(2, x), wr(2, y),
              rd(3, y), wr(3, z), rd(1, z)});
  expectNone({begin(1), begin(2), wr(1, x), rd(2, x), wr(2, y), rd(1, z)});
  expectNone({begin(2), begin(3), wr(2, y), rd(3, y), wr(3, z)});
  expectNone({begin(1), begin(3), wr(1, x), wr(3, z), rd(1, z)});
}

// A cycle needs a region; through unary accesses alone there is none.
TEST(CheckerCases, UnaryTransactions) {
  expectLast(
      {begin(1), wr(1, x), rd(2, x), wr(2, y), rd(3, y), wr(3, z), rd(1, z)});
  expectNone(
      {wr(1, x), rd(2, x), wr(2, y), rd(3, y), wr(3, z), rd(1, z), wr(1, x)});
  // The order within a unary thread matters.
  expectNone({begin(1), wr(1, x), wr(2, y), rd(2, x), rd(1, y)});
  // Nor does an incoming edge reach what was accessed before it.
  expectNone({begin(1), wr(2, y), wr(1, x), rd(2, x), rd(1, y)});
}

TEST(CheckerCases, NestedRegionsAreOne) {
  expectLast(
      {begin(1), begin(1), rd(1, x), leave(1), wr(2, x), begin(1), wr(1, x)});
  expectNone({begin(1), rd(1, x), leave(1), wr(2, x), begin(1), begin(1),
              wr(1, x), leave(1), leave(1)});
}

// --- Bytes. ------------------------------------------------------------------

TEST(CheckerCases, NeighbouringBytes) {
  expectNone({begin(1), rd(1, x, 4), wr(2, x + 4, 4), wr(1, x, 4)});
  expectNone({begin(1), rd(1, x + 1), wr(2, x), wr(2, x + 2), wr(1, x + 1)});
  expectLast({begin(1), rd(1, x, 4), wr(2, x + 3, 4), wr(1, x + 3)});
  expectNone({begin(1), rd(1, x, 4), wr(2, x + 3, 4), wr(1, x, 3)});
}

// Each byte of a granule is of a place of its own, which edges name.
TEST(CheckerCases, BytesOfSeveralPlaces) {
  for (unsigned Byte = 0; Byte < 7; Byte++)
    for (bool Known : {true, false}) {
      Schedule S = {begin(1), begin(2)};
      for (unsigned B = 0; B < 7; B++)
        S.push_back(B % 3 == 2 ? rd(1, x + B) : wr(1, x + B));
      // Some are written later, others read again.
      S.push_back(wr(1, x + 2));
      S.push_back(rd(1, x + 3));
      S.push_back(wr(1, x + 4, 2));
      S.push_back(wr(2, x + (Known ? Byte : 7)));
      S.push_back(wr(2, y));
      S.push_back(rd(1, y));
      expect(S, Known ? S.size() : 0);
    }
}

TEST(CheckerCases, AcrossGranules) {
  expectLast({begin(1), rd(1, 6, 4), wr(2, 9), wr(1, 6, 4)});
  expectNone({begin(1), rd(1, 6, 4), wr(2, 10), wr(1, 6, 4)});
  expectLast({begin(1), rd(1, 3, 60), wr(2, 62), rd(1, 3, 60)});
  expectNone({begin(1), rd(1, 3, 60), wr(2, 63), rd(1, 3, 60)});
  // A read and a write within one event are one access.
  expectNone({begin(1), rmw(1, 0, 16), rmw(2, 0, 16), leave(1)});
}

// One event with several bytes has one place in the order.
TEST(CheckerCases, WideUnaryAccessIsOneTransaction) {
  expectLast({begin(1), wr(1, 0), rd(2, 0, 16), wr(1, 8)});
  expectNone({begin(1), wr(1, 0), rd(2, 8, 8), wr(1, 1)});
}

// --- Lifetime. ---------------------------------------------------------------

TEST(CheckerCases, ReuseMakesNoEdge) {
  expectNone({begin(1), rd(1, x, 8), forget(x, 8), wr(2, x, 8), forget(x, 8),
              wr(1, x, 8)});
  expectLast({begin(1), rd(1, x, 8), forget(x, 4), wr(2, x, 8), wr(1, x, 8)});
  expectNone({begin(1), rd(1, x, 8), forget(x, 4), wr(2, x, 4), wr(1, x, 4)});
}

TEST(CheckerCases, FreeIsAWrite) {
  expectLast({begin(1), rd(1, x, 8), freeBlock(2, x, 8), rd(1, x, 8)});
  expectLast({begin(1), wr(1, x, 8), wr(1, y), rd(2, y), freeBlock(2, x, 8),
              wr(2, z), rd(1, z)});
  expectNone(
      {begin(1), rd(1, x, 8), freeBlock(2, x, 8), forget(x, 8), rd(1, x, 8)});
}

// What was forgotten still has the edges that it made before.
TEST(CheckerCases, EdgesOutliveTheirBytes) {
  expectLast({begin(1), wr(1, x), rd(2, x), forget(x, 1), wr(2, y), rd(1, y)});
  expectNone({begin(1), wr(1, x), forget(x, 1), rd(2, x), wr(2, y), rd(1, y)});
}

// --- The hook for a whole loop. ----------------------------------------------

// The byte on which a cycle closes when thread 1, in its region, writes in even
// distances what thread 2 has written after it; -1: there is none.
int closesAt(uptr First, uptr Size, sptr Stride, uptr Count, uptr Width = 1) {
  struct : SeamListener {
    void violation(CheckerThread *, const Cycle &C) override {
      EXPECT_EQ(At, -1) << "reported twice";
      At = C.edges[C.size - 1].addr - Base;
      Begin = C.edges[C.size - 1].dst_addr - Base;
    }
    uptr Base = 0x7e1234560000;
    int At = -1, Begin = -1;
  } L;
  freshChecker();
  ListenHere Here(L);
  AccessPoint Here1 = {1, 0}, There = {2, 0};
  CheckerThread One = {}, Two = {};
  CheckerThreadCreate(nullptr, Here1, &One, 1);
  CheckerThreadCreate(nullptr, There, &Two, 2);
  CheckerRegionBegin(&One);
  CheckerAccess(&One, L.Base + 100, 1, AccessKind::kWrite, Here1);
  CheckerAccess(&Two, L.Base + 100, 1, AccessKind::kRead, There);
  CheckerAccess(&Two, L.Base + 50, 1, AccessKind::kWrite, There);
  if (Width == 1)
    CheckerAccessStrided(&One, L.Base + First, Size, Stride, Count,
                         AccessKind::kWrite, Here1);
  else
    CheckerAccessRows(&One, L.Base + First, Size, Width, Stride, Count,
                      AccessKind::kWrite, Here1);
  CheckerRegionEnd(&One);
  if (L.At >= 0) {
    // Where one of the accesses begins, and not after the byte.
    sptr Distance = L.Begin - static_cast<sptr>(First);
    sptr InRow = Stride ? Distance % Stride : Distance;
    EXPECT_EQ(Width == 1 ? InRow : InRow % static_cast<sptr>(Size), 0);
    EXPECT_LE(L.Begin, L.At);
    EXPECT_GT(L.Begin + static_cast<int>(Size), L.At);
  }
  return L.At;
}

TEST(CheckerCases, StridedAccesses) {
  EXPECT_EQ(closesAt(18, 4, 4, 9), 50);
  EXPECT_EQ(closesAt(18, 4, 4, 8), -1); // Up to 49.
  EXPECT_EQ(closesAt(19, 1, 1, 32), 50);
  EXPECT_EQ(closesAt(19, 1, 1, 31), -1);
  EXPECT_EQ(closesAt(2, 16, 16, 4), 50);
  EXPECT_EQ(closesAt(82, 4, -8, 5), 50);
  EXPECT_EQ(closesAt(86, 4, -8, 9), -1); // Between two.
  EXPECT_EQ(closesAt(44, 8, 2, 3), 50);
  EXPECT_EQ(closesAt(50, 1, 0, 3), 50);
}

TEST(CheckerCases, Rows) {
  EXPECT_EQ(closesAt(0, 8, 24, 4, 2), 50);
  EXPECT_EQ(closesAt(0, 8, 40, 3, 2), 50); // In the second of a row.
  EXPECT_EQ(closesAt(0, 8, 32, 3, 2), -1); // Between two rows.
  EXPECT_EQ(closesAt(72, 8, -24, 2, 2), 50);
  EXPECT_EQ(closesAt(64, 8, -24, 2, 2), 50);
  EXPECT_EQ(closesAt(40, 8, 16, 1, 2), 50);
  EXPECT_EQ(closesAt(16, 4, 32, 2, 2), 50);
  EXPECT_EQ(closesAt(16, 4, 24, 2, 2), -1);
  // Not of whole granules.
  EXPECT_EQ(closesAt(12, 4, 32, 2, 3), 50);
  EXPECT_EQ(closesAt(20, 4, 32, 2, 2), -1);
}

// --- Pages that only their owner has accessed. -------------------------------

// An earlier transaction of the owner that others reach is not forgotten while
// it says more than the next one.
TEST(CheckerCases, LiveTransactionsInAnOwnPage) {
  constexpr unsigned Far = 4096;
  Schedule Reached = {begin(1), wr(1, z), begin(2), rd(2, z)};
  auto After = [&](Schedule More) {
    More.insert(More.begin(), Reached.begin(), Reached.end());
    return More;
  };
  expectLast(After({wr(2, Far, 8), leave(2), begin(2), wr(2, Far, 4), leave(2),
                    rd(1, Far + 4, 4)}));
  expectNone(After({wr(2, Far, 4), leave(2), begin(2), wr(2, Far, 4), leave(2),
                    rd(1, Far + 4, 4)}));
  expectLast(After({wr(2, Far, 8), leave(2), begin(2), rd(2, Far, 8), leave(2),
                    rd(1, Far, 8)}));
  expectNone(After({rd(2, Far, 8), leave(2), begin(2), rd(2, Far, 8), leave(2),
                    rd(1, Far, 8)}));
  // In a loop, where neighbours have the transaction in common.
  expectLast(
      After({wr(2, Far, 4), wr(2, Far + 8, 8), leave(2), begin(2),
             wr(2, Far, 4), wr(2, Far + 8, 4), leave(2), rd(1, Far + 12, 4)}));
  expectNone(
      After({wr(2, Far, 4), wr(2, Far + 8, 4), leave(2), begin(2),
             wr(2, Far, 4), wr(2, Far + 8, 4), leave(2), rd(1, Far + 12, 4)}));
}

// The same for what is in logs, where the later read of a thread takes the
// place of an earlier one only if it says as much.
TEST(CheckerCases, LiveTransactionsInALog) {
  constexpr unsigned Far = 4096;
  for (unsigned First : {8, 4}) {
    Schedule S = {begin(2),          rd(2, Far, 8),     begin(3),
                  rd(3, Far, 8),     leave(2),          begin(2),
                  rd(2, Far, 8),     leave(2),          leave(3), // Logged.
                  begin(1),          wr(1, z),          begin(2),
                  rd(2, z),          rd(2, Far, First), leave(2),
                  begin(2),          rd(2, Far, 4),     leave(2),
                  wr(4, Far + 4, 4), wr(4, y),          rd(1, y)};
    if (First == 8)
      expectLast(S);
    else
      expectNone(S);
  }
}

// --- Locks, with lock_edges=1. -----------------------------------------------

TEST(CheckerCases, ReleaseThenAcquire) {
  // Two critical sections in one region.
  expectLast({begin(1), acquire(1, 0), release(1, 0), acquire(2, 0),
              release(2, 0), acquire(1, 0)});
  expectNone({begin(1), acquire(1, 0), release(1, 0), acquire(2, 1),
              release(2, 1), acquire(1, 0)});
}

TEST(CheckerCases, SharedOwnersAreNotOrdered) {
  expectNone({begin(1), acquireShared(1, 0), release(1, 0), acquireShared(2, 0),
              release(2, 0), acquireShared(1, 0)});
  expectLast({begin(1), acquireShared(1, 0), release(1, 0), acquire(2, 0),
              release(2, 0), acquireShared(1, 0)});
  // Every shared release is before the exclusive acquire, not only the last.
  expectLast({begin(1), acquireShared(1, 0), acquireShared(2, 0), release(1, 0),
              release(2, 0), acquire(3, 0), wr(3, x), rd(1, x)});
}

} // namespace
