//===-- atsan_decision_stack.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decisions of the run that is explored, one above the other, and for each
// what has been tried in its place and what shall be. It outlives runs, and
// processes: there are no addresses in it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_DECISION_STACK_H
#define ATSAN_DECISION_STACK_H

#include "lib/schedule/atsan_saved_state.h"
#include "lib/schedule/atsan_strategy.h"

namespace __atsan {

// A thread that could have been chosen, or that had to wait.
struct Option {
  enum Flag : u8 {
    kEligible = 1,
    kHeld = 2,       // Ready, but it spins and others do not.
    kWanted = 4,     // To be tried, or tried.
    kTried = 8,      // All that begins with it has been explored.
    kAsleep = 16,    // What begins with it was explored before this decision.
    kPreempts = 32,  // It would be a preemption.
    kHolds =
        64  // Its step, when it was tried, kept others that spin from going.
  };
  u32 thread;
  u8 flags;
  u8 kind;  // The step that it is about to execute.
  u32 size;

  bool Has(u32 flag) const { return flags & flag; }
};

class DecisionStack {
 public:
  struct Level {
    uptr first;  // Its options are from here on, ordered by thread.
    u32 count;
    u32 chosen;       // An index among its options.
    u32 preemptions;  // Made by the decisions before.
    u64 signature;    // The structure of the chosen step's past; 0: not known.
  };

  uptr Size() const { return levels_.size(); }
  Level &At(uptr level) { return levels_[level]; }
  Option *OptionsOf(uptr level) { return &options_[levels_[level].first]; }
  Option *Find(uptr level, u32 thread);
  Option &Chosen(uptr level) { return OptionsOf(level)[levels_[level].chosen]; }

  // A level without options, and one more option of the last level.
  Level *Push();
  void Add(const Option &option);
  void Pop();
  // Goes on to what is wanted and was not tried, at the last level where there
  // is something. Returns false if there is nothing left.
  bool Advance();
  void Clear();

  void Save(StateWriter *writer) const;
  // Rejects what cannot be a stack.
  void Load(StateReader *reader);

 private:
  InternalMmapVector<Level> levels_;
  InternalMmapVector<Option> options_;
};

}  // namespace __atsan

#endif  // ATSAN_DECISION_STACK_H
