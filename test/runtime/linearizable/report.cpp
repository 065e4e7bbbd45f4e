// Intent: a failure of atsan::linearizable is made small, its schedule replays
// it, and its report is one for people, as JSON, and for atsan report.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -std=c++17 -g -O1 -fatomicity-schedule %s -o test
// RUN: %exits 66 ./test 2>&1 | FileCheck %s
//      CHECK: explore: a finding in schedule [[#]] (replayed 20 of 20 times)
// CHECK-NEXT: replay it: ATSAN_OPTIONS=schedule=test.1.sched ./test
//      CHECK: ERROR: AtomicitySanitizer: linearizability violation: 'tickets': 'take(1) -> 0' fits into no order of the operations, where it returns 1 (in the main thread)
// CHECK-NEXT: thread 1 thread 2{{$}}
// CHECK-NEXT: take(1) ..{{$}}
// CHECK-NEXT: take(1) ..{{$}}
// CHECK-NEXT: .. take(1) -> 0{{$}}
// CHECK-NEXT: .. take(1) -> 0{{$}}
// CHECK-EMPTY:
// CHECK-NEXT: #0 main {{.*}}report.cpp
//      CHECK: SUMMARY: AtomicitySanitizer: linearizability-violation {{.*}}report.cpp:{{.*}} in main
// RUN: FileCheck --check-prefix=SCHEDULE %s < test.1.sched
//      SCHEDULE: atsan-schedule 1
// SCHEDULE-NEXT: explore 2
// SCHEDULE-NEXT: test - | take.0 | take.0 | -
// SCHEDULE-NEXT: switch {{.*}}
//  SCHEDULE-NOT: switch
//
// RUN: env ATSAN_OPTIONS=schedule=test.1.sched %exits 66 ./test 2>&1 | FileCheck --check-prefix=REPLAY %s
// REPLAY-NOT: diverged
// REPLAY: 'take(1) -> 0' fits into no order
// The schedule of a test with other operations.
// RUN: sed s/take/give/ test.1.sched > other.sched
// RUN: env ATSAN_OPTIONS=schedule=other.sched %exits 2 ./test 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: ERROR: AtomicitySanitizer: linearizable: 'tickets': the schedule is of the test '- | give.0 | take.0 | -', which is none of these operations; make it anew
//
// RUN: env ATSAN_OPTIONS=report_format=json:log_path=log %exits 66 ./test
// RUN: grep -h atsan-report-2 log.* > one.json && %python %atsan_source_dir/test/tools/report/Inputs/validate.py json %atsan_source_dir/schema/atsan-report-2.schema.json one.json
// RUN: FileCheck --check-prefix=JSON %s < one.json
// JSON: "history":"    thread 1
// RUN: %exits 66 %atsan report log.* | FileCheck --check-prefix=TOOL %s
// TOOL: 1. linearizability-violation at {{.*}}report.cpp
//
// Under the tool's control: each test once in each process.
// RUN: %exits 66 %atsan explore --runs=20 --strategy=surw -- ./test 2>&1 | FileCheck --check-prefix=EXPLORE %s
// EXPLORE: 1 linearizability violation
//
// It is no violation if the keys are a mistake.
// RUN: %exits 2 ./test keys 2>&1 | FileCheck --check-prefix=KEYS --implicit-check-not=violation %s
// KEYS: ERROR: AtomicitySanitizer: linearizable: 'tickets': operations on different keys are not independent of each other in the sequential object; leave out by_key()
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <sanitizer/atsan_linearizable.hpp>

// Broken: it reads and writes in two steps.
template <bool Broken> struct Tickets {
  int take(int n) {
    if (!Broken)
      return next.fetch_add(n);
    const int found = next.load();
    next.store(found + n);
    return found;
  }
  std::atomic<int> next{0};
};
struct Sequential {
  int next = 0;
  int take(int n) { return (next += n) - n; }
};

// Its last key is known to all: keys are not independent.
struct Last {
  int key = 0;
  int set(int k) { return std::exchange(key, k); }
};

int main(int argc, char **) {
  atsan::linearizable_options options;
  options.name = "tickets";
  options.tests = 20;
  const auto take = [](auto &t, int n) { return t.take(n); };
  if (argc > 1)
    return atsan::linearizable<Last, Last>(
        options, atsan::op("set", atsan::one_of(1, 2), [](auto &l, int k) {
                   return l.set(k);
                 }).by_key());
  atsan::linearizable<Tickets<false>, Sequential>(
      options, atsan::op("take", atsan::one_of(1, 2), take));
  return atsan::linearizable<Tickets<true>, Sequential>(
      options, atsan::op("take", atsan::one_of(1, 2), take));
}
