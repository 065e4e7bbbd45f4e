//===-- scaling.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the cost of an event depends on. An event is a read or a write.
//
//   scaling shared <threads> <events> <MiB>    short regions; each reads and
//       writes memory of the thread's own, and one of a few shared counters
//       under that counter's mutex. `events` of all threads together, `MiB`
//       touched by all together.
//   scaling disjoint <threads> <events> <MiB>  each thread is in one region all
//       the time, which reads and writes its own memory. `events` of each
//       thread, `MiB` of each thread.
//   scaling private <threads> <events> <n>  each thread runs regions of n
//       events (1, 4, 16 or 64), each to a word of its own memory, far from
//       the others'. `events` of each thread.
//   scaling pages <threads> <events> <n>    the same, but the threads' memory
//       is next to each other, from one cache line to the next.
//   scaling lines <threads> <events> <n>    the same, but neighbouring words
//       are those of different threads.
//
//===----------------------------------------------------------------------===//

// Has its own regions.
#define REGIONS 0
#include "../programs/common.h"

#include <cstring>
#include <mutex>

namespace {

constexpr unsigned kCounters = 64;
// Of one step: three words of own memory and a counter, each read and written.
constexpr uint64_t kEventsPerStep = 8;

struct alignas(64) Counter {
  std::mutex Mutex;
  uint64_t Value = 0;
};
Counter Counters[kCounters];

void touch(uint64_t *Own, uint64_t Words) {
  for (uint64_t I = 0; I < Words; I += 8) {
    atsan::atomic_region Region("touch");
    for (uint64_t J = I; J < I + 8; ++J)
      ++Own[J];
  }
}

void shareSteps(uint64_t *Own, uint64_t Words, uint64_t Steps, Random &Rng) {
  for (uint64_t I = 0; I < Steps; ++I) {
    uint64_t R = Rng.next();
    atsan::atomic_region Region("step");
    ++Own[R % Words];
    ++Own[(R >> 16) % Words];
    ++Own[(R >> 32) % Words];
    Counter &C = Counters[(R >> 48) % kCounters];
    std::lock_guard<std::mutex> Lock(C.Mutex);
    ++C.Value;
  }
}

void walk(uint64_t *Own, uint64_t Words, uint64_t Events) {
  atsan::atomic_region Region("walk");
  for (uint64_t I = 0, Word = 0; I < Events / 2; ++I) {
    ++Own[Word];
    // Not a loop over an array: no word is the next one, none is repeated soon.
    Word = (Word + 4099) % Words;
  }
}

// Regions of N events to every `Distance`-th word; all are straight-line code.
template <unsigned N>
void runRegions(uint64_t *Own, uint64_t Words, uint64_t Distance,
                uint64_t Events) {
  uint64_t Value = 0, Word = 0;
  for (uint64_t I = 0; I < Events / N; ++I) {
    atsan::atomic_region Region("small");
#pragma clang loop unroll(full)
    for (unsigned J = 0; J < N; ++J) {
      // Not next to each other, nor a loop over an array.
      uint64_t &At = Own[(Word + J * 5 % N * 3) % Words * Distance];
      if (J % 2)
        Value += At;
      else
        At = Value + I;
    }
    Word += 7;
  }
  Own[0] = Value;
}

void runRegionsOf(uint64_t N, uint64_t *Own, uint64_t Words, uint64_t Distance,
                  uint64_t Events) {
  switch (N) {
  case 1:
    return runRegions<1>(Own, Words, Distance, Events);
  case 4:
    return runRegions<4>(Own, Words, Distance, Events);
  case 16:
    return runRegions<16>(Own, Words, Distance, Events);
  case 64:
    return runRegions<64>(Own, Words, Distance, Events);
  }
}

/// What the threads' words have in common: a run-time may keep what it knows of
/// them by the page.
enum class Sharing { None, Pages, Lines };

int smallRegions(Sharing Shared, unsigned Threads, uint64_t Events,
                 uint64_t N) {
  constexpr uint64_t kWords = 512, kPage = 4096;
  const uint64_t Distance = Shared == Sharing::Lines ? Threads : 1;
  const uint64_t Apart = Shared == Sharing::Lines   ? 1
                         : Shared == Sharing::Pages ? kWords
                                                    : 2 * kWords;
  std::vector<uint64_t> Memory(2 * kWords * Threads + kPage / 8);
  uint64_t *Begin = Memory.data();
  const uint64_t Alignment = Shared == Sharing::None ? kPage : 64;
  while (reinterpret_cast<uintptr_t>(Begin) % Alignment)
    ++Begin;
  runThreads(Threads, [=](unsigned I) {
    runRegionsOf(N, Begin + I * Apart, kWords, Distance, Events);
  });
  uint64_t Sum = 0;
  for (uint64_t Word : Memory)
    Sum += Word;
  return finish("sum", Sum);
}

} // namespace

int main(int Argc, char **Argv) {
  const char *Mode = Argc > 1 ? Argv[1] : "";
  const bool Shared = !strcmp(Mode, "shared");
  unsigned Threads = argument(Argc, Argv, 2, "threads");
  uint64_t Events = argument(Argc, Argv, 3, "events");
  const std::pair<const char *, Sharing> Small[] = {{"private", Sharing::None},
                                                    {"pages", Sharing::Pages},
                                                    {"lines", Sharing::Lines}};
  for (auto [Name, What] : Small)
    if (!strcmp(Mode, Name))
      return smallRegions(What, Threads, Events,
                          argument(Argc, Argv, 4, "events of a region"));
  if (!Shared && strcmp(Mode, "disjoint")) {
    fprintf(stderr,
            "%s: argument 1 must be shared, disjoint, private, pages or "
            "lines\n",
            Argv[0]);
    return 2;
  }
  uint64_t Words = argument(Argc, Argv, 4, "MiB") * (1 << 20) / 8;
  if (Shared)
    Words /= Threads;
  Words &= ~uint64_t(7);

  std::vector<uint64_t> Memory(Words * Threads);
  uint64_t *First = Memory.data();
  runThreads(Threads, [=](unsigned I) {
    uint64_t *Own = First + I * Words;
    touch(Own, Words);
    Random Rng(I + 1);
    if (Shared)
      shareSteps(Own, Words, Events / kEventsPerStep / Threads, Rng);
    else
      walk(Own, Words, Events);
  });

  uint64_t Sum = 0;
  for (uint64_t Word : Memory)
    Sum += Word;
  for (Counter &C : Counters)
    Sum += C.Value;
  return finish("sum", Sum);
}
