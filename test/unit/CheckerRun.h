//===-- CheckerRun.h -------------------------------------------*- C++ -*--===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drives the checker with a schedule: one OS thread plays all threads. The
// location of an access is the number of its event (from 1), so that what the
// checker reports can be looked up in the schedule.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_CHECKERRUN_H
#define ATSAN_UNIT_CHECKERRUN_H

#include "Schedule.h"
#include "lib/checker/atsan_checker.h"
#include <string>
#include <vector>

namespace atsan_test {

// How accesses at even distances (see evenRun) are given to the checker.
enum class EvenRuns {
  kApart,
  kOneCall, // As the hooks for loops and for neighbours do it.
  kMixed,   // Some so, others one by one, but by the same line of code.
};

struct RunOptions {
  // Skip what instrumented code skips while no region is open anywhere.
  bool Gated = false;
  bool StopAtViolation = true;
  EvenRuns Runs = EvenRuns::kApart;
  // All events have the same location. Then a finding's verdict can be compared
  // with others, not its cycle.
  bool OnePlace = false;
  // No page has credit for sweeps (lib/checker/atsan_sweep.h): what one thread
  // accesses in a row is recorded granule by granule.
  bool SweepsInVain = false;
  // Where offset 0 of the schedule lies: aligned to 8, otherwise arbitrary.
  // Nothing is ever accessed there.
  __atsan::uptr Base = 0x7e1234560000;
};

// Locks lie here, four bytes each.
constexpr __atsan::uptr kLockBase = 0x7e5000000000;

inline __atsan::u32 tidOf(unsigned Thread) { return Thread + 1; }

struct Finding {
  int Event; // Index of the event during which it was reported.
  std::vector<__atsan::Edge> Edges;
  bool Summarized = false; // See __atsan::Cycle.
  // Threads ran in parallel: among events that share nothing, the order of
  // analysis need not be the order of their numbers.
  bool Parallel = false;
};

struct RunResult {
  std::vector<Finding> Findings;
  int firstViolation() const {
    return Findings.empty() ? -1 : Findings[0].Event;
  }
};

// The checker must be fresh (UnitSupport.h); it is not when this returns.
// How many events from I on are plain accesses by one thread, of the same kind
// and size and at even distances: what the hook for a whole loop stands for.
size_t evenRun(const Schedule &S, size_t I);
// Does the checker get those from `First` on in one call?
bool isOneCall(EvenRuns Runs, size_t First);

RunResult runChecker(const Schedule &S, const RunOptions &Options = {});

} // namespace atsan_test

#endif // ATSAN_UNIT_CHECKERRUN_H
