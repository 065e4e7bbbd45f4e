//===-- atsan_explore.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What programs call to explore a test (sanitizer/atsan_explore.h).
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_report.h"
#include "runtime/schedule/atsan_exploration.h"

namespace __atsan {

// The schedule of the option, if it is of this exploration. Others are run
// once.
static int Replay(const ScheduleText &schedule) {
  exploration.run = 1;
  if (schedule.exploration != exploration.number) {
    exploration.function(exploration.argument);
    return 0;
  }
  hold_findings = false;
  exploration.is_shown = true;
  return ReplayOnce(schedule);
}

static int SearchAndConfirm(const __atsan_explore_options &options) {
  const int found = SearchSchedules(options);
  if (found == 1)
    ConfirmFinding();
  else if (!found)
    CheckThatSomethingWasChecked();
  return found;
}

}  // namespace __atsan

using namespace __atsan;

extern "C" {

// The header says what both functions do.
SANITIZER_INTERFACE_ATTRIBUTE int __atsan_explore(
    void (*function)(void *argument), void *argument,
    const __atsan_explore_options *options) {
  if (exploration.is_running) {
    SayWrong("another exploration is running; call it outside of its function");
    return -1;
  }
  // The schedule of the whole program is under control: this is a part of it.
  if (__atsan_scheduled || !cur_thread) {
    function(argument);
    return 0;
  }
  const ScheduleText *replayed = BeginExploration();
  exploration.function = function;
  exploration.argument = argument;
  exploration.at = ATSAN_CALLER_POINT();
  exploration.is_running = true;
  hold_findings = true;
  const __atsan_explore_options usual = {};
  const int found = replayed ? Replay(*replayed)
                             : SearchAndConfirm(options ? *options : usual);
  hold_findings = false;
  exploration.is_running = false;
  return found;
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_explore_failed() {
  exploration.has_failed = true;
}

}  // extern "C"
