//===-- common.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the benchmark programs share: arguments, threads, the result, and the
// choice of regions at compile time:
//
//   -DREGIONS=0  none
//   -DREGIONS=1  each operation is a short region
//   -DREGIONS=2  each thread is inside a region all the time (only programs for
//                which that is serializable; barriers divide the regions)
//
//===----------------------------------------------------------------------===//
#ifndef COMMON_H
#define COMMON_H

#include <sanitizer/atsan.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#ifndef REGIONS
#error "compile with -DREGIONS=0, 1 or 2"
#endif

struct OperationRegion {
#if REGIONS == 1
  atsan::atomic_region Region{"operation"};
#else
  OperationRegion() {}
#endif
  ~OperationRegion() {}
};

struct ThreadRegion {
#if REGIONS == 2
  atsan::atomic_region Region{"thread"};
#else
  ThreadRegion() {}
#endif
  ~ThreadRegion() {}
};

// The n-th argument as a positive number.
inline uint64_t argument(int Argc, char **Argv, int N, const char *Name) {
  char *End = nullptr;
  uint64_t Value = N < Argc ? strtoull(Argv[N], &End, 10) : 0;
  if (Value == 0 || *End != '\0') {
    fprintf(stderr, "%s: argument %d (%s) must be a positive number\n", Argv[0],
            N, Name);
    exit(2);
  }
  return Value;
}

// Runs Body(0) .. Body(Count - 1) in threads of their own.
template <typename F> void runThreads(unsigned Count, F Body) {
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I < Count; ++I)
    Threads.emplace_back([=] {
      ThreadRegion Region;
      Body(I);
    });
  for (std::thread &T : Threads)
    T.join();
}

// Ends the program. The result does not depend on the schedule: every variant
// must print the same, which the harness checks.
inline int finish(const char *What, uint64_t Result) {
  printf("%s %llu\n", What, (unsigned long long)Result);
  return 0;
}

// A small generator, the same in every variant and on every machine.
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed * 0x9e3779b97f4a7c15 + 1) {}
  uint64_t next() {
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return State;
  }
  uint64_t below(uint64_t Bound) { return next() % Bound; }

private:
  uint64_t State;
};

#endif // COMMON_H
