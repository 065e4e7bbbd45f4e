//===-- atsan_schedule_options.h --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of ATSAN_OPTIONS that concern schedules, and the files they name.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_OPTIONS_H
#define ATSAN_SCHEDULE_OPTIONS_H

#include "lib/schedule/atsan_strategy.h"
#include "runtime/schedule/atsan_schedule_file.h"

namespace __atsan {

// The strategy that schedule_strategy names, with what earlier runs know, if
// schedule_state names a file; ends the process for a wrong name or file.
Strategy *StrategyOfOptions();

// A strategy as if nothing had been run, if the one of the options remembers
// points: there are others now. Else `strategy`.
Strategy *ForgetPoints(Strategy *strategy);

// The schedule that the option `schedule` names, or nullptr; ends the process
// if it cannot be read.
const ScheduleText *ScheduleOfOptions();

// Writes what this run knows to schedule_state, if that names a file. False,
// and said, if it cannot be written.
bool SaveState(const Strategy *strategy);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_OPTIONS_H
