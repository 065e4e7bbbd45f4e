//===-- PageTest.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pages of the shadow: one thread at a time is at work in one, whoever owns it,
// and ownership goes to who comes often.
//
//===----------------------------------------------------------------------===//

#include "UnitSupport.h"
#include "lib/checker/atsan_page.h"
#include "lib/checker/atsan_read_log.h"
#include "gtest/gtest.h"
#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace atsan_test;
using namespace __atsan;

namespace {

constexpr uptr kBase = 0x7e0000000000;
constexpr AccessPoint kSomewhere = {1, 0};

class CheckerPages : public testing::Test {
protected:
  void SetUp() override {
    freshChecker();
    for (CheckerThread &Thr : Threads)
      CheckerThreadCreate(nullptr, kSomewhere, &Thr, 0);
  }
  static uptr address(unsigned N) { return kBase + N * kShadowPage; }
  static Page *page(unsigned N) { return ShadowGet(address(N)).page; }
  static u32 word(unsigned N) {
    return atomic_load(&page(N)->word, memory_order_relaxed);
  }
  void visit(unsigned Who, unsigned N) {
    EnterPage(&Threads[Who], address(N), page(N));
    LeavePage(&Threads[Who], page(N));
  }
  u32 ownedBy(unsigned Who) const { return OwnerWord(Threads[Who].slot); }

  CheckerThread Threads[3] = {};
};

// How many visits in a row make the thread the owner of a shared page.
TEST_F(CheckerPages, TheMostFrequentVisitorIsTheOwner) {
  visit(0, 0);
  if (word(0) == kSharedPage)
    GTEST_SKIP() << "no membarrier(2) here";
  EXPECT_EQ(word(0), ownedBy(0));
  auto VisitsOf = [&](unsigned Who) {
    unsigned Visits = 0;
    for (; word(0) != ownedBy(Who); Visits++)
      visit(Who, 0);
    return Visits;
  };
  unsigned First = VisitsOf(1);
  EXPECT_GT(First, 2u);
  // Who takes turns with others does not become the owner.
  visit(0, 0);
  for (unsigned I = 0; I < 4 * First; I++) {
    visit(1, 0);
    visit(2, 0);
  }
  EXPECT_EQ(word(0), kSharedPage);
  // Nor does who came often, but was interrupted.
  for (unsigned I = 0; I < First; I++)
    visit(1, 0);
  visit(2, 0);
  EXPECT_EQ(word(0), kSharedPage);
  // Nor does it come so cheap a second time.
  EXPECT_GE(VisitsOf(1), 2 * First - 2);
  // A neighbour is another matter.
  visit(1, 1);
  EXPECT_EQ(word(1), ownedBy(1));
}

// Nobody else loses pages when one is taken away, nor does one that nobody has
// touched come to be shared.
TEST_F(CheckerPages, NeighboursOfTheSameOwnerAreTakenToo) {
  for (unsigned N : {0, 2, 3})
    visit(0, N);
  if (word(0) == kSharedPage)
    GTEST_SKIP() << "no membarrier(2) here";
  visit(1, 1);
  visit(1, 3);
  EXPECT_EQ(word(0), kSharedPage);
  EXPECT_EQ(word(1), ownedBy(1));
  EXPECT_EQ(word(2), kSharedPage);
  EXPECT_EQ(word(3), kSharedPage);
  EXPECT_EQ(word(4), kUntouchedPage);
}

// A thread works in one page after the other, and in each another one comes.
// Both count what they do with plain loads and stores. The stores of the first
// are made to wait in the processor, behind one to a line that it has to fetch:
// were there no barrier in its way, it would have looked at the page's word
// before others see that it is at work, and counts would be lost.
class PagesWhereTwoMeet : public CheckerPages {
protected:
  void count(unsigned N) {
    unsigned Old = Counts[N].Value.load(std::memory_order_relaxed);
    Counts[N].Value.store(Old + 1, std::memory_order_relaxed);
  }
  void countInPage(unsigned Who, unsigned N) {
    Page *P = page(N);
    EnterPage(&Threads[Who], address(N), P);
    count(N);
    LeavePage(&Threads[Who], P);
  }

