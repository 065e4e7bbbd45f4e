//===-- atsan_schedule_run.h ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a controlled run, for the files that make up the scheduler: who
// can go on (candidates), who goes on (baton), and what threads ask for
// (scheduler).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_RUN_H
#define ATSAN_SCHEDULE_RUN_H

#include "runtime/schedule/atsan_schedule_wait.h"
#include "runtime/schedule/atsan_schedule_watch.h"
#include "runtime/schedule/atsan_scheduler.h"

namespace __atsan {

struct Run {
  Strategy *strategy;
  RunListener *listener;
  InternalMmapVector<ScheduledThread *> threads;  // By number.
  InternalMmapVector<Candidate> candidates;       // The last decision's.
  bool only_loops;  // All that were ready there span.
  ScheduleClass schedule_class;
  u32 running;  // The thread with the baton; kNoThread: nobody can go on.
  u32 last;     // The thread that executed the last step.
  u64 points;
  u64 most_points;
  u64 time;
  u64 tickets;
  u64 writes;      // Steps that may change what others wait for.
  u64 idle_since;  // Real time since which nobody could go on without time's
                   // passing.
  Watch watch;     // Looks at the thread with the baton.
  LeavingThreads leaving;
};

// nullptr: there was none yet.
extern Run *run;
// Guards the run, and all that follows.
extern StaticSpinMutex run_mutex;

// --- Who can go on. ----------------------------------------------------------

// Fills `candidates` and `only_loops`; returns whether one of them is ready.
bool GatherCandidates();
bool IsReadyCandidate(u32 thread);
bool GuardHolds(const ScheduledThread *t);
// Whether the program has threads that are none of the run's.
bool HasThreadsOutsideRun();
// Virtual time jumps to the next deadline, but by no more than `most`. False:
// it has not come to one.
bool PassTime(u64 most = kNever);
// For how long all candidates that are ready have waited in loops, in virtual
// time, divided by the points of a round of each; 0: one of them does not.
u64 TimeInLoops();
// Whether the program has a handler for a signal that somebody may send, and
// that may end a wait.
bool SignalsMayHelp();
// Whether all threads that can go on wait in loops for ever, and nobody else
// can end that: no other thread, no time, no signal, no other process.
bool AllSpinForEver();
// Returns who goes on when nobody decides: the current thread, or else the next
// one by number; threads that seem to spin only when there is no other. No
// strategy has a part in it: a schedule that it has made is replayed without
// it.
u32 UsualChoice();

// The step that the thread has stopped for was executed: tells those who wait
// for what it has changed. Returns what EndOverwriting does.
bool EndStep(ScheduledThread *t);

// --- The baton. --------------------------------------------------------------

// Gives the baton to the thread that goes on. `at`: the thread whose stop or
// end asks for it; nullptr: one that sleeps.
void PassBaton(const ScheduledThread *at, bool waits_for_kernel = true);
// Takes the lock itself.
void WaitForBaton(ScheduledThread *self);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_RUN_H
