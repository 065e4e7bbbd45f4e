//===-- tsp.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shortest round trip, by branch and bound: a pool of partial tours and the
// best length so far, each under its mutex. Regions: taking work, looking at
// the bound, and improving it.
//
// Known violation (the papers call it benign): the whole search from one
// partial tour is a region; meanwhile it looks at the bound, without the lock,
// and others improve it.
//
//===----------------------------------------------------------------------===//

#include "common.h"
#include "interleave.h"

#include <mutex>

namespace {

constexpr unsigned kMaxCities = 20;

struct Tour {
  unsigned Path[kMaxCities];
  unsigned Length;
  unsigned Cost;
};

class Search {
public:
  explicit Search(unsigned Cities) : Cities(Cities) {
    Random Rng(7);
    for (unsigned A = 0; A < Cities; ++A)
      for (unsigned B = 0; B < A; ++B)
        Distance[A][B] = Distance[B][A] = 10 + Rng.below(90);
    // Tours of three cities: enough for many threads.
    for (unsigned A = 1; A < Cities; ++A)
      for (unsigned B = 1; B < Cities; ++B)
        if (A != B)
          Pool.push_back({{0, A, B}, 3, Distance[0][A] + Distance[A][B]});
  }

  void work() {
    Tour T;
    while (take(T))
      solve(T);
  }

  unsigned best() const { return Best; }

private:
  bool take(Tour &T) {
    std::lock_guard<std::mutex> Lock(PoolMutex);
    OperationRegion Region("take tour");
    if (Pool.empty())
      return false;
    T = Pool.back();
    Pool.pop_back();
    return true;
  }

  unsigned bound() {
    std::unique_lock<std::mutex> Lock(BestMutex, std::defer_lock);
    if (kFixed)
      Lock.lock();
    OperationRegion Region("look at bound");
    return Best;
  }

  void improve(unsigned Cost) {
    std::lock_guard<std::mutex> Lock(BestMutex);
    OperationRegion Region("improve bound");
    if (Cost < Best)
      Best = Cost;
    interleave::between();
  }

  void solve(Tour &T) {
    if (kFixed) {
      extend(T);
    } else {
      OperationRegion Region("solve");
      extend(T);
    }
  }

  void extend(Tour &T) {
    unsigned Last = T.Path[T.Length - 1];
    if (T.Length == Cities) {
      improve(T.Cost + Distance[Last][0]);
      return;
    }
    // Every remaining step costs at least 10. Small remainders are not worth a
    // look at the bound.
    if (T.Length + 4 < Cities) {
      Bound = bound();
      interleave::middle();
    }
    if (T.Cost + 10 * (Cities - T.Length + 1) >= Bound)
      return;
    bool Used[kMaxCities] = {};
    for (unsigned I = 0; I < T.Length; ++I)
      Used[T.Path[I]] = true;
    for (unsigned Next = 1; Next < Cities; ++Next) {
      if (Used[Next])
        continue;
      unsigned Step = Distance[Last][Next];
      T.Path[T.Length++] = Next;
      T.Cost += Step;
      extend(T);
      T.Cost -= Step;
      --T.Length;
    }
  }

  const unsigned Cities;
  unsigned Distance[kMaxCities][kMaxCities] = {};
  std::mutex PoolMutex, BestMutex;
  std::vector<Tour> Pool;
  unsigned Best = ~0u;
  static thread_local unsigned Bound;
};

thread_local unsigned Search::Bound;

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  unsigned Cities = argument(Argc, Argv, 2, "cities");
  if (Cities < 8 || Cities > kMaxCities) {
    fprintf(stderr, "%s: argument 2 (cities) must be 8 to %u\n", Argv[0],
            kMaxCities);
    return 2;
  }
  Search S(Cities);
  runThreads(Threads, [&](unsigned) { S.work(); });
  return finish("shortest round trip", S.best());
}
