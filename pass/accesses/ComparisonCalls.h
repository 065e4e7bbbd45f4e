//===- ComparisonCalls.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memcmp, strcmp and the like. The runtime's interceptors tell exactly the
// bytes that decide the result. The optimizer and code generation make loads of
// them that read more, or that no hook tells of.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_COMPARISONCALLS_H
#define ATSAN_PASS_ACCESSES_COMPARISONCALLS_H

#include "pass/base/RuntimeHooks.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace atsan {

/// Called before the optimizer runs: keeps it from looking into the calls.
void keepComparisons(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

/// Runs within the optimizer: gives it back the calls that read only constants.
struct ReleaseComparisonsPass : llvm::PassInfoMixin<ReleaseComparisonsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

/// Called behind the optimizer: keeps code generation from making loads of
/// calls.
void keepLibraryCalls(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

/// True for a call kept by keepComparisons that code generation can do inline.
bool isExpandable(const llvm::CallInst &Call);

/// Leaves the call to code generation as long as no region is active.
void emitComparison(llvm::CallInst &Call, RuntimeHooks &Hooks);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_COMPARISONCALLS_H