  /// First: what thread 0 does as it comes to a page, and then again and again.
  template <typename F, typename G> unsigned lost(F First, G Again) {
    std::thread One([&] {
      unsigned Random = 1;
      for (unsigned N = 0; N < kPages; N++) {
        if (std::chrono::steady_clock::now() > Deadline) {
          End = N;
          return;
        }
        First(N);
        Reached.store(N + 1, std::memory_order_release);
        for (unsigned I = 0; I < kVisits; I++) {
          Random = Random * 1664525 + 1013904223;
          Lines[Random >> 16].Value.store(I, std::memory_order_relaxed);
          Again(N);
        }
        while (Followed.load(std::memory_order_acquire) <= N)
          std::this_thread::yield();
      }
    });
    std::thread Other([&] { follow(); });
    One.join();
    Other.join();
    unsigned Lost = 0;
    for (unsigned N = 0; N < End; N++)
      Lost += kVisits + 1 - Counts[N].Value;
    return Lost;
  }

private:
  void follow() {
    for (unsigned N = 0;; N++) {
      for (unsigned I = 0; Reached.load(std::memory_order_acquire) <= N; I++) {
        if (N >= End)
          return;
        if (I % 1024 == 1023)
          std::this_thread::yield();
      }
      countInPage(1, N);
      Followed.store(N + 1, std::memory_order_release);
    }
  }

