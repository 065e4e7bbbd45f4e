//===- SchedulePoints.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points at which a thread can be held, one before each access.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SCHEDULE_SCHEDULEPOINTS_H
#define ATSAN_PASS_SCHEDULE_SCHEDULEPOINTS_H

#include "pass/base/RuntimeHooks.h"
#include "pass/selection/ConfinedMemory.h"

namespace atsan {

/// Adds a call before each load and store of memory that other threads may
/// have the address of. The optimizer cannot move an access over it, and plain
/// accesses are told by it: nothing that the optimizer does later shows. Places
/// are named by the function, as its source calls it, and a number. Returns the
/// calls.
llvm::SmallVector<llvm::CallInst *, 64>
addSchedulePoints(llvm::Function &Body, llvm::StringRef Name,
                  ConfinedMemory &Confined, RuntimeHooks &Hooks);

/// Does the same for atomic operations only.
llvm::SmallVector<llvm::CallInst *, 64>
addAtomicSchedulePoints(llvm::Function &Body, ConfinedMemory &Confined,
                        RuntimeHooks &Hooks);

/// Adds a call before each instruction `pause`: by it, loops that spin let
/// others go first. Some of them, such as that of std::atomic<std::shared_ptr>,
/// are in functions that have no other points.
void addSchedulePauses(llvm::Function &F, RuntimeHooks &Hooks);

} // namespace atsan

#endif // ATSAN_PASS_SCHEDULE_SCHEDULEPOINTS_H
