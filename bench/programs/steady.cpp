//===-- steady.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same work over and over, for as many events (reads and writes of shared
// memory) as the argument says: what the program itself needs does not depend
// on it. Threads move amounts between a few shared accounts, under one mutex
// and in short regions that overlap (a region begins before the mutex is
// taken), read and write memory of their own outside regions, and allocate and
// free.
//
//   steady regions <events>   that
//   steady long <events>      and one thread is in one region all the time,
//   which
//                             has read the accounts: all that follows depends
//                             on it
//   steady threads <events>   the same as `regions`, by new threads all the
//   time:
//                             already 10^6 events need some thousand
//
//===----------------------------------------------------------------------===//

// Has its own regions.
#define REGIONS 0
#include "common.h"

#include <memory>
#include <mutex>
#include <string>

namespace {

constexpr unsigned kThreads = 3;
constexpr unsigned kAccounts = 16;
constexpr uint64_t kOwnWords = 1 << 18;
// Of one step: 4 on accounts, 8 on own memory, 4 on a block.
constexpr uint64_t kEventsPerStep = 16;

std::mutex Mutex;
int64_t Accounts[kAccounts];
// Memory of the threads' own.
uint64_t Table[kThreads * kOwnWords];

void step(Random &Rng, uint64_t *Own) {
  unsigned From = Rng.below(kAccounts), To = Rng.below(kAccounts);
  {
    atsan::atomic_region Region("transfer");
    std::lock_guard<std::mutex> Lock(Mutex);
    --Accounts[From];
    ++Accounts[To];
  }
  for (unsigned I = 0; I < 4; ++I)
    ++Own[Rng.below(kOwnWords)];
  std::unique_ptr<uint64_t[]> Block(new uint64_t[8 + Rng.below(8)]);
  Block[0] = Own[0];
  Block[7] = Own[7];
}

void work(uint64_t Seed, unsigned Thread, uint64_t Steps) {
  Random Rng(Seed);
  for (uint64_t I = 0; I < Steps; ++I)
    step(Rng, Table + Thread * kOwnWords);
}

// All memory is touched at the beginning, and the sanitizer's too: in a region.
void touchAll() {
  atsan::atomic_region Region("touch all");
  for (uint64_t &Word : Table)
    ++Word;
}

} // namespace

int main(int Argc, char **Argv) {
  std::string Mode = Argc > 1 ? Argv[1] : "";
  if (Mode != "regions" && Mode != "long" && Mode != "threads") {
    fprintf(stderr, "%s: argument 1 must be regions, long or threads\n",
            Argv[0]);
    return 2;
  }
  uint64_t Steps = argument(Argc, Argv, 2, "events") / kEventsPerStep;
  uint64_t Batch = Mode == "threads" ? 10 : Steps / kThreads + 1;

  // Locked while there is work. A flag would be data, and change in the middle
  // of the region.
  std::mutex Working;
  Working.lock();
  touchAll();
  std::thread Long;
  if (Mode == "long")
    Long = std::thread([&] {
      atsan::atomic_region Region("long");
      uint64_t Own[64] = {};
      Mutex.lock();
      for (unsigned I = 0; I < kAccounts; ++I)
        Own[I] = Accounts[I];
      Mutex.unlock();
      for (uint64_t I = 0; !Working.try_lock(); ++I) {
        ++Own[I % 64];
        std::this_thread::yield();
      }
      Working.unlock();
    });
  for (uint64_t First = 0; First < Steps; First += Batch * kThreads)
    runThreads(kThreads, [=](unsigned I) { work(First + I + 1, I, Batch); });
  Working.unlock();
  if (Long.joinable())
    Long.join();

  int64_t Sum = 0;
  for (int64_t A : Accounts)
    Sum += A;
  return finish("sum", Sum);
}