  static constexpr unsigned kPages = 40000, kVisits = 40, kLines = 1 << 16;
  struct alignas(64) Line {
    std::atomic<unsigned> Value;
  };
  std::vector<Line> Lines{kLines}, Counts{kPages};
  std::atomic<unsigned> Reached{0}, Followed{0}, End{kPages};
  const std::chrono::steady_clock::time_point Deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

TEST_F(PagesWhereTwoMeet, TheOwnerIsSeen) {
  auto First = [&](unsigned N) { visit(0, N); };
  EXPECT_EQ(lost(First, [&](unsigned N) { countInPage(0, N); }), 0u);
}

// Where threads lock single cells, one that wants all of the page waits.
TEST_F(PagesWhereTwoMeet, WhoHasLockedACellIsSeen) {
  auto Share = [&](unsigned N) {
    visit(0, N);
    visit(2, N);
    EnterPage(&Threads[0], address(N), page(N));
    ShareByCells(page(N));
    LeavePage(&Threads[0], page(N));
    EXPECT_EQ(word(N), kPageOfCells);
  };
  auto CountInCell = [&](unsigned N) {
    AtomicCell *Cell = ShadowGet(address(N)).cell;
    if (!TryLockCell(&Threads[0], address(N), page(N), Cell, kEmptyCell)) {
      EXPECT_NE(word(N), kPageOfCells);
      countInPage(0, N);
      return;
    }
    count(N);
    UnlockCell(&Threads[0], Cell, kEmptyCell);
  };
  EXPECT_EQ(lost(Share, CountInCell), 0u);
}

// An owner that goes on with its work answers, so that no fence is needed.
TEST_F(CheckerPages, TheOwnerAnswers) {
  visit(0, 0);
  if (word(0) == kSharedPage)
    GTEST_SKIP() << "no membarrier(2) here";
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "the owner cannot answer while somebody waits for it";
  const CellWork &Work = cell_work[Threads[0].slot];
  auto Answer = [&] { return atomic_load(&Work.answer, memory_order_acquire); };
  const u32 Before = Answer();
  std::atomic<bool> Stop{false};
  std::thread Owner([&] {
    while (!Stop)
      visit(0, 100); // Not among those that are taken.
  });
  auto Deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (Answer() == Before && std::chrono::steady_clock::now() < Deadline) {
    atomic_store(&page(0)->word, ownedBy(0), memory_order_release);
    visit(1, 0);
  }
  Stop = true;
  Owner.join();
  EXPECT_NE(Answer(), Before);
  // Nobody waits for an answer any more.
  visit(0, 100);
  EXPECT_EQ(atomic_load(&Work.question, memory_order_relaxed), 0u);
}

// Where threads have met often: what is written makes the page one of cells,
// which others change by locking them, until one wants more than a cell.
TEST_F(CheckerPages, WhereThreadsMeetTheyLockCells) {
  auto Write = [](CheckerThread &Thr, unsigned Granule) {
    CheckerRegionBegin(&Thr);
    CheckerAccessInRegion(&Thr, address(0) + 8 * Granule, 8, AccessKind::kWrite,
                          kSomewhere, 1);
    CheckerRegionEnd(&Thr);
  };
  visit(0, 0);
  visit(1, 0);
  Write(Threads[0], 0);
  ASSERT_EQ(word(0), kSharedPage);
  page(0)->meetings = 255;
  Write(Threads[0], 1);
  ASSERT_EQ(word(0), kPageOfCells);
  CheckerRegionBegin(&Threads[1]);
  CheckerAccess(&Threads[1], address(0) + 16, 8, AccessKind::kWrite,
                kSomewhere);
  EXPECT_EQ(word(0), kPageOfCells);
  EXPECT_EQ(atomic_load(ShadowGet(address(0) + 16).cell, memory_order_relaxed),
            WholeWritten(Threads[1].self));
  CheckerAccess(&Threads[1], address(0), 64, AccessKind::kRead, kSomewhere);
  EXPECT_EQ(word(0), kSharedPage);
  CheckerRegionEnd(&Threads[1]);
}

// What is only read there is logged with what else is in its cache line, and
// stays so if it is read by the slow way.
TEST_F(CheckerPages, WhereThreadsMeetTheyLogWhatTheyRead) {
  visit(0, 0);
  if (word(0) == kSharedPage)
    GTEST_SKIP() << "no membarrier(2) here";
  visit(1, 0);
  auto Read = [](CheckerThread &Thr, unsigned Granule) {
    CheckerAccessInRegion(&Thr, address(0) + 8 * Granule, 8, AccessKind::kRead,
                          kSomewhere, 1);
  };
  auto IsGranuleLogged = [](unsigned Granule) {
    return IsLogged(atomic_load(ShadowGet(address(0) + 8 * Granule).cell,
                                memory_order_relaxed));
  };
  for (unsigned Who : {0, 1})
    CheckerRegionBegin(&Threads[Who]);
  Read(Threads[0], 0);
  EXPECT_FALSE(IsGranuleLogged(0));
  page(0)->meetings = 255;
  Read(Threads[1], 1);
  EXPECT_TRUE(IsGranuleLogged(0));
  EXPECT_TRUE(IsGranuleLogged(1));
  Read(Threads[0], 1);
  EXPECT_TRUE(IsGranuleLogged(1));
}

// What two open regions read again is logged, until somebody writes it.
TEST_F(CheckerPages, WhatIsReadAgainIsLogged) {
  visit(0, 0);
  if (word(0) == kSharedPage)
    GTEST_SKIP() << "no membarrier(2) here";
  auto Access = [](CheckerThread &Thr, AccessKind Kind) {
    CheckerAccess(&Thr, address(0), 8, Kind, kSomewhere);
  };
  auto ReadInRegion = [&](CheckerThread &Thr) {
    CheckerRegionBegin(&Thr);
    Access(Thr, AccessKind::kRead);
  };
  auto Logged = [] {
    return IsLogged(
        atomic_load(ShadowGet(address(0)).cell, memory_order_relaxed));
  };
  ReadInRegion(Threads[0]);
  ReadInRegion(Threads[1]);
  EXPECT_FALSE(Logged());
  CheckerRegionEnd(&Threads[0]);
  ReadInRegion(Threads[0]);
  EXPECT_TRUE(Logged());
  Access(Threads[2], AccessKind::kWrite);
  EXPECT_FALSE(Logged());
  for (unsigned Who : {0, 1})
    CheckerRegionEnd(&Threads[Who]);
}

// What more open regions have read than a list has room for costs the next
// reader no walk along all of them: it is logged, as long as nobody writes.
TEST_F(CheckerPages, WhatManyOpenRegionsReadIsLogged) {
  visit(0, 0);
  if (word(0) == kSharedPage)
    GTEST_SKIP() << "no membarrier(2) here";
  constexpr unsigned kReaders = 4 * kBlockEntries;
  std::array<CheckerThread, kReaders> Readers = {};
  auto Logged = [] {
    return IsLogged(
        atomic_load(ShadowGet(address(0)).cell, memory_order_relaxed));
  };
  auto ReadInRegion = [&](CheckerThread &Thr) {
    CheckerThreadCreate(nullptr, kSomewhere, &Thr, 0);
    CheckerRegionBegin(&Thr);
    CheckerAccess(&Thr, address(0), 8, AccessKind::kRead, kSomewhere);
  };
  // As where logs have not paid before.
  page(0)->log_wait = 1000;
  for (unsigned I = 0; I < kReaders / 2; I++)
    ReadInRegion(Readers[I]);
  EXPECT_FALSE(Logged());
  page(0)->log_wait = 0;
  ReadInRegion(Readers[kReaders / 2]);
  EXPECT_TRUE(Logged());
  const u64 Blocks = CheckerGetStats().detail_blocks;
  for (unsigned I = kReaders / 2 + 1; I < kReaders; I++)
    ReadInRegion(Readers[I]);
  EXPECT_TRUE(Logged());
  EXPECT_EQ(CheckerGetStats().detail_blocks, Blocks);
  // The writer comes after each of them.
  CheckerRegionBegin(&Threads[0]);
  CheckerAccess(&Threads[0], address(0), 8, AccessKind::kWrite, kSomewhere);
  EXPECT_FALSE(Logged());
  for (CheckerThread &Thr : Readers) {
    EXPECT_TRUE(IsReached(&Threads[0]));
    CheckerRegionEnd(&Thr);
  }
  EXPECT_FALSE(IsReached(&Threads[0]));
  CheckerRegionEnd(&Threads[0]);
}

// A cell that was logged for many regions was not logged in vain.
TEST_F(CheckerPages, LogsOfManyRegionsArePaidFor) {
  visit(0, 0);
  if (word(0) == kSharedPage)
    GTEST_SKIP() << "no membarrier(2) here";
  auto ReadInRegion = [](CheckerThread &Thr) {
    if (Thr.active)
      CheckerRegionEnd(&Thr);
    CheckerRegionBegin(&Thr);
    CheckerAccess(&Thr, address(0), 8, AccessKind::kRead, kSomewhere);
  };
  auto Logged = [] {
    return IsLogged(
        atomic_load(ShadowGet(address(0)).cell, memory_order_relaxed));
  };
  for (unsigned Regions : {1, 100}) {
    page(0)->log_cost = 0;
    ReadInRegion(Threads[1]);
    for (unsigned I = 0; !Logged(); I++) {
      ASSERT_LT(I, 100u);
      ReadInRegion(Threads[0]);
    }
    for (unsigned I = 0; I < Regions; I++)
      ReadInRegion(Threads[0]);
    CheckerAccess(&Threads[2], address(0), 8, AccessKind::kWrite, kSomewhere);
    EXPECT_FALSE(Logged());
    EXPECT_EQ(page(0)->log_cost, Regions == 1 ? 1u : 0u);
  }
  for (unsigned Who : {0, 1})
    CheckerRegionEnd(&Threads[Who]);
}

// A cell that was logged when the reader came may have been collected since,
// and its block be of another one.
TEST_F(CheckerPages, LogsAreForLoggedCells) {
  visit(0, 0); // There is a shadow.
  AtomicCell *Cell = ShadowFind(address(0));
  const __atsan::Cell Self = Threads[0].self;
  auto LogsNothing = [&] {
    const uptr Leaf = ShadowLeaf(address(0));
    EXPECT_FALSE(LogRead(&Threads[0], address(0), 0xff, 1));
    EXPECT_FALSE(LogReadAgain(&Threads[0], address(0), Leaf, 0xff, 1));
    EXPECT_EQ(atomic_load(&Threads[0].work->page, memory_order_relaxed), 0u);
  };
  LogsNothing();
  // Not even where the log has a read of the cell, as before it is collected.
  const __atsan::Cell Logged = NewDetailCell(AllocBlock()) | kLoggedBit;
  EXPECT_TRUE(AddToLog(Self, Logged, 0xff, 1));
  LogsNothing();
  EXPECT_FALSE(CoversInLog(*Threads[0].work, Cell, Logged, Self, 0xff));
  atomic_store(Cell, Logged, memory_order_relaxed);
  EXPECT_TRUE(CoversInLog(*Threads[0].work, Cell, Logged, Self, 0xff));
  EXPECT_TRUE(
      LogReadAgain(&Threads[0], address(0), ShadowLeaf(address(0)), 0xff, 1));
  const CellRef Ref = ShadowGet(address(0));
  atomic_store(Cell, CollectLogs(kNoSlot, address(0), Ref, Logged),
               memory_order_relaxed);
  LogsNothing();
}

// Elements of a table that share a granule are in one place of the log, each
// with its location, until a later region reads one of them.
TEST_F(CheckerPages, ElementsShareALoggedRead) {
  visit(0, 0);
  const uptr Leaf = ShadowLeaf(address(0));
  const __atsan::Cell Logged = NewDetailCell(AllocBlock()) | kLoggedBit;
  AtomicCell *Cell = ShadowFind(address(0));
  atomic_store(Cell, Logged, memory_order_relaxed);
  CheckerRegionBegin(&Threads[0]);
  const CellWork &Work = *Threads[0].work;
  const __atsan::Cell Self = Threads[0].self;
  EXPECT_TRUE(AddToLog(Self, Logged, 0x0f, /*loc=*/1));
  const LoggedRead *Read = FindLoggedRead(Work, Logged);
  ASSERT_NE(Read, nullptr);
  EXPECT_FALSE(CoversInLog(Work, Cell, Logged, Self, 0xf0));
  EXPECT_TRUE(LogReadAgain(&Threads[0], address(0), Leaf, 0x30, /*loc=*/2));
  EXPECT_EQ(atomic_load(&Read->entry, memory_order_relaxed), Self | 0x3f);
  // Another place in the same half needs a location of both.
  EXPECT_FALSE(LogReadAgain(&Threads[0], address(0), Leaf, 0xc0, /*loc=*/3));
  EXPECT_TRUE(LogRead(&Threads[0], address(0), 0xc0, /*loc=*/3));
  EXPECT_EQ(LocOfByte(Read->locs[0], 3), 1u);
  EXPECT_EQ(LocOfByte(Read->locs[1], 1), 2u);
  EXPECT_EQ(LocOfByte(Read->locs[1], 2), 3u);
  EXPECT_TRUE(CoversInLog(Work, Cell, Logged, Self, 0xff));
  CheckerRegionEnd(&Threads[0]);
  CheckerRegionBegin(&Threads[0]);
  EXPECT_FALSE(CoversInLog(Work, Cell, Logged, Threads[0].self, 0x01));
  EXPECT_TRUE(LogRead(&Threads[0], address(0), 0x01, /*loc=*/4));
  EXPECT_EQ(atomic_load(&Read->entry, memory_order_relaxed),
            Threads[0].self | 0x01);
  CheckerRegionEnd(&Threads[0]);
  atomic_store(Cell, kEmptyCell, memory_order_relaxed);
}

// In the three ways in which code tells of 12 bytes.
void readTwelve(CheckerThread *Thr, uptr From) {
  CheckerAccess(Thr, From, 12, AccessKind::kRead, kSomewhere);
  CheckerAccessStrided(Thr, From, 4, 4, 3, AccessKind::kRead, kSomewhere);
  CheckerAccessStrided(Thr, From + 8, 4, -4, 3, AccessKind::kRead, kSomewhere);
}

// What a transaction has read is known without a page to lock, also where it is
// a list; and so is what is logged, for each new region.
TEST_F(CheckerPages, WhatSeveralReadNeedsNoPage) {
  const uptr From = address(0) + 16;
  auto IsEntered = [&](unsigned Who) {
    // Others have been there last: who enters becomes the last one.
    page(0)->last = kMaxSlots;
    readTwelve(&Threads[Who], From);
    return page(0)->last != kMaxSlots;
  };
  auto Cell = [&](uptr Addr) {
    return atomic_load(ShadowFind(Addr), memory_order_relaxed);
  };
  for (unsigned Who : {0, 1}) {
    CheckerRegionBegin(&Threads[Who]);
    readTwelve(&Threads[Who], From);
  }
  ASSERT_EQ(word(0), kSharedPage);
  EXPECT_TRUE(IsDetail(Cell(From)) && IsDetail(Cell(From + 8)));
  EXPECT_FALSE(IsEntered(0));
  EXPECT_FALSE(IsEntered(1));
  if (!PagesHaveOwners())
    GTEST_SKIP() << "no membarrier(2) here";
  for (unsigned I = 0; !IsLogged(Cell(From)) || !IsLogged(Cell(From + 8));
       I++) {
    ASSERT_LT(I, 100u);
    CheckerRegionEnd(&Threads[0]);
    CheckerRegionBegin(&Threads[0]);
    EXPECT_TRUE(IsEntered(0));
  }
  for (unsigned I = 0; I < 3; I++) {
    CheckerRegionEnd(&Threads[0]);
    CheckerRegionBegin(&Threads[0]);
    EXPECT_FALSE(IsEntered(0));
  }
  // Nor do rows of it, neither when they are logged nor when they are known.
  CheckerRegionEnd(&Threads[0]);
  CheckerRegionBegin(&Threads[0]);
  page(0)->last = kMaxSlots;
  for (unsigned I = 0; I < 2; I++)
    CheckerAccessRows(&Threads[0], From, 4, 1, 8, 2, AccessKind::kRead, {1, 0});
  EXPECT_EQ(page(0)->last, kMaxSlots);
  CheckerRegionEnd(&Threads[0]);
  CheckerRegionEnd(&Threads[1]);
}

} // namespace
