//===-- CheckerRangesTest.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What two threads do to the checker itself, event by event: what they read
// again, ranges, sweeps, and memory that is forgotten. Each case that violates
// has a twin that is right.
//
//===----------------------------------------------------------------------===//

#include "UnitSupport.h"
#include "lib/checker/atsan_sweep.h"
#include "gtest/gtest.h"
#include <optional>

using namespace atsan_test;
using namespace __atsan;

namespace {

constexpr uptr kArray = 0x7e0000000000;
constexpr uptr kArraySize = 1024;

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

// --- Big blocks, of which only some pages were accessed.
// -----------------------

// A reads a word of the block, B frees the block, and A reads what B has
// written since (or not). B frees in a region or outside; the word is in a page
// that B has used, too, or in another one.
unsigned violationsOfABigFree(bool InRegion, uptr Word, bool IsRead) {
  constexpr uptr kBlock = 0x7e0000000010, kSize = 1 << 18;
  TwoThreads T;
  const AccessPoint At = {1, 0};
  CheckerRegionBegin(&T.A);
  CheckerAccess(&T.A, kBlock + Word, 8, AccessKind::kRead, At);
  if (InRegion)
    CheckerRegionBegin(&T.B);
  CheckerAccess(&T.B, kBlock + 0x8000, 64, AccessKind::kWrite, At);
  CheckerAccess(&T.B, kBlock, kSize, AccessKind::kFree, At);
  CheckerAccess(&T.B, kArray, 8, AccessKind::kWrite, At);
  CheckerAccess(&T.A, kArray + (IsRead ? 0 : 8), 8, AccessKind::kRead, At);
  if (InRegion)
    CheckerRegionEnd(&T.B);
  CheckerRegionEnd(&T.A);
  return T.Violations;
}

TEST(CheckerCases, BigBlocksAreFreedByThePage) {
  for (bool InRegion : {true, false})
    for (uptr Word : {0x8020, 0x8800, 0x20000, 0x3fff8}) {
      EXPECT_EQ(violationsOfABigFree(InRegion, Word, /*IsRead=*/true), 1u)
          << InRegion << Word;
      EXPECT_EQ(violationsOfABigFree(InRegion, Word, /*IsRead=*/false), 0u)
          << InRegion << Word;
    }
}

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

// What is written after it was read, or written, has been written, in both
// directions of a loop.
TEST(CheckerCases, KnownLoops) {
  constexpr uptr kLast = 5;
  for (sptr Stride : {4, -4})
    for (uptr Count = 1; Count <= kLast; Count++)
      for (uptr Nth = 0; Nth <= kLast; Nth++)
        for (AccessKind First : {AccessKind::kRead, AccessKind::kWrite})
          EXPECT_EQ(isOrderedBefore(
                        [&](CheckerThread *A) {
                          auto Loop = [&](uptr N, AccessKind Kind) {
                            CheckerAccessStrided(
                                A, kArray + (Stride > 0 ? 0 : 4 * kLast), 4,
                                Stride, N, Kind, {1, 0});
                          };
                          Loop(Count, First);
                          Loop(3, AccessKind::kWrite);
                        },
                        Stride > 0 ? Nth : kLast - Nth),
                    Nth < 3 || (IsWrite(First) && Nth < Count))
              << Stride << " " << Count << " " << Nth << " " << IsWrite(First);
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

// Where all is swept, a row in the part that was read is not known to be
// written because the first one is.
TEST(CheckerCases, RowsOfASweptPage) {
  for (AccessKind Kind : {AccessKind::kRead, AccessKind::kWrite})
    EXPECT_EQ(isOrderedBefore(
                  [&](CheckerThread *A) {
                    Page *P = ShadowGet(kArray).page;
                    P->sweep_credit = kSweepPays;
                    CheckerAccess(A, kArray, kArraySize, AccessKind::kRead,
                                  {1, 0});
                    CheckerAccess(A, kArray, 512, AccessKind::kWrite, {1, 0});
                    ASSERT_TRUE(HasSweeps(P));
                    CheckerAccessRows(A, kArray, 8, 1, 512, 2, Kind, {1, 0});
                  },
                  128),
              Kind == AccessKind::kWrite);
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

// A granule of a sweep has been accessed on its own; the sweep's others stay
// swept when all are forgotten.
TEST(CheckerCases, GranulesBesideSweptOnesAreForgotten) {
  for (uptr Own : {uptr(0), uptr(2), uptr(130), kArraySize / 4 - 1})
    for (unsigned Word = 0; Word < kArraySize / 4; Word++)
      EXPECT_FALSE(isOrderedBefore(
          [&](CheckerThread *A) {
            for (int I = 0; I < 8; I++)
              CheckerAccess(A, kArray, kArraySize, AccessKind::kWrite, {1, 0});
            CheckerAccess(A, kArray + 4 * Own, 1, AccessKind::kWrite, {2, 0});
            CheckerForget(A, kArray, kArraySize);
          },
          Word))
          << Own << " " << Word;
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

} // namespace
