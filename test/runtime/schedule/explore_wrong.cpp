// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: an exploration within the program that could find nothing is an error
// of the program, also where a test framework looks at no result: it is said
// once, the other tests run, and the exit code is 2.
// RUN: %clangxx_atsan -std=c++17 -O1 -fatomicity-schedule %s -o test
// RUN: %exits 2 ./test strategy 2>&1 | FileCheck --check-prefix=STRATEGY %s
// STRATEGY: ERROR: AtomicitySanitizer: explore: 'predict' is no strategy; name surw, pct, pos, random or systematic
// STRATEGY-NEXT: rest
// RUN: %exits 2 ./test nested 2>&1 | FileCheck --check-prefix=NESTED %s
// NESTED: ERROR: AtomicitySanitizer: explore: another exploration is running; call it outside of its function
// NESTED-NEXT: rest
// RUN: %exits 2 ./test leaving 2>&1 | FileCheck --check-prefix=ALONE %s
// RUN: %exits 2 ./test alone 2>&1 | FileCheck --check-prefix=ALONE %s
// ALONE: ERROR: AtomicitySanitizer: explore: nothing was checked: the function has started no thread
// ALONE-NEXT: rest
// RUN: %clangxx_atsan -std=c++17 -O1 %s -o unscheduled && %exits 2 ./unscheduled right 2>&1 | FileCheck --check-prefix=POINTS %s
// RUN: %exits 2 ./unscheduled object 2>&1 | FileCheck --check-prefix=POINTS %s
// POINTS: ERROR: AtomicitySanitizer: explore: nothing was checked: no access was under control; compile the program with -fatomicity-schedule, too
// POINTS-NEXT: rest
// RUN: for w in right object; do ./test $w > said 2>&1 && echo rest | cmp - said || exit 1; done
//
// A schedule of what the program does not come to any more.
// RUN: printf 'atsan-schedule 1\nexplore 2\nswitch 0 f#1 1 0.1\nend\n' > second.sched
// RUN: env ATSAN_OPTIONS=schedule=second.sched %exits 2 ./test right 2>&1 | FileCheck --check-prefix=SECOND %s
// SECOND: rest
// SECOND-NEXT: ERROR: AtomicitySanitizer: explore: the run could follow nothing of the schedule 'second.sched': it is of exploration 2 of the program, which has come to 1; run the same tests, or make the schedule anew
// The file is read once: the program may be elsewhere at its end.
// RUN: printf 'atsan-schedule 1\nexplore 1\nend\n' > none.sched
// RUN: env ATSAN_OPTIONS=schedule=none.sched ./test elsewhere
// RUN: printf 'atsan-schedule 1\nexplore 1\nswitch 0 f#1 1 0.1\nend\n' > other.sched
// RUN: env ATSAN_OPTIONS=schedule=other.sched %exits 2 ./test right 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: ERROR: AtomicitySanitizer: explore: the run could follow nothing of the schedule: it is of another program, or the code was edited there; make it anew
//
// There is no replay of a schedule that could not be written.
// RUN: (mkdir gone && cd gone && rmdir ../gone && ../test failing) 2>&1 | FileCheck --check-prefix=LOST --implicit-check-not="replay it" %s
// LOST: WARNING: AtomicitySanitizer: explore: the schedule cannot be written to 'test.1.sched'; run the program in a folder where it may write
// LOST: explore: a finding in schedule 1 (replayed
//
// What linearizable() cannot make tests of.
// RUN: %clangxx -std=c++17 -isystem %atsan_include %s -o plain -lpthread
// RUN: for p in test plain; do for w in tests schedules threads calls by_thread; do %exits 2 ./$p $w || exit 1; done; done > said 2>&1; FileCheck --check-prefix=LIMITS --implicit-check-not=rest --input-file=said %s
// LIMITS: ERROR: AtomicitySanitizer: linearizable: 'counter': nothing would be checked: `tests` and `schedules` are 1 or more
// LIMITS: 'counter': nothing would be checked
// LIMITS: 'counter': `threads` is 2 or more
// LIMITS: 'counter': `calls` is 1 to 8
// LIMITS: 'counter': no test has the thread that by_thread(9) names, of 'add'; raise `threads`, which is 3
// LIMITS-COUNT-5: ERROR: AtomicitySanitizer: linearizable: 'counter'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cstdio>
#include <sanitizer/atsan_explore.hpp>
#include <sanitizer/atsan_linearizable.hpp>
#include <string>
#include <thread>
#include <unistd.h>

static void addTwice() {
  std::atomic<int> n{0};
  std::thread other([&] { n++; });
  n++;
  other.join();
}

struct Counter {
  std::atomic<int> n{0};
  int add() { return n++; }
};
struct Sequential {
  int n = 0;
  int add() { return n++; }
};

static void testObject(const std::string &how) {
  atsan::linearizable_options options;
  options.name = "counter";
  options.tests = how == "tests" ? 0 : 2;
  options.schedules = how == "schedules" ? 0 : 20;
  options.threads = how == "threads" ? 1 : 3;
  options.calls = how == "calls" ? 9 : 4;
  auto add = atsan::op("add", [](auto &object) { return object.add(); });
  atsan::linearizable<Counter, Sequential>(
      options, how == "by_thread" ? add.by_thread(9) : add);
}

int main(int, char **argv) {
  const std::string how = argv[1];
  atsan::explore_options options;
  options.runs = 20;
  if (how == "strategy") {
    options.strategy = "predict";
    atsan::explore(addTwice, options);
    atsan::explore(addTwice, options);
  } else if (how == "nested") {
    atsan::explore(
        [&] {
          addTwice();
          atsan::explore(addTwice, options);
        },
        options);
  } else if (how == "alone" || how == "leaving") {
    static int n;
    atsan::explore([] { n++; }, options);
    if (how == "leaving") {
      std::fputs("rest\n", stderr);
      _exit(0);
    }
  } else if (how == "failing") {
    atsan::explore([] {
      addTwice();
      __atsan_explore_failed();
    });
  } else if (how == "elsewhere") {
    atsan::explore(addTwice, options);
    if (chdir("/"))
      return 1;
  } else if (how == "right") {
    atsan::explore(addTwice, options);
  } else {
    testObject(how);
  }
  std::fputs("rest\n", stderr);
  return 0;
}
