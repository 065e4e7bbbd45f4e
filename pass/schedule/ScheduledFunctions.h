//===- ScheduledFunctions.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which functions of a module may run while schedules are controlled.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SCHEDULE_SCHEDULEDFUNCTIONS_H
#define ATSAN_PASS_SCHEDULE_SCHEDULEDFUNCTIONS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"

namespace atsan {

/// All but those of the namespace `unscheduled` of our own headers, which make
/// tests and look at them afterwards, and those that only these call, most of
/// which are the C++ library's. They are nearly all functions of a small test.
llvm::DenseSet<const llvm::Function *> scheduledFunctions(llvm::Module &M);

} // namespace atsan

#endif // ATSAN_PASS_SCHEDULE_SCHEDULEDFUNCTIONS_H
