//===- ScheduledCalls.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls in scheduled bodies of what has none. By some a thread may leave the
// code that is instrumented: what it does there, no search sees, and a loop
// that has such calls may end by what they count.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SCHEDULE_SCHEDULEDCALLS_H
#define ATSAN_PASS_SCHEDULE_SCHEDULEDCALLS_H

#include "pass/base/RuntimeHooks.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace atsan {

/// Adds a hook before each call of a function that may have no scheduled body,
/// and before instructions that ask the processor for what it counts.
/// To be called once the body calls the scheduled ones of its module.
void addScheduleCalls(llvm::Function &Body, RuntimeHooks &Hooks);

/// Makes the optimizer leave calls of library functions what they are. What it
/// would make of them, such as stores of a copied string, has no points.
void keepScheduledLibraryCalls(llvm::Function &Body,
                               const llvm::TargetLibraryInfo &TLI);

} // namespace atsan

#endif // ATSAN_PASS_SCHEDULE_SCHEDULEDCALLS_H
