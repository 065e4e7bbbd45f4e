//===-- GateTest.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions begin and end without a lock: the gate that is left open, and edges
// to regions that end meanwhile. Here a thread leaves the gate open after two
// regions, and looks at it after three hooks outside regions.
//
//===----------------------------------------------------------------------===//

#include "Parallel.h"
#include "lib/checker/atsan_graph_internal.h"
#include "lib/checker/atsan_page.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace atsan_test;
using namespace __atsan;

namespace {

class CheckerGate : public testing::Test {
protected:
  void SetUp() override {
    freshChecker();
    if (!PagesHaveOwners())
      GTEST_SKIP() << "no membarrier(2) here";
    for (CheckerThread &Thr : Threads)
      CheckerThreadCreate(nullptr, kSomewhere, &Thr, 0);
  }
  static void runRegions(CheckerThread *Thr, unsigned Count) {
    for (unsigned I = 0; I < Count; I++) {
      CheckerRegionBegin(Thr);
      EXPECT_TRUE(gateIsOpen());
      CheckerRegionEnd(Thr);
    }
  }
  // How many accesses outside regions find it open, up to Most.
  static unsigned findItOpen(CheckerThread *Thr, unsigned Most) {
    unsigned Count = 0;
    for (; gateIsOpen() && Count < Most; Count++)
      read(Thr, 0);
    return Count;
  }

