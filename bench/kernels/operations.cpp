//===-- operations.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operation, which several threads repeat: what bench/cores counts and
// measures.
//
//   operations <operation> <threads> step <n>  runs n operations in each
//   thread,
//       then goes on for ever. It stops (int3) at its start, after the n
//       operations, and then in each operation: bench/steps is to go on from
//       there. Threads have no other synchronization than that of the
//       operation.
//   operations <operation> <threads> time <n>  prints the nanoseconds of
//   processor
//       time that an operation took in the slowest of the threads, of n in
//       each.
//
//===----------------------------------------------------------------------===//

// Has its own regions.
#define REGIONS 0
#include "../programs/common.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <time.h>
#include <unistd.h>

namespace {

constexpr unsigned kMostThreads = 8, kWords = 512;

// What one thread alone accesses. No two are in one page.
struct alignas(4096) Memory {
  uint64_t Words[kWords];
  alignas(64) std::mutex Mutex;
  alignas(64) std::atomic<uint64_t> Atomic;
};
Memory OwnMemory[kMostThreads];

// A word of each thread is in each line.
alignas(4096) uint64_t Neighbours[kMostThreads * kWords];

// What all threads access, each part in a cache line of its own.
alignas(4096) uint64_t ReadByAll[kWords];
alignas(4096) std::mutex SharedMutex;
alignas(4096) uint64_t SharedWord;
alignas(4096) std::atomic<uint64_t> SharedAtomic;

inline void use(uint64_t Value) { asm volatile("" ::"r"(Value)); }

// N accesses to words that are not next to each other, other ones each time: to
// every Distance-th of First.
template <unsigned N>
__attribute__((always_inline)) inline void access(uint64_t *First, uint64_t I,
                                                  unsigned Distance = 1) {
  uint64_t Value = 0;
#pragma clang loop unroll(full)
  for (unsigned J = 0; J < N; ++J) {
    uint64_t &At = First[(I * 7 + J * 5 % (N + !N) * 3) % kWords * Distance];
    if (J % 2)
      Value += At;
    else
      At = Value + I;
  }
  use(Value);
}

template <unsigned N> struct Outside {
  template <typename Stop> void operator()(Memory &Own, uint64_t I, Stop S) {
    S();
    access<N>(Own.Words, I);
  }
};

template <unsigned N> struct Region {
  template <typename Stop> void operator()(Memory &Own, uint64_t I, Stop S) {
    S();
    atsan::atomic_region Region("region");
    access<N>(Own.Words, I);
  }
};

template <unsigned N> struct Beside {
  template <typename Stop> void operator()(Memory &Own, uint64_t I, Stop S) {
    S();
    atsan::atomic_region Region("beside");
    access<N>(Neighbours + (&Own - OwnMemory), I, kMostThreads);
  }
};

struct Nested {
  template <typename Stop> void operator()(Memory &Own, uint64_t I, Stop S) {
    S();
    atsan::atomic_region Outer("outer");
    atsan::atomic_region Inner("inner");
    access<4>(Own.Words, I);
  }
};

struct Read {
  template <typename Stop> void operator()(Memory &, uint64_t, Stop S) {
    S();
    atsan::atomic_region Region("read");
    use(ReadByAll[0] + ReadByAll[5] + ReadByAll[10] + ReadByAll[15]);
  }
};

// Stops inside the region, so that each reads while other regions are open.
struct ReadTogether {
  template <typename Stop> void operator()(Memory &, uint64_t, Stop S) {
    atsan::atomic_region Region("read together");
    use(ReadByAll[0] + ReadByAll[5] + ReadByAll[10] + ReadByAll[15]);
    S();
  }
};

struct OwnMutex {
  template <typename Stop> void operator()(Memory &Own, uint64_t, Stop S) {
    S();
    atsan::atomic_region Region("own mutex");
    std::lock_guard<std::mutex> Lock(Own.Mutex);
    ++Own.Words[0];
  }
};

struct SharedMutexInRegion {
  template <typename Stop> void operator()(Memory &, uint64_t, Stop S) {
    S();
    atsan::atomic_region Region("shared mutex");
    std::lock_guard<std::mutex> Lock(SharedMutex);
    ++SharedWord;
  }
};

// Stops inside the region, so that each finds another one's open, and gets an
// edge from it.
struct Edge {
  template <typename Stop> void operator()(Memory &, uint64_t, Stop S) {
    atsan::atomic_region Region("edge");
    {
      std::lock_guard<std::mutex> Lock(SharedMutex);
      ++SharedWord;
    }
    S();
  }
};

struct Heap {
  template <typename Stop> void operator()(Memory &, uint64_t I, Stop S) {
    S();
    atsan::atomic_region Region("heap");
    uint64_t *Block = static_cast<uint64_t *>(malloc(64));
    asm volatile("" : "+r"(Block));
    *Block = I;
    free(Block);
  }
};

struct OwnAtomic {
  template <typename Stop> void operator()(Memory &Own, uint64_t, Stop S) {
    S();
    atsan::atomic_region Region("own atomic");
    use(Own.Atomic.fetch_add(1));
  }
};

struct AtomicOfAll {
  template <typename Stop> void operator()(Memory &, uint64_t, Stop S) {
    S();
    atsan::atomic_region Region("shared atomic");
    use(SharedAtomic.fetch_add(1));
  }
};

void *runOneRegion(void *Own) {
  atsan::atomic_region Region("thread");
  access<1>(static_cast<Memory *>(Own)->Words, 0);
  return nullptr;
}

struct Thread {
  template <typename Stop> void operator()(Memory &Own, uint64_t, Stop S) {
    S();
    pthread_t Child;
    if (pthread_create(&Child, nullptr, runOneRegion, &Own) != 0)
      abort();
    pthread_join(Child, nullptr);
  }
};

using Loop = void (*)(Memory &Own, uint64_t Count);

template <typename Operation, bool Stops>
__attribute__((noinline)) void repeat(Memory &Own, uint64_t Count) {
  for (uint64_t I = 0; I < Count; ++I)
    Operation()(Own, I, [] {
      // Both are the same to the compiler: operations stay one after the other.
      if (Stops)
        asm volatile("int3" ::: "memory");
      else
        asm volatile("" ::: "memory");
    });
}

struct Named {
  const char *Name;
  Loop AtSpeed, Stopping;
};

template <typename Operation> Named named(const char *Name) {
  return {Name, repeat<Operation, false>, repeat<Operation, true>};
}

const Named Operations[] = {
    named<Outside<4>>("outside-closed"),
    named<Outside<4>>("outside-open"),
    named<Region<0>>("region-0"),
    named<Region<1>>("region-1"),
    named<Region<4>>("region-4"),
    named<Region<16>>("region-16"),
    named<Nested>("nested-4"),
    named<Beside<1>>("beside-1"),
    named<Beside<4>>("beside-4"),
    named<Read>("read-4"),
    named<ReadTogether>("read-4-together"),
    named<OwnAtomic>("own-atomic"),
    named<AtomicOfAll>("shared-atomic"),
    named<OwnMutex>("own-mutex"),
    named<SharedMutexInRegion>("shared-mutex"),
    named<Edge>("edge"),
    named<Heap>("heap"),
    named<Thread>("thread"),
};

// What the sanitizer does not see makes no edge.
#define NOT_SEEN __attribute__((disable_sanitizer_instrumentation, noinline))
unsigned HaveCome;

NOT_SEEN void come() { __atomic_add_fetch(&HaveCome, 1, __ATOMIC_SEQ_CST); }

NOT_SEEN void waitFor(unsigned Threads) {
  while (__atomic_load_n(&HaveCome, __ATOMIC_SEQ_CST) < Threads)
    usleep(1000);
}

// Returns how many nanoseconds of a core this thread has had, or the whole
// process with the threads that it has started.
double processorTime(bool OfProcess) {
  timespec Now;
  clock_gettime(OfProcess ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID,
                &Now);
  return Now.tv_sec * 1e9 + Now.tv_nsec;
}

void stop() { asm volatile("int3" ::: "memory"); }

[[noreturn]] void fail(const char *Name, const char *Why) {
  fprintf(stderr, "%s: %s\n", Name, Why);
  exit(2);
}

} // namespace

