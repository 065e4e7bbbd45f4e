//===-- ping_pong.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the nanoseconds after which another core has read and written a cache
// line that this one has written: the median of many times 100 of them, so that
// it does not count when one of the two threads had to wait for its core.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

constexpr uint64_t kInARow = 100, kTimes = 2000;

alignas(128) std::atomic<uint64_t> Line;

bool runOn(unsigned Core) {
  cpu_set_t Cores;
  CPU_ZERO(&Cores);
  CPU_SET(Core, &Cores);
  return pthread_setaffinity_np(pthread_self(), sizeof(Cores), &Cores) == 0;
}

// Makes of each number the next one, if it is this thread's turn.
void pass(uint64_t First, uint64_t End) {
  for (uint64_t Number = First; Number < End; Number += 2) {
    while (Line.load(std::memory_order_acquire) != Number)
      ;
    Line.store(Number + 1, std::memory_order_release);
  }
}

} // namespace

int main() {
  bool CanRun = runOn(0);
  std::thread Other([&] {
    CanRun &= runOn(1);
    pass(1, kInARow * kTimes);
  });
  std::vector<double> Nanoseconds;
  for (uint64_t I = 0; I < kTimes; ++I) {
    auto Start = std::chrono::steady_clock::now();
    pass(I * kInARow, (I + 1) * kInARow);
    std::chrono::duration<double, std::nano> Took =
        std::chrono::steady_clock::now() - Start;
    Nanoseconds.push_back(Took.count() / kInARow);
  }
  Other.join();
  if (!CanRun) {
    fprintf(stderr, "there are no two cores\n");
    return 1;
  }
  std::nth_element(Nanoseconds.begin(), Nanoseconds.begin() + kTimes / 2,
                   Nanoseconds.end());
  printf("%.1f\n", Nanoseconds[kTimes / 2]);
  return 0;
}
