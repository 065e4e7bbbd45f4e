//===-- CheckerParallelTest.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checker under real threads. Where the run is serializable by construction
// there may be no violation, where a handshake forces one it must be found, and
// a run with random interleavings is recorded and given to the oracle.
//
//===----------------------------------------------------------------------===//

#include "CycleCheck.h"
#include "UnitSupport.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

using namespace atsan_test;
using namespace __atsan;

namespace {

// A page of the shadow ends after a few granules.
constexpr uptr kBase = 0x7e0000000000 - 24;
constexpr AccessPoint kSomewhere = {1, 0};

// Counts violations for each thread id.
class Counter : public SeamListener {
public:
  void violation(CheckerThread *Thread, const Cycle &) override {
    Count[Thread->tid]++;
    All++;
  }
  std::array<std::atomic<unsigned>, 128> Count = {};
  std::atomic<unsigned> All{0};
};

void read(CheckerThread *Thr, uptr Offset, uptr Size = 4) {
  CheckerAccess(Thr, kBase + Offset, Size, AccessKind::kRead, kSomewhere);
}
void write(CheckerThread *Thr, uptr Offset, uptr Size = 4) {
  CheckerAccess(Thr, kBase + Offset, Size, AccessKind::kWrite, kSomewhere);
}

// OS threads with their checker threads, created and joined by a main thread.
class Team {
public:
  Team() { CheckerThreadCreate(nullptr, kSomewhere, &Main, 0); }

