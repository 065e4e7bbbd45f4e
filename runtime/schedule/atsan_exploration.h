//===-- atsan_exploration.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of the program, run by one schedule after the other within the
// process: what atsan_explore.cpp and interface/atsan_explore_tests.cpp have in
// common.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_EXPLORATION_H
#define ATSAN_EXPLORATION_H

#include "runtime/schedule/atsan_schedule_director.h"

// <sanitizer/atsan_explore.h> says what they mean.
struct __atsan_explore_options {
  const char *strategy;
  unsigned long runs;
  double seconds;
  unsigned long seed;
  unsigned depth;
  unsigned preemptions_1;
};

namespace __atsan {

struct Exploration {
  void (*function)(void *);
  // Called after each run, when schedules are not controlled any more: whether
  // the run has failed. nullptr: only the runtime and the function itself know.
  int (*has_failed_after)(void *);
  // Says what has happened in a run that does not end; or nullptr.
  const char *(*history)(void *);
  void *argument;
  AccessPoint at;    // Where the program asks for it.
  const char *test;  // The line of a schedule that names the test, or nullptr.
  u32 number;        // The n-th of the process.
  u64 run;           // The current one of all that were searched; from 1 on.
  u64 accesses;      // That were under control, in all runs so far.
  u32 threads;       // Most threads of a run.
  bool has_failed;   // The current run, as the function or its check says.
  bool is_running;
  bool is_shown;  // The finding of this run is reported.
};
extern Exploration exploration;

// The next exploration of the process begins. Returns the schedule that
// ATSAN_OPTIONS asks for, or nullptr.
const ScheduleText *BeginExploration();

// Runs the function once, by the strategy, or else by the schedule. Returns
// whether the run has a finding.
bool RunOnce(Strategy *strategy, const InternalMmapVector<Switch> *schedule);

// Runs it by that schedule. Warns where it could not be followed.
bool ReplayOnce(const ScheduleText &schedule);

// Runs it by one schedule after the other. Returns 1 if the last run has a
// finding, 0 if none has, and -1 if there is no such strategy, which it says.
int SearchSchedules(const __atsan_explore_options &options);

// The process ends in the middle of a run: writes the schedule, and says so.
void ExplorationBeforeDeath();

// Says what is wrong with an exploration, once for the same words. The process
// will not end well: an exploration that checked nothing must not pass.
void SayWrong(const char *message);
// Whether there were any.
bool ExplorationsAreWrong();
// No schedule of the exploration has a finding: that is wrong if none could.
void CheckThatSomethingWasChecked();
// The process ends: is wrong if it never came to the exploration whose schedule
// it shall replay.
void ExplorationsAtExit();
// In the child of a fork, nothing is explored.
void ExplorationsAfterForkInChild();

// Reads the schedule of the last run.
void ScheduleOfLastRun(ScheduleText *schedule);

// Writes the schedule of the last run to a file, replays it, says how to do so,
// and reports what the runtime has found in it.
void ConfirmFinding();

}  // namespace __atsan

#endif  // ATSAN_EXPLORATION_H
