//===-- micro.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What single operations cost: in how many threads, outside and inside regions,
// and for how many percent of them on data that all threads share. The counter
// `ops` says how many operations an iteration has. All regions are
// serializable, so that nothing is ever reported.
//
//===----------------------------------------------------------------------===//

#include <sanitizer/atsan.hpp>

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>

namespace {

constexpr int kMaxThreads = 64;
constexpr unsigned kOps = 64;    // In one iteration.
constexpr unsigned kStride = 16; // Words between those of one iteration.
constexpr unsigned kWords = kOps * kStride;

struct alignas(64) Words {
  uint64_t Word[kWords];
};
Words Own[kMaxThreads], Shared;
std::mutex Mutex;

struct alignas(64) Atomic {
  std::atomic<uint64_t> Value{0};
};
Atomic OwnAtomic[kMaxThreads], SharedAtomic;

// A region if the benchmark's first argument says so.
class MaybeRegion {
public:
  explicit MaybeRegion(bool Inside) : Inside(Inside) {
    if (Inside)
      __atsan_region_begin("micro");
  }
  ~MaybeRegion() {
    if (Inside)
      __atsan_region_end();
  }

private:
  bool Inside;
};

// Reads every word that an iteration is about, shared ones first. The same
// words again only after kStride iterations.
inline uint64_t readOnce(uint64_t *Mine, unsigned SharedOps, unsigned Offset) {
  uint64_t Sum = 0;
  for (unsigned I = 0; I < SharedOps; ++I)
    Sum += Shared.Word[I * kStride + Offset];
  for (unsigned I = SharedOps; I < kOps; ++I)
    Sum += Mine[I * kStride + Offset];
  return Sum;
}

void read(benchmark::State &S) {
  uint64_t *Mine = Own[S.thread_index()].Word;
  unsigned SharedOps = kOps * S.range(1) / 100, Offset = 0;
  for (auto _ : S) {
    MaybeRegion Region(S.range(0));
    benchmark::DoNotOptimize(readOnce(Mine, SharedOps, Offset));
    Offset = (Offset + 1) % kStride;
  }
  S.counters["ops"] = {kOps, benchmark::Counter::kAvgThreads};
}

// Eight times in the same region.
void readAgain(benchmark::State &S) {
  uint64_t *Mine = Own[S.thread_index()].Word;
  unsigned Offset = 0;
  for (auto _ : S) {
    MaybeRegion Region(S.range(0));
    for (unsigned Again = 0; Again < 8; ++Again) {
      benchmark::DoNotOptimize(readOnce(Mine, 0, Offset));
      benchmark::ClobberMemory();
    }
    Offset = (Offset + 1) % kStride;
  }
  S.counters["ops"] = {8 * kOps, benchmark::Counter::kAvgThreads};
}

// The shared words under one mutex.
void write(benchmark::State &S) {
  uint64_t *Mine = Own[S.thread_index()].Word;
  unsigned SharedOps = kOps * S.range(1) / 100, Offset = 0;
  for (auto _ : S) {
    MaybeRegion Region(S.range(0));
    if (SharedOps) {
      std::lock_guard<std::mutex> Lock(Mutex);
      for (unsigned I = 0; I < SharedOps; ++I)
        Shared.Word[I * kStride + Offset] = I;
    }
    for (unsigned I = SharedOps; I < kOps; ++I)
      Mine[I * kStride + Offset] = I;
    benchmark::ClobberMemory();
    Offset = (Offset + 1) % kStride;
  }
  S.counters["ops"] = {kOps, benchmark::Counter::kAvgThreads};
}

// Each in a region of its own: two of them on shared data would not be atomic.
void atomicAdd(benchmark::State &S) {
  Atomic &Mine = OwnAtomic[S.thread_index()];
  unsigned SharedOps = kOps * S.range(1) / 100;
  for (auto _ : S)
    for (unsigned I = 0; I < kOps; ++I) {
      MaybeRegion Region(S.range(0));
      (I < SharedOps ? SharedAtomic : Mine).Value.fetch_add(1);
    }
  S.counters["ops"] = {kOps, benchmark::Counter::kAvgThreads};
}

__attribute__((noinline)) uint64_t callee(uint64_t X) {
  asm volatile("" : "+r"(X));
  return X;
}

void call(benchmark::State &S) {
  for (auto _ : S) {
    MaybeRegion Region(S.range(0));
    for (unsigned I = 0; I < kOps; ++I)
      callee(I);
  }
  S.counters["ops"] = {kOps, benchmark::Counter::kAvgThreads};
}

void allocate(benchmark::State &S) {
  for (auto _ : S) {
    MaybeRegion Region(S.range(0));
    for (unsigned I = 0; I < kOps; ++I) {
      void *Block = malloc(64);
      benchmark::DoNotOptimize(Block);
      *static_cast<uint64_t *>(Block) = I;
      free(Block);
    }
  }
  S.counters["ops"] = {kOps, benchmark::Counter::kAvgThreads};
}

// One mutex that all threads want.
void handOver(benchmark::State &S) {
  for (auto _ : S)
    for (unsigned I = 0; I < kOps; ++I) {
      MaybeRegion Region(S.range(0));
      std::lock_guard<std::mutex> Lock(Mutex);
      ++Shared.Word[0];
    }
  S.counters["ops"] = {kOps, benchmark::Counter::kAvgThreads};
}

// Nothing but the region.
void region(benchmark::State &S) {
  for (auto _ : S)
    for (unsigned I = 0; I < kOps; ++I) {
      MaybeRegion Region(S.range(0));
      benchmark::ClobberMemory();
    }
  S.counters["ops"] = {kOps, benchmark::Counter::kAvgThreads};
}

void add(const char *Name, void (*Function)(benchmark::State &),
         bool Sharing = false) {
  benchmark::RegisterBenchmark(Name, Function)
      ->ArgNames({"inside", "sharing"})
      ->ArgsProduct({{0, 1},
                     Sharing ? std::vector<int64_t>{0, 50, 100}
                             : std::vector<int64_t>{0}})
      ->ThreadRange(1, kMaxThreads);
}

} // namespace

int main(int Argc, char **Argv) {
  add("read", read, true);
  add("read again", readAgain);
  add("write", write, true);
  add("atomic add", atomicAdd, true);
  add("call", call);
  add("allocate and free", allocate);
  add("lock hand-over", handOver);
  add("region", region);
  benchmark::Initialize(&Argc, Argv);
  if (benchmark::ReportUnrecognizedArguments(Argc, Argv))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
}
