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
#include "Parallel.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <iostream>
#include <mutex>
#include <random>
#include <thread>

using namespace atsan_test;
using namespace __atsan;

namespace {

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
