//===-- CheckerMemoryTest.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checker remembers is bounded by the threads and the bytes, not by
// the length of the run or by the number of threads that have been.
//
//===----------------------------------------------------------------------===//

#include "UnitSupport.h"
#include "lib/checker/atsan_graph.h"
#include "lib/checker/atsan_mixed_loc.h"
#include "lib/checker/atsan_sweep.h"
#include "gtest/gtest.h"
#include <deque>
#include <optional>
#include <random>
#include <set>

using namespace atsan_test;
using namespace __atsan;

namespace {

constexpr uptr kBase = 0x7e0000000000;
constexpr AccessPoint kSomewhere = {1, 0};
constexpr uptr x = 0, y = 800, z = 808;

class CheckerMemory : public testing::Test, SeamListener {
protected:
  void SetUp() override {
    freshChecker();
    Here.emplace(static_cast<SeamListener &>(*this));
  }
  void violation(CheckerThread *, const Cycle &C) override {
    Violations++;
    CycleSize = C.size;
  }

  CheckerThread *create(CheckerThread *Parent) {
    Threads.emplace_back();
    CheckerThreadCreate(Parent, kSomewhere, &Threads.back(), Threads.size());
    return &Threads.back();
  }
  void access(CheckerThread *Thr, uptr Offset, AccessKind Kind, uptr Size = 4) {
    CheckerAccess(Thr, kBase + Offset, Size, Kind, kSomewhere);
  }
  void read(CheckerThread *Thr, uptr Offset) {
    access(Thr, Offset, AccessKind::kRead);
  }
  void write(CheckerThread *Thr, uptr Offset) {
    access(Thr, Offset, AccessKind::kWrite);
  }
  void readRow(CheckerThread *Thr, uptr Offset, uptr Granules) {
    CheckerAccessStrided(Thr, kBase + Offset, 8, 8, Granules, AccessKind::kRead,
                         kSomewhere);
  }

  // Reads a row in one region after the other, until sweeps pay there; the last
  // region stays open.
  void sweep(CheckerThread *Thr, uptr Offset, uptr Granules) {
    for (int I = 0; I < 8; I++) {
      if (I)
        CheckerRegionEnd(Thr);
      CheckerRegionBegin(Thr);
      readRow(Thr, Offset, Granules);
    }
  }

  // Regions and unary accesses one after the other, on 64 granules.
  void work(const std::vector<CheckerThread *> &Workers, unsigned Events) {
    for (unsigned I = 0; I < Events;) {
      CheckerThread *Thr = Workers[Random() % Workers.size()];
      bool Region = Random() % 2;
      if (Region)
        CheckerRegionBegin(Thr);
      for (unsigned N = Random() % 12; N; N--, I++)
        access(Thr, 8 + Random() % 500,
               Random() % 3 ? AccessKind::kRead : AccessKind::kWrite,
               1 + Random() % 16);
      I++;
      if (Region)
        CheckerRegionEnd(Thr);
    }
  }

  // `N` threads, one after the other, all of which `Open` reaches.
  void wave(CheckerThread *Parent, unsigned N) {
    for (; N; N--) {
      CheckerThread *Child = create(Parent);
      CheckerRegionBegin(Child);
      write(Child, x);
      write(Child, 8 + N % 500);
      if (N % 3)
        CheckerRegionEnd(Child);
      EndedThread Ended = CheckerThreadEnd(Child, N % 2);
      if (N % 4 == 1)
        CheckerThreadJoin(Parent, kSomewhere, Ended);
      else if (N % 2)
        CheckerThreadDetach(Ended);
      Threads.pop_back();
    }
  }

