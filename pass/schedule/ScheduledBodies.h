//===- ScheduledBodies.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -fatomicity-schedule, a function has two bodies: the usual one, and a
// scheduled one that runs while schedules are controlled. The scheduled one
// stops at a point before each access to memory that others may share, and is
// made before the optimizer has added or taken away any. The usual one costs a
// test at its beginning.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SCHEDULE_SCHEDULEDBODIES_H
#define ATSAN_PASS_SCHEDULE_SCHEDULEDBODIES_H

#include "pass/base/RuntimeHooks.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace atsan {

/// Adds scheduled bodies to a module that the optimizer has not seen yet, but
/// whose local variables are in registers.
class SchedulePass : public llvm::PassInfoMixin<SchedulePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

/// Lets the functions that others can call go on in their scheduled body while
/// schedules are controlled; erases the bodies that nobody needs. Returns the
/// functions that have changed.
llvm::SmallVector<llvm::Function *, 32>
enterScheduledBodies(llvm::Module &M, RuntimeHooks &Hooks);

} // namespace atsan

#endif // ATSAN_PASS_SCHEDULE_SCHEDULEDBODIES_H
