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
#include <optional>

using namespace atsan_test;
using namespace __atsan;

namespace {

constexpr uptr kArray = 0x7e0000000000;
constexpr uptr kArraySize = 1024;

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

// Order goes through threads that access nothing.
TEST(CheckerCases, EmptyThreads) {
  expectLast({begin(1), wr(1, x), rd(2, x), create(2, 3), create(3, 4),
              wr(4, y), rd(1, y)});
  expectLast({begin(1), wr(1, x), rd(2, x), create(2, 3), end(3), join(4, 3),
              wr(4, y), rd(1, y)});
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

// Two threads of a fresh checker, and how often it reports.
struct TwoThreads : SeamListener {
  TwoThreads() {
    freshChecker();
    Here.emplace(static_cast<SeamListener &>(*this));
    CheckerThreadCreate(nullptr, {1, 0}, &A, 0);
    CheckerThreadCreate(nullptr, {1, 0}, &B, 1);
  }
  void violation(CheckerThread *, const Cycle &) override { Violations++; }

  CheckerThread A = {}, B = {};
  unsigned Violations = 0;
  std::optional<ListenHere> Here;
};

// --- Reading again what others have read since. ------------------------------

// The edge that closes a cycle does not exist (rule 11), so that the reader's
// next transaction needs it.
TEST(CheckerCases, ReadAgainAfterAViolation) {
  TwoThreads T;
  CheckerThread &A = T.A, &B = T.B;
  auto Access = [](CheckerThread &Thr, unsigned Granule, AccessKind Kind) {
    CheckerAccess(&Thr, 0x7e0000000000 + 8 * Granule, 8, Kind, {1, 0});
  };
  CheckerRegionBegin(&A);
  CheckerRegionBegin(&B);
  Access(B, 0, AccessKind::kRead);
  Access(A, 0, AccessKind::kWrite);
  Access(A, 1, AccessKind::kWrite);
  EXPECT_EQ(T.Violations, 0u);
  Access(B, 1, AccessKind::kRead);
  EXPECT_EQ(T.Violations, 1u);
  CheckerRegionEnd(&B);
  CheckerRegionBegin(&B);
  Access(B, 1, AccessKind::kRead);
  Access(B, 2, AccessKind::kWrite);
  EXPECT_EQ(T.Violations, 1u);
  Access(A, 2, AccessKind::kRead);
  EXPECT_EQ(T.Violations, 2u);
}

// --- Ranges. -----------------------------------------------------------------

// Thread A does something to an array in its region, then thread B reads (or
// writes) a part of it: is there an edge? (B writes another word, which A
// reads.)
template <typename F>
static bool isOrderedBefore(F InRegion, uptr Offset, uptr Size,
                            AccessKind Kind) {
  TwoThreads T;
  CheckerThread &A = T.A, &B = T.B;
  const uptr Other = kArray + 2 * kArraySize;
  CheckerRegionBegin(&A);
  InRegion(&A);
  CheckerAccess(&B, kArray + Offset, Size, Kind, {1, 0});
  CheckerAccess(&B, Other, 4, AccessKind::kWrite, {1, 0});
  CheckerAccess(&A, Other, 4, AccessKind::kRead, {1, 0});
  return T.Violations == 1;
}
// The same for a word that is read.
template <typename F> static bool isOrderedBefore(F InRegion, unsigned Word) {
  return isOrderedBefore(InRegion, 4 * Word, 4, AccessKind::kRead);
}

// Of two ranges, each byte is what became of it: whatever their borders are,
// and whether a few granules are whole, or many.
TEST(CheckerCases, TwoRanges) {
  struct Range {
    uptr Begin, Size;
    AccessKind Kind;
    // Does it conflict with an access of this kind to the byte?
    bool conflicts(uptr Byte, AccessKind Other) const {
      return Byte >= Begin && Byte - Begin < Size &&
             (IsWrite(Kind) || IsWrite(Other));
    }
  };
  std::vector<Range> Ranges;
  for (AccessKind Kind : {AccessKind::kRead, AccessKind::kWrite})
    for (auto [Begin, Size] :
         std::initializer_list<std::pair<uptr, uptr>>{{7, 33},
                                                      {5, 17},
                                                      {8, 32},
                                                      {16, 13},
                                                      {21, 2},
                                                      {6, 90},
                                                      {0, 96},
                                                      {32, 64},
                                                      {44, 3}})
      Ranges.push_back({Begin, Size, Kind});
  for (const Range &First : Ranges)
    for (const Range &Second : Ranges)
      for (uptr Byte = 0; Byte < 98; Byte++)
        for (AccessKind Kind : {AccessKind::kRead, AccessKind::kWrite})
          ASSERT_EQ(isOrderedBefore(
                        [&](CheckerThread *A) {
                          for (const Range &R : {First, Second})
                            CheckerAccess(A, kArray + R.Begin, R.Size, R.Kind,
                                          {1, 0});
                        },
                        Byte, 1, Kind),
                    First.conflicts(Byte, Kind) || Second.conflicts(Byte, Kind))
              << First.Begin << " " << First.Size << " " << IsWrite(First.Kind)
              << ", " << Second.Begin << " " << Second.Size << " "
              << IsWrite(Second.Kind) << ": " << Byte << " " << IsWrite(Kind);
}

// A range is known only if all of its bytes are.
TEST(CheckerCases, KnownRanges) {
  typedef std::pair<uptr, uptr> Range; // From, and up to.
  const std::vector<Range> Known[] = {{{3, 23}},
                                      {{0, 20}},
                                      {{0, 10}, {14, 23}},
                                      {{0, 44}},
                                      {{0, 10}, {14, 47}}};
  for (std::vector<Range> Ranges : Known)
    for (uptr End : {23, 47}) {
      Ranges.push_back({0, End});
      for (uptr Byte = 0; Byte < End; Byte++)
        EXPECT_TRUE(isOrderedBefore(
            [&](CheckerThread *A) {
              for (auto [From, To] : Ranges)
                CheckerAccess(A, kArray + From, To - From, AccessKind::kRead,
                              {1, 0});
            },
            Byte, 1, AccessKind::kWrite))
            << Ranges[0].second << " " << End << " " << Byte;
      Ranges.pop_back();
    }
}

// A row that is written after it was read has been written.
TEST(CheckerCases, RowsAreReadThenWritten) {
  for (AccessKind Last : {AccessKind::kRead, AccessKind::kWrite})
    EXPECT_EQ(isOrderedBefore(
                  [&](CheckerThread *A) {
                    for (AccessKind Kind : {AccessKind::kRead, Last})
                      CheckerAccessRows(A, kArray, 8, 2, 24, 5, Kind, {1, 0});
                  },
                  20),
              Last == AccessKind::kWrite);
}

// Of a page of shadow memory in which sweeps pay.
TEST(CheckerCases, PartOfASweepIsForgotten) {
  struct {
    unsigned Begin, Size;
  } Forgotten[] = {{0, 512}, {256, 512}, {512, 512}, {0, 1024}, {260, 504}};
  for (auto F : Forgotten)
    for (unsigned Word = 0; Word < kArraySize / 4; Word++)
      EXPECT_EQ(isOrderedBefore(
                    [&](CheckerThread *A) {
                      for (int I = 0; I < 4; I++)
                        CheckerAccess(A, kArray, kArraySize, AccessKind::kWrite,
                                      {1, 0});
                      CheckerForget(A, kArray + F.Begin, F.Size);
                    },
                    Word),
                Word < F.Begin / 4 || Word >= (F.Begin + F.Size) / 4)
          << F.Begin << " " << F.Size << " " << Word;
}

// One granule of a few is accessed beside others that are empty, dead or
// accessed in the same way; then a few are forgotten, by the owner of their
// page or by nobody.
TEST(CheckerCases, FewGranulesAreForgotten) {
  enum { kEmpty, kDead, kOthersDead, kAlike, kList, kOwnList };
  auto isForgotten = [](bool ByOwner, int Around, unsigned Count,
                        unsigned Granule) {
    constexpr unsigned All = 12;
    TwoThreads T;
    auto Write = [](CheckerThread *Thr, unsigned Word, unsigned Words) {
      CheckerAccess(Thr, kArray + 4 * Word, 4 * Words, AccessKind::kWrite,
                    {1, 0});
    };
    CheckerRegionBegin(&T.A);
    if (Around == kOwnList) { // The first region stays alive.
      CheckerRegionBegin(&T.B);
      CheckerAccess(&T.B, kArray + kArraySize, 4, AccessKind::kWrite, {1, 0});
      CheckerAccess(&T.A, kArray + kArraySize, 4, AccessKind::kRead, {1, 0});
    }
    if (Around != kEmpty && Around != kOthersDead)
      Write(&T.A, 0, 2 * All);
    if (Around == kDead || Around == kOwnList) {
      CheckerRegionEnd(&T.A);
      CheckerRegionBegin(&T.A);
    }
    CheckerThread C = {};
    CheckerThreadCreate(nullptr, {1, 0}, &C, 2);
    // Its transaction has all the bits that A's has.
    for (bool Has = Around != kOthersDead; !Has;) {
      CheckerRegionBegin(&C);
      Write(&C, 0, 2 * All);
      Has = (C.self & T.A.self) == T.A.self;
      CheckerRegionEnd(&C);
    }
    if (Around == kList) {
      CheckerRegionBegin(&C);
      Write(&C, 2 * Granule + 1, 1);
    }
    Write(&T.A, 2 * Granule, 1);
    CheckerForget(ByOwner ? &T.A : nullptr, kArray + 8, 8 * Count);
    // In kOwnList, the word that A has read of B has one, too.
    const unsigned Lists = CheckerGetStats().detail_blocks;
    CheckerAccess(&T.B, kArray + 8 * Granule, 4, AccessKind::kRead, {1, 0});
    Write(&T.B, 2 * All, 1);
    CheckerAccess(&T.A, kArray + 8 * All, 4, AccessKind::kRead, {1, 0});
    EXPECT_EQ(Lists, (Around >= kList && T.Violations) + (Around == kOwnList));
    return T.Violations == 0;
  };
  for (bool ByOwner : {true, false})
    for (int Around : {kEmpty, kDead, kOthersDead, kAlike, kList, kOwnList})
      for (unsigned Count = 1; Count <= 10; Count++)
        for (unsigned Granule = 0; Granule < 12; Granule++)
          EXPECT_EQ(isForgotten(ByOwner, Around, Count, Granule),
                    Granule >= 1 && Granule <= Count)
              << ByOwner << " " << Around << " " << Count << " " << Granule;
}

// Addresses that no user program can have are not another's.
TEST(CheckerCases, WhatHasNoShadowIsNotForgotten) {
  for (uptr Bit : {0ull, 1ull << 47})
    EXPECT_EQ(isOrderedBefore(
                  [&](CheckerThread *A) {
                    CheckerAccess(A, kArray, 8, AccessKind::kWrite, {1, 0});
                    CheckerForget(A, kArray | Bit, 8);
                  },
                  0),
              Bit != 0);
}

TEST(CheckerCases, NothingIsForgottenOfNoBytes) {
  for (uptr Granule : {0, 1, 2})
    EXPECT_TRUE(isOrderedBefore(
        [&](CheckerThread *A) {
          CheckerAccess(A, kArray + 8, 8, AccessKind::kWrite, {1, 0});
          CheckerForget(A, kArray + 8 * Granule, 0);
        },
        2));
}

// The next sweep does not take them for swept.
TEST(CheckerCases, FewGranulesOfASweepAreForgotten) {
  constexpr uptr Begin = 256, Size = 64;
  for (bool Again : {false, true})
    for (unsigned Word = 0; Word < kArraySize / 4; Word++)
      EXPECT_EQ(isOrderedBefore(
                    [&](CheckerThread *A) {
                      auto Sweep = [&] {
                        CheckerAccess(A, kArray, kArraySize, AccessKind::kWrite,
                                      {1, 0});
                      };
                      for (int I = 0; I < 4; I++)
                        Sweep();
                      CheckerForget(A, kArray + Begin, Size);
                      if (Again)
                        Sweep();
                    },
                    Word),
                Again || Word < Begin / 4 || Word >= (Begin + Size) / 4)
          << Again << " " << Word;
}

// What is known of many neighbours may be half of what is accessed now. (Too
// few for sweeps to pay.)
TEST(CheckerCases, HalvesThenWhole) {
  const uptr Size = kArraySize / 2;
  for (unsigned Half : {0, 4})
    for (unsigned Word = 0; Word < Size / 4; Word++)
      EXPECT_TRUE(isOrderedBefore(
          [&](CheckerThread *A) {
            CheckerAccessStrided(A, kArray + Half, 4, 8, Size / 8,
                                 AccessKind::kWrite, {1, 0});
            CheckerAccess(A, kArray, Size, AccessKind::kWrite, {1, 0});
          },
          Word))
          << Half << " " << Word;
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
