//===- Restraint.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the optimizer, which runs between our two passes, from adding reads
// that the program does not make: each could be a false alarm.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_RESTRAINT_H
#define ATSAN_PASS_RESTRAINT_H

#include "llvm/IR/Module.h"

namespace atsan {

/// Before a pipeline is made: passes read these options when they are made.
void setOptimizerOptions();

/// For every function that is to be instrumented, before the optimizer runs.
void restrainOptimizer(llvm::Module &M);

/// Undoes it, before the instrumentation.
void releaseOptimizer(llvm::Module &M);

/// Turns `c ? *a : *b` with two reads into one read of `c ? a : b`.
void readOnlySelected(llvm::Function &F);

} // namespace atsan

#endif // ATSAN_PASS_RESTRAINT_H
