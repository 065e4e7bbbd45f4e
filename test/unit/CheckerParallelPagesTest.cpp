//===-- CheckerParallelPagesTest.cpp --------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pages of the shadow that change hands between real threads, and lists and
// logs in pages that several threads want.
//
//===----------------------------------------------------------------------===//

#include "Parallel.h"
#include "lib/checker/atsan_read_log.h"
#include "gtest/gtest.h"
#include <chrono>
#include <random>

using namespace atsan_test;
using namespace __atsan;

namespace {

// Of the same owner, and none of the pages that he is at work in.
constexpr uptr kNextPage = 1024;
// What the owner does before it is stopped.
constexpr AccessPoint kBefore = {2, 0};

// An owner that is stopped in the middle of its work in a page. Another thread
// that wants to change a cell there may not go on before.
class StoppedOwner : public SeamListener {
public:
  LocId intern(CheckerThread *Thread, const AccessPoint &At) override {
    if (At.pc == kBefore.pc)
      return At.pc;
    if (Thread->tid == 1 && !Stopped.exchange(true))
      for (int I = 0; I < 200 && !OtherDone; I++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (Thread->tid == 1 && !Continued.exchange(true))
      OtherWentOn = OtherDone.load();
    return At.pc;
  }
  void violation(CheckerThread *Thread, const Cycle &) override {
    Violations[Thread->tid]++;
  }
  std::atomic<bool> Stopped{false}, Continued{false}, OtherDone{false},
      OtherWentOn{false};
  std::atomic<unsigned> Violations[3] = {};
};

// The other thread writes the second half of the first granule, at least. Both
// read what the other one has written there, the owner first.
void stopTheOwner(StoppedOwner &L, uptr First,
                  void (*Write)(CheckerThread *, uptr)) {
  freshChecker();
  ListenHere Here(L);
  std::atomic<int> Step{0};
  auto Await = [&](int N) {
    while (Step < N)
      std::this_thread::yield();
  };
  Team T;
  T.add([&](CheckerThread *Thr) {
    CheckerRegionBegin(Thr);
    CheckerAccess(Thr, First + kNextPage, 8, AccessKind::kRead, kBefore);
    CheckerAccessStrided(Thr, First, 4, 8, 4, AccessKind::kWrite, kSomewhere);
    Step++;
    Await(2);
    CheckerAccess(Thr, First + 4, 4, AccessKind::kRead, kSomewhere);
    Step++;
    Await(4);
    CheckerRegionEnd(Thr);
  });
  T.add([&](CheckerThread *Thr) {
    CheckerRegionBegin(Thr);
    while (!L.Stopped)
      std::this_thread::yield();
    Write(Thr, First);
    L.OtherDone = true;
    Step++;
    Await(3);
    CheckerAccess(Thr, First, 4, AccessKind::kRead, kSomewhere);
    Step++;
    CheckerRegionEnd(Thr);
  });
  T.joinAll();
  EXPECT_FALSE(L.OtherWentOn);
}

constexpr uptr kFirstOfLeaf = 0x7e0000000000;

TEST(CheckerParallelPages, TheOwnerIsWaitedFor) {
  StoppedOwner L;
  stopTheOwner(L, kFirstOfLeaf, [](CheckerThread *Thr, uptr First) {
    CheckerAccess(Thr, First + 4, 4, AccessKind::kWrite, kSomewhere);
  });
  EXPECT_EQ(L.Violations[1], 0u);
  EXPECT_EQ(L.Violations[2], 1u);
}

// Also by who takes another page of his, and with it this one.
TEST(CheckerParallelPages, TheOwnerOfTheNextPageIsWaitedFor) {
  StoppedOwner L;
  stopTheOwner(L, kFirstOfLeaf, [](CheckerThread *Thr, uptr First) {
    CheckerAccess(Thr, First + kNextPage, 8, AccessKind::kRead, kSomewhere);
    CheckerAccess(Thr, First + 4, 4, AccessKind::kWrite, kSomewhere);
  });
  EXPECT_EQ(L.Violations[1], 0u);
  EXPECT_EQ(L.Violations[2], 1u);
}

// Also by who comes from the page before. (It writes what the owner has
// written, so the owner's read is the end of a cycle already.)
TEST(CheckerParallelPages, RowsThatCrossABorderWait) {
  for (uptr First : {kFirstOfLeaf, kFirstOfLeaf + 1024}) {
    StoppedOwner L;
    stopTheOwner(L, First, [](CheckerThread *Thr, uptr First) {
      CheckerAccessRows(Thr, First - 40, 8, 2, 32, 2, AccessKind::kWrite,
                        kSomewhere);
    });
    EXPECT_EQ(L.Violations[1], 1u);
    EXPECT_EQ(L.Violations[2], 0u);
  }
}

// Two threads write halves of the same granules at the same time, in opposite
// directions, so that each page changes hands while its owner is at work there.
// Nothing that was recorded may be lost: then each one reads the other's
// halves, and each of the last reads closes a cycle.
TEST(CheckerParallelPages, ChangeHands) {
  constexpr unsigned kPages = 100, kInPage = 128;
  constexpr uptr kFirst = 0x7e0000000000;
  freshChecker();
  Counter C;
  ListenHere Here(C);
  std::atomic<unsigned> Arrived{0};
  // The n-th meeting of both.
  auto Meet = [&](unsigned N) {
    Arrived++;
    for (unsigned Spins = 0; Arrived < 2 * N; Spins++)
      if (Spins % 1024 == 1023)
        std::this_thread::yield();
  };
  auto Loop = [](CheckerThread *Thr, uptr First, sptr Stride, AccessKind Kind) {
    CheckerAccessStrided(Thr, First, 4, Stride, kInPage, Kind, kSomewhere);
  };
  Team T;
  T.add([&](CheckerThread *Thr) {
    CheckerRegionBegin(Thr);
    for (unsigned P = 0; P < kPages; P++) {
      uptr Page = kFirst + P * kInPage * 8;
      CheckerAccess(Thr, Page, 4, AccessKind::kRead, kSomewhere);
      Meet(P + 1);
      Loop(Thr, Page, 8, AccessKind::kWrite);
    }
    Meet(kPages + 1);
    for (unsigned P = 0; P < kPages; P++)
      Loop(Thr, kFirst + P * kInPage * 8 + 4, 8, AccessKind::kRead);
    Meet(kPages + 2);
    // The other one's reads need this region open.
    Meet(kPages + 3);
    CheckerRegionEnd(Thr);
  });
  T.add([&](CheckerThread *Thr) {
    CheckerRegionBegin(Thr);
    for (unsigned P = 0; P < kPages; P++) {
      Meet(P + 1);
      Loop(Thr, kFirst + (P + 1) * kInPage * 8 - 4, -8, AccessKind::kWrite);
    }
    Meet(kPages + 1);
    Meet(kPages + 2);
    for (unsigned G = 0; G < kPages * kInPage; G++)
      CheckerAccess(Thr, kFirst + G * 8, 4, AccessKind::kRead, kSomewhere);
    Meet(kPages + 3);
    CheckerRegionEnd(Thr);
  });
  T.joinAll();
  EXPECT_EQ(C.Count[1], 0u);
  EXPECT_EQ(C.Count[2], kPages * kInPage);
}

// Two threads read a granule again and again in regions of their own, each time
// in place of what it had read before, while a third one holds a region open in
// which it has read it, and a fourth one writes it.
TEST(CheckerParallelPages, RereadsLoseNothing) {
  constexpr unsigned kRounds = 200;
  constexpr uptr kData = 24, kBack = 800;
  freshChecker();
  Counter C;
  ListenHere Here(C);
  Turns Turn;
  std::atomic<bool> Over{false};
  Team T;
  T.add([&](CheckerThread *Thr) {
    for (unsigned Round = 0; Round < kRounds; Round++) {
      CheckerRegionBegin(Thr);
      read(Thr, kData, 8);
      Turn.next();
      Turn.await(2 * Round + 2);
      read(Thr, kBack);
      CheckerRegionEnd(Thr);
    }
    Over = true;
  });
  T.add([&](CheckerThread *Thr) {
    for (unsigned Round = 0; Round < kRounds; Round++) {
      Turn.await(2 * Round + 1);
      write(Thr, kData, 8);
      write(Thr, kBack);
      Turn.next();
    }
  });
  for (unsigned I = 0; I < 2; I++)
    T.add([&](CheckerThread *Thr) {
      for (unsigned Reads = 1; !Over; Reads++) {
        CheckerRegionBegin(Thr);
        read(Thr, kData, 8);
        CheckerRegionEnd(Thr);
        if (Reads % 32 == 0)
          std::this_thread::yield();
      }
    });
  T.joinAll();
  EXPECT_EQ(C.Count[1], kRounds);
  EXPECT_EQ(C.All, kRounds);
}

// A thread reads a logged cell while another one writes there, both in regions:
// one of them comes first, whatever happens.
TEST(CheckerParallelPages, LoggedReadsAreCollected) {
  constexpr unsigned kRounds = 10000;
  freshChecker();
  Counter C;
  ListenHere Here(C);
  std::atomic<unsigned> Arrived{0};
  unsigned Unordered = 0;
  auto Work = [&](CheckerThread *Thr, bool IsReader) {
    std::minstd_rand Random(IsReader);
    unsigned Meetings = 0;
    auto Meet = [&] {
      Arrived++;
      Meetings++;
      for (unsigned Spins = 0; Arrived < 2 * Meetings; Spins++)
        if (Spins % 1024 == 1023)
          std::this_thread::yield();
    };
    for (unsigned Round = 0; Round < kRounds; Round++) {
      uptr Word = 1024 * Round; // In a page where nothing was logged in vain.
      CheckerRegionBegin(Thr);
      read(Thr, Word, 8);
      Meet();
      // What both read again becomes logged.
      for (unsigned Again = 0; IsReader && Again < 3; Again++) {
        CheckerRegionEnd(Thr);
        CheckerRegionBegin(Thr);
        read(Thr, Word, 8);
      }
      Meet();
      CheckerRegionEnd(Thr);
      CheckerRegionBegin(Thr);
      Meet();
      for (volatile unsigned Delay = Random() % (IsReader ? 200 : 20); Delay;)
        Delay = Delay - 1;
      (IsReader ? atsan_test::read : atsan_test::write)(Thr, Word, 8);
      Meet();
      if (IsReader)
        Unordered += CheckerGetStats().active_edges != 1;
      Meet();
      CheckerRegionEnd(Thr);
    }
  };
  Team T;
  for (bool IsReader : {false, true})
    T.add([&, IsReader](CheckerThread *Thr) { Work(Thr, IsReader); });
  T.joinAll();
  EXPECT_EQ(Unordered, 0u);
  EXPECT_EQ(C.All, 0u);
}

// A reader has seen that a cell is logged, and is stopped before it notes what
// it reads. Who writes there may not go on before.
TEST(CheckerParallelPages, ALoggingReaderIsWaitedFor) {
  freshChecker();
  if (!PagesHaveOwners())
    GTEST_SKIP() << "no membarrier(2) here";
  Counter C;
  ListenHere Here(C);
  const uptr Word = kFirstOfLeaf;
  std::atomic<bool> AtWork{false}, Written{false}, Checked{false};
  bool WroteBefore = false;
  Team T;
  T.add([&](CheckerThread *Thr) {
    CheckerRegionBegin(Thr);
    AtomicCell *Cell = ShadowGet(Word).cell;
    const __atsan::Cell Logged = NewDetailCell(AllocBlock()) | kLoggedBit;
    atomic_store(Cell, Logged, memory_order_relaxed);
    MarkCellWork(Thr, Word);
    AtWork = true;
    for (int I = 0; I < 200 && !Written; I++)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    WroteBefore = Written;
    EXPECT_TRUE(AddToLog(Thr->self, Logged, 0xff, 1));
    ClearCellWork(Thr);
    while (!Checked)
      std::this_thread::yield();
    CheckerRegionEnd(Thr);
  });
  T.add([&](CheckerThread *Thr) {
    while (!AtWork)
      std::this_thread::yield();
    CheckerRegionBegin(Thr);
    CheckerAccess(Thr, Word, 8, AccessKind::kWrite, kSomewhere);
    Written = true;
    EXPECT_EQ(CheckerGetStats().active_edges, 1u);
    Checked = true;
    CheckerRegionEnd(Thr);
  });
  T.joinAll();
  EXPECT_FALSE(WroteBefore);
}

} // namespace
