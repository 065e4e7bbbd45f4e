//===- FunctionPlan.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that is to be emitted into one function.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_PLAN_FUNCTIONPLAN_H
#define ATSAN_PASS_PLAN_FUNCTIONPLAN_H

#include "pass/base/Event.h"
#include "pass/plan/LoopPlan.h"
#include "pass/selection/ConfinedMemory.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/InstrTypes.h"

namespace atsan {

/// Events with no visible point in between, reported together: one test of the
/// gate, then the hooks in program order.
struct Segment {
  /// The loop whose accesses are told before the events.
  std::optional<LoopPlan> Loop;
  llvm::SmallVector<Event, 4> Events;
  llvm::Instruction *InsertBefore = nullptr;
  /// No visible point is before it in its block.
  bool IsFirst = false;
  /// Runs so seldom that the hooks are called without a test of the gate.
  bool IsRare = false;
  /// Runs so often that speed counts more than size.
  bool IsHot = false;

  const llvm::BasicBlock *block() const { return InsertBefore->getParent(); }
};

struct FunctionPlan {
  llvm::SmallVector<Segment, 16> Segments;
  llvm::SmallVector<Event, 4> Atomics;
  /// setjmp and its family, getcontext, and the compiler's own setjmp and
  /// longjmp.
  llvm::SmallVector<llvm::CallBase *, 1> Jumps;
  /// Calls of memcmp and bcmp that code generation may expand.
  llvm::SmallVector<llvm::CallInst *, 2> Comparisons;
  /// Blocks with a visible point other than their end.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> VisibleBlocks;

  /// Markers of lifetimes that are told in another way: to be erased once all
  /// else is emitted.
  llvm::SmallVector<llvm::Instruction *, 4> Outdated;

  /// Variables on the stack that other threads may see.
  llvm::SmallVector<llvm::AllocaInst *, 8> Shared;

  bool empty() const {
    return Segments.empty() && Atomics.empty() && Jumps.empty() &&
           Comparisons.empty();
  }
};

/// Decides for a whole function; inserts no hook.
FunctionPlan planFunction(llvm::Function &F, ConfinedMemory &Confined,
                          const llvm::BlockFrequencyInfo &Frequencies,
                          llvm::AAResults &AA);

} // namespace atsan

#endif // ATSAN_PASS_PLAN_FUNCTIONPLAN_H
