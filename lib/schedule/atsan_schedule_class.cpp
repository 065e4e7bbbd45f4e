//===-- atsan_schedule_class.cpp --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of a run's class: the sum over its steps of a number made of what
// came before each, so that the order of independent steps has no part in it.
// That a thread comes after its birth has none either: it does so in all runs.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_causality.h"
#include "lib/schedule/atsan_strategies.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

struct ScheduleClass::State {
  Causality causality;
  u64 sum = 0;
};

void ScheduleClass::Begin() {
  if (!state_)
    state_ = new (StorageFor<State>()) State();
  state_->causality.Begin();
  state_->sum = 0;
}

void ScheduleClass::Execute(u32 thread, const Step &step) {
  const u32 event = state_->causality.Execute(thread, step);
  state_->sum += state_->causality.HashOf(event, step);
}

u64 ScheduleClass::Hash() const { return state_->sum; }

}  // namespace __atsan
