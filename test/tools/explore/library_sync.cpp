// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: what synchronizes threads, but is opted out, by the C++ library or by
// the program, has each order tried: its atomic operations are points that tell
// of no access. The number of classes of each case is that of its orders.
// RUN: for o in -O0 -O2; do %clangxx_atsan -std=c++20 $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for w in weak semaphore latch stop tickets lock; do %exits 66 %atsan explore --strategy=systematic --replays=2 --timeout=30 -- ./test$o $w bug || exit 1; done; done > bugs
// RUN: FileCheck --input-file=bugs %s
// RUN: for o in -O0 -O2; do for w in weak semaphore latch stop tickets lock; do %atsan explore --strategy=systematic --timeout=30 -- ./test$o $w || exit 1; done; done > twins
// RUN: FileCheck --check-prefix=TWINS --implicit-check-not="not complete" --input-file=twins %s
// A search does not see which of several threads takes away the last reference
// to an object, and says so.
// RUN: for o in -O0 -O2; do for w in destroyed kept; do %atsan explore --strategy=systematic --timeout=30 -- ./test$o $w || exit 1; done; done | grep -v 'no region' | FileCheck --check-prefix=LAST %s
// LAST: the search is not complete: {{.*}}which of several threads destroys an object
// LAST-NEXT: the only class of schedules
// LAST: the search is not complete: {{.*}}which of several threads destroys an object
// LAST-NEXT: the only class of schedules
// CHECK-COUNT-12: {{1 failed test|1 atomicity violation}}, in schedule {{[0-9]+}} (replayed 2 of 2 times)
// TWINS-COUNT-12: atsan explore: {{all [0-9]+ classes|the only class}} of schedules: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <latch>
#include <memory>
#include <sanitizer/atsan.hpp>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>

// Where nobody controls the threads, all comes in the right order.
extern "C" unsigned __atsan_scheduled;

static bool bug;
static int seen, expected;

template <class First, class Second> static void both(First f, Second s) {
  std::thread a(f);
  std::thread b(s);
  a.join();
  b.join();
}

static void weak() {
  auto p = std::make_shared<int>(1);
  std::weak_ptr<int> w = p;
  expected = 1;
  both(
      [&] {
        if (auto mine = w.lock())
          seen = *mine;
      },
      [&] {
        if (bug)
          p.reset();
      });
}

static void semaphore() {
  std::counting_semaphore<2> left(bug ? 1 : 2);
  expected = 1;
  both([&] { seen = left.try_acquire(); }, [&] { left.try_acquire(); });
}

static void latch() {
  std::latch ready(1);
  if (!bug)
    ready.count_down();
  expected = 1;
  both(
      [&] {
        if (bug)
          ready.count_down();
      },
      [&] { seen = ready.try_wait(); });
}

static void stop() {
  std::stop_source source;
  expected = 1;
  if (!bug)
    source.request_stop();
  both([&] { source.request_stop(); }, [&] { seen = source.stop_requested(); });
}

/// Each thread has a reference of its own.
static void share(bool keeps) {
  auto kept = std::make_shared<int>(1);
  auto first = kept, second = kept;
  if (!keeps)
    kept.reset();
  both([&] { first.reset(); }, [&] { second.reset(); });
}

static int left = 2;
ATSAN_NO_SANITIZE static bool takeTicket() {
  int n = __atomic_load_n(&left, __ATOMIC_SEQ_CST);
  while (n > 0 &&
         !__atomic_compare_exchange_n(&left, &n, n - 1, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST))
    ;
  return n > 0;
}

static std::atomic<int> sold;
static void tickets() {
  auto sell = [] {
    while (takeTicket()) {
      atsan::atomic_region region("sell");
      if (bug)
        sold = sold + 1;
      else
        sold++;
    }
  };
  both(sell, sell);
}

static bool isLocked;
ATSAN_NO_SANITIZE static void lock() {
  while (__atomic_exchange_n(&isLocked, true, __ATOMIC_ACQUIRE))
    ;
}
ATSAN_NO_SANITIZE static void unlock() {
  __atomic_store_n(&isLocked, false, __ATOMIC_RELEASE);
}

static int number;
static void locks() {
  auto add = [] {
    atsan::atomic_region region("add");
    lock();
    number++;
    if (bug) {
      unlock();
      lock();
    }
    number++;
    unlock();
  };
  both(add, add);
}

int main(int argc, char **argv) {
  const std::string how = argv[1];
  bug = argc > 2 && __atsan_scheduled;
  if (how == "weak")
    weak();
  else if (how == "semaphore")
    semaphore();
  else if (how == "latch")
    latch();
  else if (how == "stop")
    stop();
  else if (how == "destroyed" || how == "kept")
    share(how == "kept");
  else if (how == "tickets")
    tickets();
  else
    locks();
  return seen != expected;
}
