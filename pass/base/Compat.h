//===- Compat.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Differences between the LLVM versions that the pass compiles with, 19 to 22.
// No other file asks for the version.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_BASE_COMPAT_H
#define ATSAN_PASS_BASE_COMPAT_H

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

#if LLVM_VERSION_MAJOR < 19
#error "AtomicitySanitizer's pass needs LLVM 19 or newer"
#endif

namespace atsan {

/// Adds passes at the end of the per-module pipeline (not that of a link).
template <typename AddPasses>
void atOptimizerLast(llvm::PassBuilder &PB, AddPasses Add) {
#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerLastEPCallback(
      [Add](llvm::ModulePassManager &MPM, llvm::OptimizationLevel,
            llvm::ThinOrFullLTOPhase) { Add(MPM); });
#else
  PB.registerOptimizerLastEPCallback(
      [Add](llvm::ModulePassManager &MPM, llvm::OptimizationLevel) {
        Add(MPM);
      });
#endif
}

/// Adds passes where functions have been simplified for the first time, each
/// for itself.
template <typename AddPasses>
void atFirstSimplified(llvm::PassBuilder &PB, AddPasses Add) {
#if LLVM_VERSION_MAJOR >= 20
  PB.registerPipelineEarlySimplificationEPCallback(
      [Add](llvm::ModulePassManager &MPM, llvm::OptimizationLevel,
            llvm::ThinOrFullLTOPhase) { Add(MPM); });
#else
  PB.registerPipelineEarlySimplificationEPCallback(
      [Add](llvm::ModulePassManager &MPM, llvm::OptimizationLevel) {
        Add(MPM);
      });
#endif
}

/// The object whose lifetime the intrinsic marks: its last argument; before
/// LLVM 22 the size comes first.
inline llvm::Value *lifetimeObject(const llvm::LifetimeIntrinsic &II) {
  return II.getArgOperand(II.arg_size() - 1);
}

} // namespace atsan

#endif // ATSAN_PASS_BASE_COMPAT_H