  void add(std::function<void(CheckerThread *)> Work) {
    Members.push_back(std::make_unique<Member>());
    Member *M = Members.back().get();
    CheckerThreadCreate(&Main, kSomewhere, &M->Thr, Members.size());
    M->Thread = std::thread([M, Work] {
      Work(&M->Thr);
      M->Ended = CheckerThreadEnd(&M->Thr, /*will_be_joined=*/true);
    });
  }
  void joinAll() {
    for (auto &M : Members) {
      M->Thread.join();
      CheckerThreadJoin(&Main, kSomewhere, M->Ended);
    }
    CheckerThreadEnd(&Main, false);
  }

private:
  struct Member {
    CheckerThread Thr = {};
    EndedThread Ended = {};
    std::thread Thread;
  };
  CheckerThread Main = {};
  std::vector<std::unique_ptr<Member>> Members;
};

class CheckerParallel : public testing::TestWithParam<unsigned> {
protected:
  void SetUp() override { freshChecker(); }
  // The work is shared, so that the time does not depend on the number.
  unsigned rounds() const { return 200000 / GetParam(); }
};

TEST_P(CheckerParallel, PrivateData) {
  Counter C;
  ListenHere Here(C);
  Team T;
  for (unsigned I = 0; I < GetParam(); I++)
    T.add([&, I](CheckerThread *Thr) {
      for (unsigned Round = 0; Round < rounds(); Round++) {
        uptr Mine = I * 36 + Round % 8 * 4; // Not in granules of its own.
        write(Thr, Mine);
        CheckerRegionBegin(Thr);
        read(Thr, Mine);
        write(Thr, Mine);
        read(Thr, Mine, 2);
        if (Round % 16 == 0)
          CheckerForget(kBase + Mine, 4);
        write(Thr, Mine);
        CheckerRegionEnd(Thr);
      }
    });
  T.joinAll();
  EXPECT_EQ(C.All, 0u);
}

TEST_P(CheckerParallel, SharedReads) {
  Counter C;
  ListenHere Here(C);
  Team T;
  for (unsigned I = 0; I < GetParam(); I++)
    T.add([&](CheckerThread *Thr) {
      for (unsigned Round = 0; Round < rounds(); Round++) {
        CheckerRegionBegin(Thr);
        read(Thr, Round % 40, 1 + Round % 12);
        read(Thr, Round % 7 * 8, 8);
        CheckerRegionEnd(Thr);
        read(Thr, Round % 40, 4);
      }
    });
  T.joinAll();
  EXPECT_EQ(C.All, 0u);
}

// Every access to shared data is in a critical section, and no region has two.
TEST_P(CheckerParallel, DataUnderAMutex) {
  Counter C;
  ListenHere Here(C);
  std::mutex Mutex;
  Team T;
  for (unsigned I = 0; I < GetParam(); I++)
    T.add([&, I](CheckerThread *Thr) {
      for (unsigned Round = 0; Round < rounds(); Round++) {
        CheckerRegionBegin(Thr);
        write(Thr, 4096 + I * 8);
        {
          std::lock_guard<std::mutex> Lock(Mutex);
          read(Thr, Round % 5 * 6, 6);
          write(Thr, Round % 5 * 6, 1 + Round % 9);
          if (Round % 32 == 0)
            CheckerForget(kBase, 16);
        }
        read(Thr, 4096 + I * 8);
        CheckerRegionEnd(Thr);
        std::lock_guard<std::mutex> Lock(Mutex);
        write(Thr, Round % 48, 2);
      }
    });
  T.joinAll();
  EXPECT_EQ(C.All, 0u);
}

// Two threads of a pair take turns by handshakes; the pairs run in parallel.
class Turns {
public:
  void await(unsigned Turn) {
    while (Now.load(std::memory_order_acquire) != Turn)
      std::this_thread::yield();
  }
  void next() { Now.fetch_add(1, std::memory_order_acq_rel); }

private:
  std::atomic<unsigned> Now{0};
};

void lostUpdates(unsigned Threads, bool Overlap, Counter &C) {
  constexpr unsigned kRounds = 100;
  Team T;
  std::vector<Turns> Pairs(Threads / 2);
  for (unsigned P = 0; P < Pairs.size(); P++) {
    uptr Data = P * 4; // Two pairs to a granule.
    Turns *Turn = &Pairs[P];
    T.add([=](CheckerThread *Thr) {
      for (unsigned Round = 0; Round < kRounds; Round++) {
        Turn->await(3 * Round);
        CheckerRegionBegin(Thr);
        read(Thr, Data);
        if (!Overlap) {
          write(Thr, Data);
          CheckerRegionEnd(Thr);
        }
        Turn->next();
        Turn->await(3 * Round + 2);
        if (Overlap) {
          write(Thr, Data);
          CheckerRegionEnd(Thr);
        }
        Turn->next();
      }
    });
    T.add([=](CheckerThread *Thr) {
      for (unsigned Round = 0; Round < kRounds; Round++) {
        Turn->await(3 * Round + 1);
        CheckerRegionBegin(Thr);
        read(Thr, Data);
        write(Thr, Data);
        CheckerRegionEnd(Thr);
        Turn->next();
      }
    });
  }
  T.joinAll();
  for (unsigned Tid = 1; Tid <= 2 * Pairs.size(); Tid++)
    EXPECT_EQ(C.Count[Tid], Overlap && Tid % 2 ? kRounds : 0)
        << "thread " << Tid;
}

TEST_P(CheckerParallel, LostUpdatesAreFound) {
  Counter C;
  ListenHere Here(C);
  lostUpdates(GetParam(), /*Overlap=*/true, C);
}

TEST_P(CheckerParallel, UpdatesInTurnAreFine) {
  Counter C;
  ListenHere Here(C);
  lostUpdates(GetParam(), /*Overlap=*/false, C);
}

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
      (IsReader ? read : write)(Thr, Word, 8);
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

INSTANTIATE_TEST_SUITE_P(Threads, CheckerParallel,
                         testing::Values(2, 4, 8, 16));

// Threads that do as they please. Events that share a granule are ordered by a
// mutex, so the numbers that they draw there are the run's order of conflicts.
class RecordedRun : public SeamListener {
public:
  RecordedRun(uint64_t Seed, unsigned NumThreads)
      : Seed(Seed), Logs(NumThreads + 1), Thr(NumThreads + 1) {}

  // Returns what differs from the oracle.
  std::string run();
  bool sawViolation() const { return Violation; }

private:
  static constexpr unsigned kGranules = 6;

