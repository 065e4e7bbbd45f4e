// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: while a thread waits for a second, another one has work to do that
// takes some milliseconds: it looks at many variables, one after the other,
// also with an eye on a clock. That is no loop that waits, so time does not
// pass for the others as if it was. With a limit that the work exceeds (bug) it
// is late.
// RUN: for o in -O0 -O2; do %clangxx_atsan -std=c++17 $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for s in systematic surw pos; do for w in scan watch; do %atsan explore --strategy=$s --runs=5 --timeout=20 -- ./test$o $w | FileCheck --check-prefix=TWIN %s || exit 1; done; done; done
// RUN: for o in -O0 -O2; do for w in scan watch; do %exits 66 %atsan explore --strategy=surw --runs=50 --replays=3 --timeout=20 -- ./test$o $w bug | FileCheck --check-prefix=BUG %s || exit 1; done; done
// The time that passes for a loop ends with the loop, and is the same for one
// loop as for several: limits keep their order.
// RUN: for o in -O0 -O2; do for s in surw pos random; do for w in behind limits; do %atsan explore --strategy=$s --runs=10 --timeout=20 -- ./test$o $w | FileCheck --check-prefix=TWIN %s || exit 1; done; done; done
// What a thread has read may be gone when others are asked whether it waits.
// RUN: for o in -O0 -O2; do for s in surw pos random; do %atsan explore --strategy=$s --runs=20 --timeout=20 -- ./test$o unmap | FileCheck --check-prefix=TWIN %s || exit 1; done; done
// TWIN: nothing found
// BUG: 1 crash, in schedule {{[0-9]+}} (replayed 3 of 3 times)
// BUG-NEXT: failed assertion 'in_time'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <time.h>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

extern "C" unsigned __atsan_scheduled;

static std::mutex mutex;
static std::condition_variable changed;
static bool done;
static int count = 20000;
static char letters[20000];
static std::atomic<bool> seen, stop;

static void awaitWork(bool bug) {
  std::unique_lock<std::mutex> guard(mutex);
  const auto limit = bug && __atsan_scheduled ? 5ms : 1000ms;
  const bool in_time = changed.wait_for(guard, limit, [] { return done; });
  assert(in_time);
}

static void work(bool with_clock) {
  const auto late = Clock::now() + 500ms;
  int found = 0;
  for (int i = 0; i < count; i++) {
    found += letters[i] != 0;
    if (with_clock)
      assert(Clock::now() < late);
  }
  assert(found == 0);
  std::lock_guard<std::mutex> guard(mutex);
  done = true;
  changed.notify_one();
}

static void lookAndYield(const char *page) {
  if (*page == 0)
    seen = true;
  while (!stop)
    sched_yield();
}

static void unmap() {
  constexpr size_t kSize = 1 << 20;
  void *page = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::thread thread(lookAndYield, static_cast<const char *>(page));
  while (!seen)
    sched_yield();
  munmap(page, kSize);
  stop = true;
  thread.join();
}

static std::atomic<int> numbers[16];

static void sleepFor(std::chrono::nanoseconds time) {
  if (__atsan_scheduled)
    std::this_thread::sleep_for(time);
  stop = true;
}

// A limit that the thread's loop has, and a time at which it is over for sure.
static constexpr long kLimit = 100000000, kLate = 120000000; // Nanoseconds.

// A round has two steps beside the clock, or few more.
static long now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void awaitLimit(long start) {
  while (!stop && now() - start < kLimit) {
  }
}

static void lookBehindLoop() {
  std::thread thread(sleepFor, 1h);
  const long start = now();
  awaitLimit(start);
  int sum = 0;
  for (const std::atomic<int> &number : numbers)
    sum += number;
  assert(sum == 0);
  assert(!__atsan_scheduled || now() - start < kLate);
  thread.join();
}

static void keepLimit(long start) {
  awaitLimit(start);
  assert(!__atsan_scheduled || !stop);
}

static void keepLimits() {
  std::thread sleeper(sleepFor, std::chrono::nanoseconds(kLate));
  const long start = now();
  std::thread first(keepLimit, start), second(keepLimit, start);
  keepLimit(start);
  first.join();
  second.join();
  sleeper.join();
}

int main(int argc, char **argv) {
  const std::string how = argv[1];
  if (how == "unmap" || how == "behind" || how == "limits") {
    (how == "unmap" ? unmap : how == "behind" ? lookBehindLoop : keepLimits)();
    return 0;
  }
  std::thread thread(awaitWork, /*bug=*/argc > 2);
  work(how == "watch");
  thread.join();
}