  Counter L;
  ListenHere Here{L};
  CheckerThread Threads[2] = {};
};

TEST_F(CheckerGate, StaysOpenAfterSomeRegions) {
  for (unsigned I = 0; I < 2; I++) {
    runRegions(&Threads[0], 1);
    EXPECT_FALSE(gateIsOpen());
  }
  runRegions(&Threads[0], 1);
  EXPECT_TRUE(gateIsOpen());
}

// Who pays for it are threads outside regions: each a few hooks at a time.
TEST_F(CheckerGate, IsClosedByWhoFindsNoRegions) {
  unsigned Most = 0;
  for (unsigned I = 0; I < 100; I++) {
    runRegions(&Threads[0], 1);
    unsigned Count = findItOpen(&Threads[1], 1000);
    EXPECT_LT(Count, 1000u);
    Most = std::max(Most, Count);
  }
  EXPECT_GE(Most, 3u);
  EXPECT_LE(Most, 12u);
}

// So that a program with few regions and much else does not pay again and
// again.
TEST_F(CheckerGate, StaysOpenMoreSeldomWhereThatDoesNotPay) {
  unsigned Paid = 0;
  for (unsigned I = 0; I < 20000; I++) {
    runRegions(&Threads[0], 1);
    Paid += findItOpen(&Threads[1], 1000);
  }
  EXPECT_LT(Paid, 20000u / 20);
}

TEST_F(CheckerGate, StaysOpenWhereThereAreManyRegions) {
  runRegions(&Threads[0], 3);
  for (unsigned I = 0; I < 1000; I++) {
    runRegions(&Threads[0], 1);
    EXPECT_EQ(findItOpen(&Threads[1], 3), 3u);
  }
}

// It has not counted the region, which stays open for long.
TEST_F(CheckerGate, StaysOpenWhileARegionIsOpen) {
  runRegions(&Threads[0], 3);
  CheckerRegionBegin(&Threads[0]);
  EXPECT_EQ(findItOpen(&Threads[1], 10000), 10000u);
  CheckerRegionEnd(&Threads[0]);
  EXPECT_LT(findItOpen(&Threads[1], 10000), 10000u);
}

// Another thread wants to close it all the time. The stores of the one that has
// regions are made to wait in the processor, behind one to a line that it has
// to fetch: were there no barrier in its way, it would have found the gate left
// open before others see that its region is.
TEST_F(CheckerGate, IsOpenInEveryRegion) {
  constexpr unsigned kLines = 1 << 16;
  struct alignas(64) Line {
    std::atomic<unsigned> Value;
  };
  std::vector<Line> Lines(kLines);
  std::atomic<bool> Done{false};
  unsigned Closed = 0;
  std::thread Other([&] {
    while (!Done) {
      for (unsigned I = 0; I < kLines && !Done; I += 7)
        Lines[I].Value.store(I, std::memory_order_relaxed);
      for (unsigned I = 0; I < 2000; I++)
        findItOpen(&Threads[1], 100);
    }
  });
  auto End = std::chrono::steady_clock::now() + std::chrono::seconds(4);
  for (unsigned I = 0; std::chrono::steady_clock::now() < End;) {
    for (unsigned J = 0; J < 100; J++) {
      Lines[I++ * 7919 % kLines].Value.store(I, std::memory_order_relaxed);
      CheckerRegionBegin(&Threads[0]);
      // Some are longer than the barrier takes.
      for (unsigned K = 0; K < (J % 4 ? 20 : 5000); K++)
        Closed += !gateIsOpen();
      CheckerRegionEnd(&Threads[0]);
      findItOpen(&Threads[0], 2);
    }
  }
  Done = true;
  Other.join();
  EXPECT_EQ(Closed, 0u);
}

// Stops the second thread while it adds an edge from the first one's region.
class StoppedEdge : public Counter {
public:
  LocId intern(CheckerThread *Thread, const AccessPoint &At) override {
    if (Thread->tid == 2 && !Stopped.exchange(true))
      while (!GoesOn)
        std::this_thread::yield();
    return At.pc;
  }
  void awaitStop() const {
    while (!Stopped)
      std::this_thread::yield();
  }
  std::atomic<bool> Stopped{false}, GoesOn{false};
};

class CheckerEndingRegion : public testing::Test {
protected:
  // `Meanwhile` is done by the first thread, then `After` by the second one.
  void stopTheEdge(std::function<void(CheckerThread *)> Meanwhile,
                   std::function<void(CheckerThread *)> After,
                   std::function<void(CheckerThread *)> AtLast) {
    freshChecker();
    ListenHere Here(L);
    Turns Turn;
    Team T;
    T.add([&](CheckerThread *Thr) {
      CheckerRegionBegin(Thr);
      write(Thr, 0);
      Turn.next();
      L.awaitStop();
      CheckerRegionEnd(Thr);
      Meanwhile(Thr);
      L.GoesOn = true;
      Turn.await(2);
      AtLast(Thr);
    });
    T.add([&](CheckerThread *Thr) {
      Turn.await(1);
      read(Thr, 0);
      After(Thr);
      Turn.next();
    });
    T.joinAll();
  }
  StoppedEdge L;
};

// The edge comes too late to be one from the next region.
TEST_F(CheckerEndingRegion, TheNextOneDoesNotGetItsEdges) {
  stopTheEdge(
      CheckerRegionBegin, [](CheckerThread *Thr) { write(Thr, 4); },
      [](CheckerThread *Thr) {
        read(Thr, 4);
        CheckerRegionEnd(Thr);
      });
  EXPECT_EQ(L.All, 0u);
}

// What its edge leads to is dead, though it did not see the edge when it ended.
TEST_F(CheckerEndingRegion, ItsEdgesAreForgotten) {
  bool WasReached = false, IsReachedLater = true;
  stopTheEdge([](CheckerThread *) {},
              [&](CheckerThread *Thr) {
                WasReached = IsReached(Thr);
                for (unsigned I = 0; I < 10; I++)
                  read(Thr, 8);
                IsReachedLater = IsReached(Thr);
              },
              [](CheckerThread *) {});
  EXPECT_TRUE(WasReached);
  EXPECT_FALSE(IsReachedLater);
}

// Or by its thread's next region.
TEST_F(CheckerEndingRegion, ItsEdgesAreForgottenByTheNextOne) {
  bool IsReachedLater = true;
  CheckerThread *Second = nullptr;
  stopTheEdge([](CheckerThread *) {},
              [&](CheckerThread *Thr) {
                EXPECT_TRUE(IsReached(Thr));
                Second = Thr;
              },
              [&](CheckerThread *Thr) {
                CheckerRegionBegin(Thr);
                CheckerRegionEnd(Thr);
                IsReachedLater = IsReached(Second);
              });
  EXPECT_FALSE(IsReachedLater);
}

// Or when that gets an edge.
TEST_F(CheckerEndingRegion, ItsEdgesAreForgottenWithThoseOfTheNextOne) {
  bool IsReachedLater = true;
  CheckerThread *Second = nullptr;
  stopTheEdge(
      CheckerRegionBegin,
      [&](CheckerThread *Thr) {
        EXPECT_TRUE(IsReached(Thr));
        Second = Thr;
      },
      [&](CheckerThread *Thr) {
        CheckerThread Third = {};
        CheckerThreadCreate(nullptr, kSomewhere, &Third, 3);
        Third.hooks_left = 3; // It does not look at the gate now.
        write(Thr, 8);
        read(&Third, 8);
        EXPECT_TRUE(IsReached(&Third));
        IsReachedLater = IsReached(Second);
        CheckerRegionEnd(Thr);
        CheckerThreadEnd(&Third, false);
      });
  EXPECT_FALSE(IsReachedLater);
}

} // namespace
