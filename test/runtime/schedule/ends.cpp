// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o ends
// Intent: a deadlock, a failed assertion, an exception and a failed test are
// findings, too, and their schedules replay.
// RUN: %exits 66 ./ends deadlock 2>&1 | FileCheck --check-prefix=DEADLOCK %s
// DEADLOCK: explore: a finding in schedule [[#]], which ends the process
// DEADLOCK-NEXT: replay it: ATSAN_OPTIONS=schedule=ends.1.sched ./ends
// RUN: env ATSAN_OPTIONS=schedule=ends.1.sched %exits 66 ./ends deadlock 2>&1 | FileCheck --check-prefix=WHO %s
// WHO: ERROR: AtomicitySanitizer: deadlock: no thread can go on
// WHO-DAG: thread 0.1 waits in pthread_mutex_lock for the lock 0x{{[0-9a-f]+}} ({{.*}}), which thread 0.2 holds
// WHO-DAG: thread 0.2 waits in pthread_mutex_lock for the lock 0x{{[0-9a-f]+}} ({{.*}}), which thread 0.1 holds
// WHO: SUMMARY: AtomicitySanitizer: deadlock {{.*}}ends.cpp
// RUN: %silent ./ends no-deadlock
//
// RUN: not --crash ./ends aborts 2>&1 | FileCheck --check-prefix=ABORTS %s
// ABORTS: explore: a finding in schedule [[#]], which ends the process
// RUN: not ./ends throws 2>&1 | FileCheck --check-prefix=THROWS %s
// THROWS: explore: a finding in schedule [[#]] (replayed 1 of 1 times)
// THROWS: caught: the value was lost
// RUN: ./ends fails 2>&1 | FileCheck --check-prefix=FAILS %s
// FAILS: explore: a finding in schedule [[#]] (replayed 1 of 1 times)
// FAILS: found 1
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sanitizer/atsan_explore.hpp>
#include <stdexcept>
#include <thread>

static std::mutex first, second;
static int value;

static void take(std::mutex &a, std::mutex &b) {
  std::lock_guard<std::mutex> la(a);
  std::lock_guard<std::mutex> lb(b);
}

static void crossed(bool in_order) {
  std::thread x([] { take(first, second); });
  std::thread y([=] { in_order ? take(first, second) : take(second, first); });
  x.join();
  y.join();
}

static bool losesUpdate() {
  value = 0;
  auto increment = [] {
    int seen;
    {
      std::lock_guard<std::mutex> l(first);
      seen = value;
    }
    std::lock_guard<std::mutex> l(first);
    value = seen + 1;
  };
  std::thread x(increment), y(increment);
  x.join();
  y.join();
  return value != 2;
}

int main(int, char **argv) {
  const char *what = argv[1];
  try {
    int found = atsan::explore([=] {
      if (!strcmp(what, "deadlock"))
        crossed(false);
      else if (!strcmp(what, "no-deadlock"))
        crossed(true);
      else if (losesUpdate()) {
        if (!strcmp(what, "throws"))
          throw std::runtime_error("the value was lost");
        if (!strcmp(what, "aborts"))
          abort();
        __atsan_explore_failed();
      }
    });
    if (!strcmp(what, "fails"))
      printf("found %d\n", found);
  } catch (const std::exception &error) {
    printf("caught: %s\n", error.what());
    return 1;
  }
}
