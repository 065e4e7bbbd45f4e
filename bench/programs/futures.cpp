//===-- futures.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pool of threads for tasks: the main thread hands in tasks, each of which
// counts the primes of an interval, and waits for their futures. Regions:
// putting a task, taking one, a task.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>

namespace {

class Pool {
public:
  explicit Pool(unsigned Threads) {
    for (unsigned I = 0; I < Threads; ++I)
      Workers.emplace_back([this] { work(); });
  }

  ~Pool() {
    {
      std::lock_guard<std::mutex> Lock(Mutex);
      Ends = true;
    }
    Changed.notify_all();
    for (std::thread &T : Workers)
      T.join();
  }

  std::future<unsigned> put(std::function<unsigned()> Body) {
    std::packaged_task<unsigned()> Task(std::move(Body));
    std::future<unsigned> Result = Task.get_future();
    {
      std::lock_guard<std::mutex> Lock(Mutex);
      OperationRegion Region("put");
      Tasks.push_back(std::move(Task));
    }
    Changed.notify_one();
    return Result;
  }

private:
  void work() {
    for (;;) {
      std::packaged_task<unsigned()> Task;
      {
        std::unique_lock<std::mutex> Lock(Mutex);
        Changed.wait(Lock, [this] { return Ends || !Tasks.empty(); });
        if (Tasks.empty())
          return;
        OperationRegion Region("take");
        Task = std::move(Tasks.front());
        Tasks.pop_front();
      }
      Task();
    }
  }

  std::mutex Mutex;
  std::condition_variable Changed;
  std::deque<std::packaged_task<unsigned()>> Tasks;
  bool Ends = false;
  std::vector<std::thread> Workers;
};

// Counts the primes among Size numbers from First on.
unsigned countPrimes(uint64_t First, size_t Size) {
  OperationRegion Region("count primes");
  std::vector<char> IsComposite(Size);
  for (uint64_t Factor = 2; Factor * Factor < First + Size; ++Factor)
    for (uint64_t N =
             std::max(Factor * Factor, (First + Factor - 1) / Factor * Factor);
         N < First + Size; N += Factor)
      IsComposite[N - First] = true;
  unsigned Primes = 0;
  for (char C : IsComposite)
    Primes += !C;
  return Primes;
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  unsigned Tasks = argument(Argc, Argv, 2, "tasks");
  size_t Size = argument(Argc, Argv, 3, "numbers for each task");

  Pool P(Threads);
  std::vector<std::future<unsigned>> Results;
  for (unsigned I = 0; I < Tasks; ++I)
    Results.push_back(P.put([=] { return countPrimes(2 + I * Size, Size); }));
  uint64_t Sum = 0;
  for (auto &R : Results)
    Sum = Sum * 31 + R.get();
  return finish("primes", Sum);
}
