//===-- atsan_schedule_program.h --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One schedule of a whole program, as `atsan explore` runs it again and again.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_PROGRAM_H
#define ATSAN_SCHEDULE_PROGRAM_H

namespace __atsan {

// Controls the program from here on, if an option says so. Called by the main
// thread, last of all that is set up.
void ScheduleProgramInit();

// The program ends: writes what schedule_out and schedule_state ask for.
void ScheduleProgramAtExit();

// Whether ScheduleProgramAtExit has said that a file could not be written, or
// that the schedule is of another program, or an exploration was wrong. Of the
// latter, tools that ask for schedule_out see for themselves.
bool ScheduleHasFailed();

// A deadly signal has come.
void ScheduleProgramCrashes();
// A handler of the program gets a signal that few programs survive. Writes the
// schedule up to there; control goes on, for this one may.
void ScheduleBeforeFatalHandler();

// A handler of the program is about to run: when, no schedule says.
void ScheduleBeforeHandler();

// A point: the child inherits what other threads have not finished, such as a
// lock that one of them holds.
void ScheduleBeforeFork();
// The program has a child, which may share memory or files with it.
void ScheduleAfterForkInParent();
// In the child of a fork, nothing is controlled.
void ScheduleAfterForkInChild();

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_PROGRAM_H
