// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: while a thread sleeps, another one asks again and again whether it is
// done: by a flag, with a limit by a clock, or under a lock. Time is virtual,
// so that an hour of it takes nothing; what is wrong behind it is found, and
// found again. A limit that is shorter than the sleep ends first.
// RUN: for o in -O0 -O2; do %clangxx_atsan -std=c++17 $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for s in systematic surw pct; do for w in flag yield clock early lock; do %atsan explore --strategy=$s --runs=6 --timeout=20 -- ./test$o $w | FileCheck --check-prefix=TWIN %s || exit 1; done; done; done
// RUN: for o in -O0 -O2; do for s in pos surw; do for w in flag yield clock lock; do %exits 66 %atsan explore --strategy=$s --runs=200 --replays=5 --timeout=20 -- ./test$o $w bug | FileCheck --check-prefix=BUG %s || exit 1; done; done; done
// RUN: for o in -O0 -O2; do for w in flag yield lock; do %exits 66 %atsan explore --strategy=systematic --replays=5 --timeout=20 -- ./test$o $w bug | FileCheck --check-prefix=BUG %s || exit 1; done; done
// In pct, a thread that waited comes back with the priority that it had.
// RUN: for w in flag yield; do %exits 66 %atsan explore --strategy=pct --runs=600 --replays=5 --timeout=20 -- ./test-O2 $w bug | FileCheck --check-prefix=BUG %s || exit 1; done
// TWIN: nothing found
// BUG: 1 atomicity violation, in schedule {{[0-9]+}} (replayed 5 of 5 times)
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <string>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

extern "C" unsigned __atsan_scheduled;

static std::atomic<bool> done;
static std::mutex mutex;
static bool done_under_lock;
static int x;

// Others come in between if they want to.
static void addTwice() {
  atsan::atomic_region region("adds twice");
  for (int i = 0; i < 2; i++) {
    std::lock_guard<std::mutex> guard(mutex);
    x++;
  }
}

static void sleepAndSay(bool bug) {
  if (__atsan_scheduled)
    std::this_thread::sleep_for(1h);
  {
    std::lock_guard<std::mutex> guard(mutex);
    done_under_lock = true;
  }
  done = true;
  if (bug)
    addTwice();
}

static bool isDoneUnderLock() {
  std::lock_guard<std::mutex> guard(mutex);
  return done_under_lock;
}

// Returns whether the other one was done in time.
static bool wait(const std::string &how) {
  const auto limit = how == "early" ? 10ms : 2h;
  const auto late = Clock::now() + limit;
  if (how == "lock")
    while (!isDoneUnderLock()) {
    }
  else if (how == "clock" || how == "early")
    while (!done)
      if (Clock::now() > late)
        return false;
  while (!done)
    if (how == "yield")
      std::this_thread::yield();
  return true;
}

int main(int argc, char **argv) {
  const bool bug = argc > 2;
  std::thread thread(sleepAndSay, bug);
  const bool in_time = wait(argv[1]);
  assert(!__atsan_scheduled || in_time == (std::string(argv[1]) != "early"));
  if (bug)
    addTwice();
  thread.join();
}
