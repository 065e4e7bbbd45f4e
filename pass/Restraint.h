//===- Restraint.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the optimizer, which runs between our two passes, from adding reads
// that the program does not make, as far as that is cheap. What it adds
// nevertheless is found out: see DueReads.h.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_RESTRAINT_H
#define ATSAN_PASS_RESTRAINT_H

#include "llvm/Passes/PassBuilder.h"

namespace atsan {

/// Called before a pipeline is made: passes read options when they are made.
void restrainPipeline(llvm::PassBuilder &PB);

/// Called for every function that is to be instrumented, before the optimizer
/// runs.
void restrainOptimizer(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

/// Undoes it, before the instrumentation.
void releaseOptimizer(llvm::Module &M);

} // namespace atsan

#endif // ATSAN_PASS_RESTRAINT_H
