//===-- Drive.h
//-------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets a strategy schedule a program of Machine.h.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_SCHEDULE_DRIVE_H
#define ATSAN_UNIT_SCHEDULE_DRIVE_H

#include "AllInterleavings.h"
#include "lib/schedule/atsan_strategy.h"

namespace atsan_test {

struct DrivenRun {
  RunLog Log;
  std::string Final;
  bool Complete = true; ///< False: it was given up.
  bool Deadlock = false;
  bool Redundant = false;
  bool Diverged = false;
  uint64_t Class = 0; ///< The hash of ScheduleClass.
};

struct DriveOptions {
  /// Where objects are: another process has them elsewhere.
  uint64_t Base = 0x10000;
  unsigned MaxSteps = 1000;
  bool StopIfRedundant = true;
  /// Whether to compute DrivenRun::Class.
  bool Classes = false;
};

/// The step as strategies see it.
__atsan::Step asStep(const MachineStep &S, uint64_t Base);

/// A strategy as new. It is the same object for the same arguments: strategies
/// are never destroyed, and what Load rejects makes them new.
__atsan::Strategy &freshStrategy(const char *Name,
                                 const __atsan::StrategyOptions &Options = {});

std::string text(const Interleaving &I);

DrivenRun drive(__atsan::Strategy &S, const MachineProgram &P,
                const DriveOptions &Options = {});

/// The hash of an interleaving that the oracle has found.
uint64_t classOf(const MachineProgram &P, const Interleaving &Threads,
                 uint64_t Base = 0x10000);

} // namespace atsan_test

#endif // ATSAN_UNIT_SCHEDULE_DRIVE_H
