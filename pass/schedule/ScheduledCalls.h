//===- ScheduledCalls.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls by which a thread may leave the code that is instrumented. What it
// does there, no search sees: a loop that has such calls may end by what they
// count.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SCHEDULE_SCHEDULEDCALLS_H
#define ATSAN_PASS_SCHEDULE_SCHEDULEDCALLS_H

#include "pass/base/RuntimeHooks.h"

namespace atsan {

/// Adds a hook before each call of a function that may have no scheduled body,
/// and before instructions that ask the processor for what it counts.
/// To be called once the body calls the scheduled ones of its module.
void addScheduleCalls(llvm::Function &Body, RuntimeHooks &Hooks);

} // namespace atsan

#endif // ATSAN_PASS_SCHEDULE_SCHEDULEDCALLS_H
