//===- explore_jobs.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_jobs.h"
#include "tools/atsan/Command.h"
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace atsan::tool {

namespace {

class Jobs {
public:
  Jobs(std::atomic<bool> &Stop, const std::function<void(unsigned)> &Job)
      : Stop(Stop), Job(Job) {}

  void run(unsigned Count) {
    std::vector<std::thread> Threads;
    {
      // No job begins before all threads are there.
      const std::lock_guard<std::mutex> Guard(Lock);
      try {
        for (unsigned I = 0; I != Count; ++I)
          Threads.emplace_back([this, I] { runOne(I); });
      } catch (const std::system_error &Error) {
        fail(std::make_exception_ptr(InputError(
            "--jobs=" + std::to_string(Count) + ": the system allows only " +
            std::to_string(Threads.size()) + " more threads (" +
            Error.code().message() + "); give a smaller number")));
      }
    }
    for (std::thread &T : Threads)
      T.join();
    if (Problem)
      std::rethrow_exception(Problem);
  }

private:
  void fail(std::exception_ptr Why) {
    if (!Problem)
      Problem = std::move(Why);
    Stop = true;
  }

  bool hasFailed() {
    const std::lock_guard<std::mutex> Guard(Lock);
    return Problem != nullptr;
  }

  void runOne(unsigned Number) {
    if (hasFailed())
      return;
    try {
      Job(Number);
    } catch (...) {
      const std::lock_guard<std::mutex> Guard(Lock);
      fail(std::current_exception());
    }
  }

  std::atomic<bool> &Stop;
  const std::function<void(unsigned)> &Job;
  std::mutex Lock; // Guards Problem.
  std::exception_ptr Problem;
};

} // namespace

void runJobs(unsigned Count, std::atomic<bool> &Stop,
             const std::function<void(unsigned)> &Job) {
  Jobs(Stop, Job).run(Count);
}

} // namespace atsan::tool