int main(int Argc, char **Argv) {
  const Named *Which = nullptr;
  for (const Named &O : Operations)
    if (Argc > 1 && !strcmp(O.Name, Argv[1]))
      Which = &O;
  if (!Which)
    fail(Argv[0], "argument 1 must be an operation");
  const unsigned Threads = argument(Argc, Argv, 2, "threads");
  const bool Steps = Argc > 3 && !strcmp(Argv[3], "step");
  if (Threads > kMostThreads ||
      (!Steps && (Argc < 4 || strcmp(Argv[3], "time"))))
    fail(Argv[0], "too many threads, or argument 3 is neither step nor time");
  const uint64_t Count = argument(Argc, Argv, 4, "operations");
  const bool IsOpen = !strcmp(Which->Name, "outside-open");

  for (uint64_t &Word : ReadByAll)
    Word = Argc;
  double Nanoseconds[kMostThreads];
  std::vector<std::thread> Workers;
  for (unsigned I = 0; I < Threads; ++I)
    Workers.emplace_back([=, &Nanoseconds] {
      Memory &Own = OwnMemory[I];
      if (Steps) {
        stop();
        Which->AtSpeed(Own, Count);
        Which->Stopping(Own, ~uint64_t(0));
      }
      waitFor(1);
      Which->AtSpeed(Own, Count / 10 + 1);
      const double Start = processorTime(Threads == 1);
      Which->AtSpeed(Own, Count);
      Nanoseconds[I] = processorTime(Threads == 1) - Start;
      come();
    });
  // A region is divided by a join: this one waits in another way.
  if (IsOpen)
    __atsan_region_begin("open");
  if (Steps)
    stop();
  come();
  waitFor(1 + Threads);
  if (IsOpen)
    __atsan_region_end();
  for (std::thread &T : Workers)
    T.join();
  double Slowest = 0;
  for (unsigned I = 0; I < Threads; ++I)
    Slowest = std::max(Slowest, Nanoseconds[I]);
  printf("%.3f\n", Slowest / Count);
  return 0;
}
