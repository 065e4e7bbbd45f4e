//===- Compat.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Differences between the LLVM versions that the pass compiles with, 19 to 22.
// No other file of the pass asks for the version. Where it can, this one asks
// what the headers have, and not for the version either.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_BASE_COMPAT_H
#define ATSAN_PASS_BASE_COMPAT_H

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
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
/// LLVM 20 and newer say which phase of LTO it is.
template <typename AddPasses>
void atOptimizerLast(llvm::PassBuilder &PB, AddPasses Add) {
  PB.registerOptimizerLastEPCallback(
      [Add](llvm::ModulePassManager &MPM, auto...) { Add(MPM); });
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

namespace detail {

template <typename Layout>
auto exceedsStack(const Layout &DL, llvm::Align A, int)
    -> decltype(DL.exceedsNaturalStackAlignment(A)) {
  return DL.exceedsNaturalStackAlignment(A);
}

/// LLVM 22 leaves the comparison to the caller.
template <typename Layout>
bool exceedsStack(const Layout &DL, llvm::Align A, long) {
  const llvm::MaybeAlign Stack = DL.getStackAlignment();
  return Stack && A > *Stack;
}

template <typename Result, typename Position>
Result splitAt(Result (*Split)(llvm::Value *, Position), llvm::Value *Count,
               llvm::Instruction &Before) {
  if constexpr (std::is_pointer_v<Position>)
    return Split(Count, &Before);
  else
    return Split(Count, Before.getIterator());
}

} // namespace detail

/// True if the stack has no such alignment by itself.
inline bool exceedsStackAlignment(const llvm::DataLayout &DL, llvm::Align A) {
  return detail::exceedsStack(DL, A, 0);
}

/// Adds a loop of Count iterations before the instruction. What it returns is
/// where the body's instructions go, and the number of the iteration.
inline std::pair<llvm::Instruction *, llvm::Value *>
insertCountedLoop(llvm::Value *Count, llvm::Instruction &Before) {
  return detail::splitAt(llvm::SplitBlockAndInsertSimpleForLoop, Count, Before);
}

} // namespace atsan

#endif // ATSAN_PASS_BASE_COMPAT_H