  // With a region that has read x open, writes y at first and then waves. With
  // `Flat`, the second half needs no more memory than the first.
  void waves(unsigned N, bool Flat) {
    CheckerThread *Main = create(nullptr), *Open = create(Main);
    CheckerRegionBegin(Open);
    read(Open, x);
    CheckerThread *First = create(Main);
    write(First, x);
    write(First, y);
    CheckerThreadDetach(CheckerThreadEnd(First, true));
    wave(Main, N);
    CheckerStats Half = CheckerGetStats();
    wave(Main, N);
    CheckerStats Full = CheckerGetStats();
    if (Flat) {
      EXPECT_LE(Full.slots_used, Half.slots_used + 2);
      EXPECT_LE(Full.edge_records, 2 * Half.edge_records);
      EXPECT_LE(Full.detail_blocks, 2 * Half.detail_blocks + 8);
      EXPECT_EQ(Full.shadow_bytes, Half.shadow_bytes);
    }
    EXPECT_EQ(Violations, 0u);
    read(Open, z);
    EXPECT_EQ(Violations, 0u);
    // What the first of them wrote is not forgotten.
    read(Open, y);
    EXPECT_EQ(Violations, 1u);
  }

  std::mt19937 Random;
  std::deque<CheckerThread> Threads;
  std::optional<ListenHere> Here;
  unsigned Violations = 0;
  uptr CycleSize = 0;
};

// What a thread knows of a slot says nothing of another one that shares its
// place in the table.
TEST_F(CheckerMemory, DeadTransactionsAreThoseOfTheirSlot) {
  CheckerThread *Early = create(nullptr), *Late = nullptr;
  while (!Late || Late->slot != Early->slot + KnownDead::kSlots)
    Late = create(Early);
  CheckerThread *Observer = create(Early);
  for (unsigned I = 0; I < 20; I++) {
    CheckerRegionBegin(Early);
    write(Early, y);
    CheckerRegionEnd(Early);
  }
  write(Observer, y);
  EXPECT_FALSE(IsLive({Early->slot, Early->index}));
  CheckerRegionBegin(Late);
  EXPECT_LT(Late->index, Early->index);
  write(Late, x);
  write(Observer, x);
  EXPECT_EQ(Violations, 0u);
  read(Late, x);
  EXPECT_EQ(Violations, 1u);
}

TEST_F(CheckerMemory, LongRuns) {
  CheckerThread *Main = create(nullptr);
  CheckerThread *Open = create(Main);
  std::vector<CheckerThread *> Workers;
  for (unsigned I = 0; I < 4; I++)
    Workers.push_back(create(Main));
  CheckerRegionBegin(Open);
  read(Open, x);
  for (CheckerThread *Worker : Workers)
    write(Worker, x);

  work(Workers, 100000);
  CheckerStats Early = CheckerGetStats();
  work(Workers, 1000000);
  CheckerStats Late = CheckerGetStats();
  EXPECT_EQ(Violations, 0u);
  EXPECT_EQ(Late.slots_used, Early.slots_used);
  EXPECT_EQ(Late.shadow_bytes, Early.shadow_bytes);
  EXPECT_LE(Late.edge_records, 2 * Early.edge_records + 64);
  EXPECT_LE(Late.detail_blocks, 2 * Early.detail_blocks + 8);
  // The long region still sees what follows from its read.
  write(Workers[0], y);
  read(Open, y);
  EXPECT_EQ(Violations, 1u);
}

TEST_F(CheckerMemory, ForgottenListsAreFreed) {
  CheckerThread *One = create(nullptr), *Two = create(One);
  CheckerRegionBegin(One);
  CheckerRegionBegin(Two);
  for (uptr Granule = 0; Granule < 64; Granule += 8)
    for (CheckerThread *Reader : {One, Two})
      read(Reader, Granule);
  EXPECT_EQ(CheckerGetStats().detail_blocks, 8u);
  CheckerForget(One, kBase, 64);
  EXPECT_EQ(CheckerGetStats().detail_blocks, 0u);
}

// What was known of unmapped memory is forgotten, however it was kept, and what
// happens to the next mapping there is known.
TEST_F(CheckerMemory, UnmappedMemoryIsForgotten) {
  constexpr uptr kRow = 4096 / 8;
  CheckerThread *One = create(nullptr), *Two = create(One);
  uptr Begin = 0;
  for (uptr Skipped : {uptr(0), uptr(4096), kLeafBytes / 2})
    for (uptr Size : {uptr(4096), uptr(1) << 17, 2 * kLeafBytes})
      for (bool OnlySwept : {false, true}) {
        Begin = RoundUpTo(Begin, kLeafBytes) + Skipped;
        const uptr Last = Begin + Size - 8;
        CheckerRegionBegin(Two);
        sweep(One, Begin, kRow);
        if (!OnlySwept) {
          for (uptr Offset = Begin; Offset < Begin + 2048; Offset += 256)
            read(Two, Offset);
          write(One, Begin + 3000);
          write(One, Last);
        }
        CheckerUnmap(OnlySwept ? One : nullptr, kBase + Begin, Size);
        EXPECT_EQ(CheckerGetStats().detail_blocks, 0u);
        // No edge comes from what was there.
        for (uptr Offset : {Begin, Begin + 512, Begin + 3000, Last})
          write(Two, Offset);
        CheckerRegionEnd(Two);
        EXPECT_EQ(Violations, 0u);
        CheckerRegionEnd(One);
        // What comes now is known, word by word.
        sweep(One, Begin, kRow);
        for (uptr Offset = Begin; Offset < Begin + 4096; Offset += 8) {
          write(Two, Offset);
          read(One, Offset);
          EXPECT_EQ(Violations, 1u) << Begin << " " << Size << " " << Offset;
          Violations = 0;
        }
        CheckerRegionEnd(One);
        CheckerUnmap(One, kBase + Begin, Size);
        Begin += Size;
      }
}

// The same without an open region: nothing is worth remembering.
TEST_F(CheckerMemory, LongRunsWithoutOverlap) {
  CheckerThread *Main = create(nullptr);
  std::vector<CheckerThread *> Workers;
  for (unsigned I = 0; I < 4; I++)
    Workers.push_back(create(Main));
  work(Workers, 300000);
  CheckerStats Stats = CheckerGetStats();
  EXPECT_EQ(Violations, 0u);
  EXPECT_LE(Stats.edge_records, 64u);
  EXPECT_LE(Stats.slots_used, 8u);
}

TEST_F(CheckerMemory, WavesOfThreads) {
  freshChecker(256, kNoIndex - 1);
  waves(3000, /*Flat=*/true);
  EXPECT_GT(CheckerGetStats().slots_merged, 0u);
}

// Merged long before the slots run out: long rows are slow.
TEST_F(CheckerMemory, WavesOfThreadsWithDefaultOptions) {
  waves(12000, /*Flat=*/true);
  EXPECT_GT(CheckerGetStats().slots_merged, 0u);
  EXPECT_LE(CheckerGetStats().slots_used, 1024u);
}

// Threads that no open region reaches cost nothing at all.
TEST_F(CheckerMemory, WavesThatNobodyReaches) {
  CheckerThread *Main = create(nullptr), *Open = create(Main);
  CheckerRegionBegin(Open);
  read(Open, z);
  wave(Main, 20000);
  EXPECT_LE(CheckerGetStats().slots_used, 16u);
  EXPECT_LE(CheckerGetStats().edge_records, 64u);
  EXPECT_EQ(Violations, 0u);
}

// A slot whose transactions are reached by one region, and then by two: the
// former need a name of their own, though others stand for the latter.
TEST_F(CheckerMemory, MergedSlotsKeepWhatOnlySomeReach) {
  freshChecker(8, kNoIndex - 1);
  constexpr uptr a = 400, b = 408, c = 416;
  CheckerThread *Main = create(nullptr);
  CheckerThread *A = create(Main), *B = create(Main);
  CheckerRegionBegin(A);
  read(A, a);
  read(A, c);
  CheckerRegionBegin(B);
  read(B, b);
  auto ReachedByBoth = [&] {
    CheckerThread *Both = create(Main);
    access(Both, a, AccessKind::kWrite, 16); // One event.
    CheckerThreadEnd(Both, false);
  };
  ReachedByBoth();
  CheckerThread *Late = create(Main);
  write(Late, c);
  write(Late, y);
  write(Late, b);
  write(Late, z);
  CheckerThreadEnd(Late, false);
  for (unsigned I = 0; I < 20; I++)
    ReachedByBoth();
  EXPECT_GT(CheckerGetStats().slots_merged, 0u);
  EXPECT_EQ(Violations, 0u);
  read(B, y);
  EXPECT_EQ(Violations, 0u);
  read(A, y);
  EXPECT_EQ(Violations, 1u);
  read(B, z);
  EXPECT_EQ(Violations, 2u);
}

// A run that goes on after violations finds them again with the memory that the
// first ones took.
TEST_F(CheckerMemory, GoingOnTakesNoMemory) {
  freshChecker();
  CheckerThread *Main = create(nullptr), *A = create(Main), *B = create(Main);
  CheckerRegionBegin(A);
  CheckerRegionBegin(B);
  CheckerStats First = {};
  for (unsigned I = 0; I < 4000; I++) {
    write(A, x);
    write(B, x);
    if (I == 3)
      First = CheckerGetStats();
  }
  EXPECT_GT(Violations, 3000u);
  const CheckerStats Last = CheckerGetStats();
  EXPECT_EQ(Last.edge_records, First.edge_records);
  EXPECT_EQ(Last.detail_blocks, First.detail_blocks);
  EXPECT_EQ(Last.shadow_bytes, First.shadow_bytes);
}

// All parts of the table are used (here three, of two sets of four), and each
// number stands for what was put there.
TEST_F(CheckerMemory, MixedLocationsFillTheTable) {
  MixedLocsReset();
  std::set<LocId> Used;
  constexpr LocId kOld = 7;
  for (LocId Loc = 100; Loc < 1000; Loc++)
    if (LocId Mixed = MixLocs(kOld, 1, Loc)) {
      Used.insert(Mixed);
      EXPECT_EQ(LocOfByte(Mixed, 0), kOld);
      EXPECT_EQ(LocOfByte(Mixed, 3), Loc);
      EXPECT_EQ(MixLocs(kOld, 1, Loc), Mixed);
    }
  EXPECT_EQ(Used.size(), 24u);
  EXPECT_EQ(MixLocs(kOld, 1, 3), 0u);
  MixedLocsReset();
}

// The sweep of a thread that ended is found again under its new name.
TEST_F(CheckerMemory, MergedSlotsKeepTheirSweeps) {
  freshChecker(8, kNoIndex - 1);
  constexpr uptr a = 400, kArray = 4 * kShadowPage;
  CheckerThread *Main = create(nullptr), *Open = create(Main);
  CheckerRegionBegin(Open);
  read(Open, a);
  auto EndedThread = [&](bool Sweeps) {
    CheckerThread *Thr = create(Main);
    CheckerRegionBegin(Thr);
    write(Thr, a);
    ShadowGet(kBase + kArray).page->sweep_credit = kSweepPays;
    if (Sweeps)
      readRow(Thr, kArray, kShadowPage / 8);
    CheckerRegionEnd(Thr);
    CheckerThreadEnd(Thr, false);
  };
  // Another one first, whose transaction then stands for both.
  EndedThread(false);
  EndedThread(true);
  for (unsigned I = 0; I < 20; I++)
    EndedThread(false);
  EXPECT_GT(CheckerGetStats().slots_merged, 0u);
  EXPECT_TRUE(HasSweeps(ShadowGet(kBase + kArray).page));
  EXPECT_EQ(Violations, 0u);
  write(Open, kArray + 16);
  EXPECT_EQ(Violations, 1u);
}

// An access to a single swept cell is of its own bytes, and of no others.
TEST_F(CheckerMemory, SweptCellsGetTheirOwnBytes) {
  constexpr uptr kArray = 4 * kShadowPage, kNext = kArray + 8;
  for (uptr WrittenByOther : {kNext, kNext + 4}) {
    freshChecker();
    Violations = 0;
    CheckerThread *Main = create(nullptr), *Other = create(Main);
    CheckerRegionBegin(Main);
    ShadowGet(kBase + kArray).page->sweep_credit = kSweepPays;
    readRow(Main, kArray, kShadowPage / 8);
    CheckerRegionEnd(Main);
    CheckerRegionBegin(Main);
    access(Main, kArray, AccessKind::kRead, 8);
    read(Main, kNext);
    EXPECT_TRUE(HasSweeps(ShadowGet(kBase + kArray).page));
    write(Other, WrittenByOther);
    write(Other, y);
    read(Main, y);
    EXPECT_EQ(Violations, WrittenByOther == kNext ? 1u : 0u);
  }
}

// What is swept stays so while rows are accessed, also where nothing new would
// be.
TEST_F(CheckerMemory, SweptRowsStaySwept) {
  constexpr uptr kArray = 4 * kShadowPage;
  freshChecker();
  CheckerThread *Main = create(nullptr);
  auto ReadRow = [&] {
    CheckerRegionBegin(Main);
    readRow(Main, kArray, kShadowPage / 8);
    CheckerRegionEnd(Main);
  };
  for (unsigned I = 0; I < 4; I++)
    ReadRow();
  Page *P = ShadowGet(kBase + kArray).page;
  ASSERT_TRUE(HasSweeps(P));
  P->sweep_credit = -kSweepPays;
  ReadRow();
  EXPECT_LT(P->sweep_credit, kSweepPays);
  for (uptr I = 0; I < kShadowPage; I += 8)
    EXPECT_TRUE(IsSwept(
        atomic_load(ShadowFind(kBase + kArray + I), memory_order_relaxed)))
        << I;
}

// Where sweeps were in vain, they are tried again late.
TEST_F(CheckerMemory, SweepsInVainAreTriedAgainLate) {
  constexpr uptr kArray = 4 * kShadowPage, kRow = kShadowPage / 8;
  freshChecker();
  CheckerThread *Main = create(nullptr);
  auto Earned = [&](int Before) {
    Page *P = ShadowGet(kBase + kArray).page;
    P->sweep_credit = Before;
    CheckerRegionBegin(Main);
    readRow(Main, kArray, kRow);
    CheckerRegionEnd(Main);
    return P->sweep_credit - Before;
  };
  EXPECT_EQ(Earned(0), static_cast<int>(kRow));
  EXPECT_GE(Earned(20 * kSweepsInVain), 1);
  EXPECT_LE(Earned(20 * kSweepsInVain), static_cast<int>(kRow / 4));
}

// A row that two threads have read needs no lists, from its beginning up to the
// first granule of which more is known than the first one's read of the row.
TEST_F(CheckerMemory, RowsThatTwoHaveReadNeedNoLists) {
  constexpr uptr kArray = 4 * kShadowPage, kRow = kShadowPage / 8;
  constexpr uptr kPlace = kArray + 8 * kRow / 4;
  CheckerThread *Main, *Other, *Third;
  auto Lists = [&](auto ReadsFirst) {
    freshChecker();
    Main = create(nullptr), Other = create(Main), Third = create(Main);
    for (CheckerThread *Thr : {Main, Other, Third})
      CheckerRegionBegin(Thr);
    Page *P = ShadowGet(kBase + kArray).page;
    P->sweep_credit = 20 * kSweepsInVain;
    ReadsFirst();
    readRow(Main, kArray, kRow);
    EXPECT_TRUE(HasSweeps(P));
    return CheckerGetStats().detail_blocks;
  };
  EXPECT_EQ(Lists([&] { readRow(Other, kArray, kRow); }), 0u);
  constexpr unsigned kRest = 3 * kRow / 4;
  EXPECT_EQ(Lists([&] {
              readRow(Other, kArray, kRow);
              access(Third, kPlace, AccessKind::kRead, 8);
            }),
            kRest);
  EXPECT_EQ(Lists([&] {
              access(Other, kPlace, AccessKind::kWrite, 8);
              readRow(Other, kArray, kRow);
            }),
            kRest);
  for (uptr Half : {0, 4})
    EXPECT_EQ(Lists([&] {
                readRow(Other, kArray, kRow / 4);
                for (uptr Place : {1, 2})
                  CheckerAccessStrided(
                      Other, kBase + kPlace + (Place == 1 ? Half : 4 - Half), 4,
                      8, kRest, AccessKind::kRead, {Place, 0});
              }),
              kRest);
}

// The halves of a row whose bytes were read at two places get lists, which say
// so.
TEST_F(CheckerMemory, RowsOfMixedLocationsAreNotSwept) {
  constexpr uptr kArray = 4 * kShadowPage, kRow = kShadowPage / 8;
  MixedLocsReset();
  CheckerThread *Main = create(nullptr), *Other = create(Main);
  CheckerRegionBegin(Main);
  CheckerRegionBegin(Other);
  for (uptr Place : {1, 2})
    CheckerAccessStrided(Other, kBase + kArray + 2 * Place - 2, 2, 8, kRow,
                         AccessKind::kRead, {Place, 0});
  ShadowGet(kBase + kArray).page->sweep_credit = 20 * kSweepsInVain;
  CheckerAccessStrided(Main, kBase + kArray, 4, 8, kRow, AccessKind::kRead,
                       kSomewhere);
  EXPECT_EQ(CheckerGetStats().detail_blocks, kRow);
  MixedLocsReset();
}

// A thread has seen late indices of a slot. When they start anew, what it knows
// says nothing about those who come then.
TEST_F(CheckerMemory, IndicesThatStartAnewAreNews) {
  freshChecker(8, 6);
  constexpr uptr a = 400, b = 408;
  CheckerThread *Main = create(nullptr);
  CheckerThread *A = create(Main), *B = create(Main), *Witness = create(Main);
  CheckerRegionBegin(B);
  read(B, b);
  for (unsigned I = 0; I < 4; I++) {
    CheckerThread *Old = create(Main);
    for (unsigned N = 0; N < 2; N++) {
      CheckerRegionBegin(Old);
      CheckerRegionEnd(Old);
    }
    write(Old, b);
    write(Old, 8 * I);
    read(Witness, 8 * I);
    CheckerThreadEnd(Old, false);
  }
  CheckerRegionEnd(B);

  CheckerRegionBegin(A);
  read(A, a);
  CheckerThread *New = create(Main);
  EXPECT_GT(CheckerGetStats().slots_merged, 0u);
  write(New, a);
  write(New, y);
  read(Witness, y);
  write(Witness, z);
  EXPECT_EQ(Violations, 0u);
  read(A, z);
  EXPECT_EQ(Violations, 1u);
}

// A path through a thousand open regions.
TEST_F(CheckerMemory, ThousandsOfOpenRegions) {
  constexpr unsigned kThreads = 1000;
  std::vector<CheckerThread *> All;
  for (unsigned I = 0; I < kThreads; I++) {
    All.push_back(create(nullptr));
    CheckerRegionBegin(All[I]);
    write(All[I], 8 * I);
    if (I)
      read(All[I], 8 * (I - 1));
  }
  EXPECT_EQ(Violations, 0u);
  read(All[0], 8 * (kThreads - 1));
  EXPECT_EQ(Violations, 1u);
  EXPECT_EQ(CycleSize, kThreads);
}

// Hooks for neighbours look at them, whatever is recorded on both sides.
TEST_F(CheckerMemory, CellsBehindALeafStayEmpty) {
  static_assert(kBase % kLeafBytes == 0);
  CheckerThread *Main = create(nullptr);
  CheckerRegionBegin(Main);
  access(Main, 0, AccessKind::kWrite, 64);
  access(Main, kLeafBytes - 64, AccessKind::kWrite, 128);
  const AtomicCell *Last =
      CellInLeaf(ShadowLeaf(kBase), kBase + kLeafBytes - kGranule);
  EXPECT_NE(atomic_load_relaxed(Last), kEmptyCell);
  for (uptr I = 1; I <= kLeafPadding / sizeof(Cell); I++)
    EXPECT_EQ(atomic_load_relaxed(Last + I), kEmptyCell);
  CheckerRegionEnd(Main);
}

} // namespace
