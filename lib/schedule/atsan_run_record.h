//===-- atsan_run_record.h --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of the current run, and the pairs of them that another run may
// execute in the other order: steps of two threads that depend on each other,
// where the later one's thread had not come after the earlier one before.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_RUN_RECORD_H
#define ATSAN_RUN_RECORD_H

#include "lib/schedule/atsan_causality.h"
#include "lib/schedule/atsan_strategy.h"

namespace __atsan {

class RunRecord {
 public:
  // A step that others race with: one that was executed, or one that a thread
  // is still about to execute in a deadlock.
  struct Later {
    Step step;
    u32 thread;
    u32 event;   // Its number; if it was not executed, that of the next one.
    uptr clock;  // What comes before it in each order.
    u32 clock_size;
    bool loose;  // It became ready by a step that it does not depend on.
  };
  struct Race {
    u32 earlier;  // An event.
    u32 later;    // An index of `later`.
  };
  // A thread that can go first where the earlier step of a race was executed,
  // so that later the other one comes before it.
  struct Initials {
    InternalMmapVector<u32> threads;
    bool later_waits;     // The later step's thread was about to execute it.
    bool later_is_first;  // Nothing has to come before the later step.
  };

  void Begin();
  // A point of the run: threads are born, or become ready.
  void See(const Decision &decision);
  // Notes the races in which the candidate's step is the later one: before it
  // is executed, or where it will not be.
  void FindRaces(const Candidate &candidate);
  // Executes the candidate's step. Returns the event's number.
  u32 Execute(const Candidate &candidate);

  // Whether a step became ready by one that it has no object in common with:
  // not all that may come before it is known.
  bool ReadyByUnnamed() const { return unnamed_; }

  uptr NumRaces() const { return races_.size(); }
  const Race &RaceAt(uptr race) const { return races_[race]; }
  const Later &LaterOf(const Race &race) const { return later_[race.later]; }
  // What can be executed of the run without the race's earlier step and all
  // that comes after it, and then the later one: the threads that can begin
  // with that.
  void FindInitials(const Race &race, Initials *initials);
  // What the event is, what came before it, and which earlier events have
  // touched its objects first: the same in each process that makes the same
  // steps.
  u64 StructureOf(u32 event);

 private:
  static constexpr u32 kNone = ~0u;
  struct Executed {
    Step step;
    u32 previous;  // The thread's one before; kNone: this is its first.
  };
  struct Thread {
    u32 last;  // Its last event, or kNone.
    bool seen;
    bool was_ready;  // At the last point.
    bool was_eligible;
    bool loose;  // Its next step.
  };

  Thread *Get(u32 thread);
  bool ComesAfterSeen(ClockView clock, u32 except) const;

  Causality causality_;
  InternalMmapVector<Executed> events_;
  DenseMap<uptr, u32> first_touch_;  // The event, for each object.
  InternalMmapVector<Thread> threads_;
  InternalMmapVector<Later> later_;
  InternalMmapVector<u32> clocks_;  // What `later_` has indices of.
  InternalMmapVector<Race> races_;
  bool unnamed_ = false;
  // While initials are looked for: the index of each thread's first event among
  // those that remain, 0: none, and the threads that have one.
  InternalMmapVector<u32> first_;
  InternalMmapVector<u32> present_;
};

}  // namespace __atsan

#endif  // ATSAN_RUN_RECORD_H
