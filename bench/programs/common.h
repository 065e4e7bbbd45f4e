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
// Some programs have a bug that is known from the papers. -DFIXED is the twin
// without it, and the one to measure.
//
//===----------------------------------------------------------------------===//
#ifndef COMMON_H
#define COMMON_H

#include <sanitizer/atsan.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <thread>
#include <vector>

#ifndef REGIONS
#error "compile with -DREGIONS=0, 1 or 2"
#endif

#ifdef FIXED
constexpr bool kFixed = true;
#else
constexpr bool kFixed = false;
#endif

struct OperationRegion {
#if REGIONS == 1
  __attribute__((always_inline)) explicit OperationRegion(
      const char *Name = "operation")
      : Region(Name) {}
  atsan::atomic_region Region;
#else
  explicit OperationRegion(const char * = nullptr) {}
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

// Threads that meet.
class Barrier {
public:
  explicit Barrier(unsigned Threads) {
    pthread_barrier_init(&Shared, nullptr, Threads);
  }
  ~Barrier() { pthread_barrier_destroy(&Shared); }
  void wait() { pthread_barrier_wait(&Shared); }

private:
  pthread_barrier_t Shared;
};

// Ends the program. The result does not depend on the schedule: every variant
// must print the same, which the harness checks.
inline int finish(const char *What, uint64_t Result) {
  printf("%s %llu\n", What, (unsigned long long)Result);
  return 0;
}

// Ends a program of which each thread has a result of its own.
inline int finish(const char *What, const std::vector<uint64_t> &Results) {
  uint64_t Sum = 0;
  for (uint64_t R : Results)
    Sum = Sum * 31 + R;
  return finish(What, Sum);
}

// A number as a result. Every variant computes with the same operations in the
// same order.
inline uint64_t bits(double Value) {
  uint64_t Bits;
  memcpy(&Bits, &Value, sizeof(Bits));
  return Bits;
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
  // In [0, 1).
  double fraction() { return double(next() >> 11) / double(1ull << 53); }

private:
  uint64_t State;
};

#endif // COMMON_H
