//===-- atsan_potential.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a checker of other schedules found, before it is symbolized: pairs of
// events, and what each pair says.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_POTENTIAL_H
#define ATSAN_POTENTIAL_H

#include "lib/checker/atsan_defs.h"
#include "lib/reduction/atsan_reduction.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

struct PotentialEvent {
  StepKind kind;
  u32 tid;
  LocId loc;  // A location, or a plain stack.
  uptr addr;
  bool in_region;  // That the finding is about.
  // The other region that it was in, or 0. An access has it in its location.
  u32 other_region;
};

struct PotentialStep {
  PotentialEvent first;
  PotentialEvent later;
  InternalScopedString why;
};

struct PotentialFinding {
  u32 region_context;
  // The first are the events between which others may come; the others say why
  // they do not commute.
  PotentialStep steps[3];
  uptr num_steps;
};

}  // namespace __atsan

#endif  // ATSAN_POTENTIAL_H
