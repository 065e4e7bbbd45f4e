//===-- atsan_explore_tests.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explores tests that a program makes one after the other, as
// <sanitizer/atsan_linearizable.hpp> does (sanitizer/atsan_explore.h). Nothing
// is said of a finding until the program keeps it: it may find a smaller test
// first.
//
//===----------------------------------------------------------------------===//
#include "runtime/options/atsan_flags.h"
#include "runtime/report/atsan_report.h"
#include "runtime/schedule/atsan_exploration.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/threads/atsan_thread_registry.h"
#include "sanitizer_common/sanitizer_placement_new.h"

struct __atsan_test {
  void (*run)(void *argument);
  int (*has_failed)(void *argument);
  const char *(*history)(void *argument);
  void *argument;
  const char *name;
};

namespace __atsan {
namespace {

// What __atsan_tests_begin returns.
enum Mode { kSkipped, kSearched, kReplayed, kRunOnce };
Mode mode;
const ScheduleText *replayed;

// What __atsan_test_try returns.
enum Outcome { kNothing, kFailed, kReported };

// The schedule of the last test that had a finding.
ScheduleText *Kept() {
  alignas(ScheduleText) static char storage[sizeof(ScheduleText)];
  static ScheduleText *kept;
  if (!kept)
    kept = new (storage) ScheduleText();
  return kept;
}
u64 run_of_kept;

void SetTest(const __atsan_test &test, const AccessPoint &at) {
  exploration.at = at;
  exploration.function = test.run;
  exploration.has_failed_after = test.has_failed;
  exploration.history = test.history;
  exploration.argument = test.argument;
  exploration.test = test.name;
}

void Keep(const InternalMmapVector<Switch> &switches) {
  Kept()->switches.clear();
  for (const Switch &s : switches)
    Kept()->switches.push_back(s);
}

int Explore(const __atsan_explore_options &options) {
  hold_findings = true;
  exploration.is_running = true;
  const int found = SearchSchedules(options);
  exploration.is_running = false;
  hold_findings = false;
  if (!found)
    CheckThatSomethingWasChecked();
  if (found != 1)
    return found;
  run_of_kept = exploration.run;
  ScheduleText schedule;
  ScheduleOfLastRun(&schedule);
  Keep(schedule.switches);
  return exploration.has_failed ? kFailed : kReported;
}

int Replay() {
  exploration.run = 1;
  exploration.is_running = exploration.is_shown = true;
  ReplayOnce(*replayed);
  exploration.is_running = false;
  return exploration.has_failed ? kFailed : kNothing;
}

int RunUncontrolled(const __atsan_test &test) {
  test.run(test.argument);
  return test.has_failed(test.argument) ? kFailed : kNothing;
}

// Leaves each switch out that the failure does not need, the last one first.
void MinimizeSwitches() {
  for (uptr i = Kept()->switches.size(); i--;) {
    InternalMmapVector<Switch> fewer;
    for (uptr j = 0; j < Kept()->switches.size(); j++)
      if (j != i)
        fewer.push_back(Kept()->switches[j]);
    RunOnce(nullptr, &fewer);
    if (exploration.has_failed)
      Keep(fewer);
  }
}

// Counts those stamps that no schedule controls.
atomic_uint64_t stamps;

}  // namespace
}  // namespace __atsan

using namespace __atsan;

extern "C" {

// The header says what they do.
SANITIZER_INTERFACE_ATTRIBUTE int __atsan_tests_begin(uptr size_of_test,
                                                      const char **test) {
  // Before there was a size, the first argument was a pointer.
  if (size_of_test != sizeof(__atsan_test)) {
    Report(
        "ERROR: %s: the tests were compiled with the headers of another "
        "version: compile them with those of the runtime that is linked\n",
        SanitizerToolName);
    ExitForBadSetup();
  }
  *test = nullptr;
  if (__atsan_scheduled || !cur_thread)
    return mode = kRunOnce;
  replayed = BeginExploration();
  if (!replayed)
    return mode = kSearched;
  if (replayed->exploration != exploration.number)
    return mode = kSkipped;
  *test = replayed->test.data();
  return mode = kReplayed;
}

SANITIZER_INTERFACE_ATTRIBUTE int __atsan_test_try(
    const __atsan_test *test, const __atsan_explore_options *options) {
  if (mode == kRunOnce)
    return RunUncontrolled(*test);
  SetTest(*test, ATSAN_CALLER_POINT());
  return mode == kReplayed ? Replay() : Explore(*options);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_test_keep(const __atsan_test *test,
                                                     int outcome) {
  if (mode != kSearched)
    return;
  SetTest(*test, ATSAN_CALLER_POINT());
  exploration.run = run_of_kept;
  hold_findings = true;
  exploration.is_running = true;
  if (outcome == kFailed)
    MinimizeSwitches();
  RunOnce(nullptr, &Kept()->switches);
  ConfirmFinding();
  exploration.is_running = false;
  hold_findings = false;
}

SANITIZER_INTERFACE_ATTRIBUTE unsigned long __atsan_test_stamp() {
  const AccessPoint at = ATSAN_CALLER_POINT();
  if (ScheduledThread *self = CurrentScheduled())
    PointAt(self, ATSAN_SCHEDULE_PLACE("__atsan_test_stamp"), &stamps, at);
  return atomic_fetch_add(&stamps, 1, memory_order_seq_cst) + 1;
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_test_report(const char *message,
                                                       const char *history) {
  const AccessPoint at = ATSAN_CALLER_POINT();
  if (Thread *thr = CurrentOrNewThread())
    ReportUsageError(thr, at, message, kNotLinearizableKind, history);
}

}  // extern "C"
