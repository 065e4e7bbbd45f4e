//===- StackFrame.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is to be known of a function so that one hook tells that all objects of
// its frame are born, and one that they are dead.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_PLAN_STACKFRAME_H
#define ATSAN_PASS_PLAN_STACKFRAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace atsan {

/// Whether the function has a frame that hooks can tell as a whole.
bool canTellFrame(const llvm::Function &F);

/// Whether the object may be where the caller has put an argument that it gets:
/// code generation makes no copy of such an argument.
bool mayBeOnCallersStack(const llvm::AllocaInst &Alloca);

class StackFrame {
public:
  explicit StackFrame(llvm::Function &F);

  /// False: the block may run several times in one call of the function.
  bool runsOnce(const llvm::BasicBlock &BB) const {
    return !Repeated.contains(&BB);
  }

  /// Whether the function may be left behind the instruction by an exception
  /// that runs no code of it.
  bool mayBeAbandonedBehind(const llvm::Instruction &I) const;

  /// Chooses where the frame is told to be born: at an instruction that runs at
  /// most once, before all of the given ones.
  llvm::Instruction *chooseBirth(llvm::ArrayRef<llvm::Instruction *> Births);

  /// Whether the chosen place may come before the block.
  bool isBornBefore(const llvm::BasicBlock &BB) const {
    return Behind.contains(&BB);
  }

private:
  llvm::Function &F;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Repeated;
  /// Blocks that lead to one with a call that may throw.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> BeforeThrow;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Behind;
};

} // namespace atsan

#endif // ATSAN_PASS_PLAN_STACKFRAME_H