  void violation(CheckerThread *, const Cycle &C) override {
    std::lock_guard<std::mutex> Lock(FindingsMutex);
    int Event = static_cast<int>(C.edges[C.size - 1].dst_loc) - 1;
    Findings.push_back({Event,
                        {C.edges, C.edges + C.size},
                        C.summarized,
                        /*Parallel=*/true});
    Violation = true;
  }
  // Takes the next number in the order of events.
  AccessPoint log(unsigned T, Event E) {
    unsigned Number = NextNumber++;
    Logs[T].push_back({Number, E});
    return {Number + 1, 0};
  }
  void work(unsigned T);
  void access(unsigned T, std::mt19937 &Random);

  uint64_t Seed;
  std::vector<std::vector<std::pair<unsigned, Event>>> Logs;
  std::vector<CheckerThread> Thr;
  std::atomic<unsigned> NextNumber{0};
  std::mutex Granules[kGranules];
  std::mutex FindingsMutex;
  std::vector<Finding> Findings;
  std::atomic<bool> Violation{false};
};

void RecordedRun::access(unsigned T, std::mt19937 &Random) {
  unsigned Size = 1 + Random() % 16;
  unsigned Offset = Random() % (kGranules * 8 - Size + 1);
  if (Random() % 2) { // So that the same bytes are accessed often.
    Size = 8;
    Offset -= Offset % 8;
  }
  Event E = Random() % 6 ? rd(T, Offset, Size) : wr(T, Offset, Size);
  unsigned First = Offset / 8, Last = (Offset + Size - 1) / 8;
  for (unsigned G = First; G <= Last; G++)
    Granules[G].lock();
  AccessPoint At = log(T, E);
  CheckerAccess(&Thr[T], kBase + Offset, Size, E.Kind, At);
  for (unsigned G = First; G <= Last; G++)
    Granules[G].unlock();
}

void RecordedRun::work(unsigned T) {
  std::mt19937 Random(Seed * 100 + T);
  bool Inside = false;
  for (unsigned I = 0; I < 60 && !Violation; I++) {
    if (Random() % 4) {
      access(T, Random);
    } else if (Inside) {
      log(T, leave(T));
      CheckerRegionEnd(&Thr[T]);
      Inside = false;
    } else {
      log(T, begin(T));
      CheckerRegionBegin(&Thr[T]);
      Inside = true;
    }
    if (Random() % 8 == 0)
      std::this_thread::yield();
  }
  log(T, end(T));
  CheckerThreadEnd(&Thr[T], /*will_be_joined=*/false);
}

std::string RecordedRun::run() {
  freshChecker();
  ListenHere Here(*this);
  CheckerThreadCreate(nullptr, log(0, start(0)), &Thr[0], tidOf(0));
  std::vector<std::thread> Threads;
  for (unsigned T = 1; T < Thr.size(); T++) {
    CheckerThreadCreate(&Thr[0], log(0, create(0, T)), &Thr[T], tidOf(T));
    Threads.emplace_back([this, T] { work(T); });
  }
  for (std::thread &T : Threads)
    T.join();

  Schedule S(NextNumber);
  for (const auto &Log : Logs)
    for (const auto &[Number, E] : Log)
      S[Number] = E;
  Oracle O;
  for (const Event &E : S)
    O.apply(E);
  if (O.hasCycle() != Violation)
    return std::string("the oracle says ") +
           (Violation ? "serializable\n" : "not serializable\n") + describe(S);
  for (const Finding &F : Findings) {
    std::string Wrong = checkCycle(O, F, kBase);
    if (!Wrong.empty())
      return Wrong + describe(S, F.Event);
  }
  return "";
}

TEST(CheckerParallelRecorded, AgreesWithTheOracle) {
  auto Deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  unsigned Runs = 0, Violations = 0;
  while (std::chrono::steady_clock::now() < Deadline) {
    RecordedRun R(Runs, 2 + Runs % 5);
    ASSERT_EQ(R.run(), "") << "run " << Runs;
    Runs++;
    Violations += R.sawViolation();
  }
  std::cout << Runs << " runs, " << Violations << " with a violation\n";
  EXPECT_GT(Violations, 0u);
  EXPECT_LT(Violations, Runs);
}

} // namespace
