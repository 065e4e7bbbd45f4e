//===- LoopValues.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the plan of a loop, or of a piece of one, into values: which
// iterations, which addresses. They are computed in the cold block that has the
// hooks.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_PLAN_LOOPVALUES_H
#define ATSAN_PASS_PLAN_LOOPVALUES_H

#include "pass/plan/LoopPlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace atsan {

/// A number of iterations, from Begin on.
struct Iterations {
  llvm::Value *Begin = nullptr, *Count = nullptr;
};

/// How far the counter, which changes by Step, has come from From.
llvm::Value *counterDistance(llvm::IRBuilderBase &IRB, llvm::Value *From,
                             llvm::Value *Counter, int64_t Step,
                             llvm::IntegerType *IntPtrTy);

/// Computes what the hooks of one loop need, behind the loop or at a cut.
class LoopValues {
public:
  LoopValues(const LoopPlan &Plan, llvm::IntegerType *IntPtrTy)
      : Plan(Plan), IntPtrTy(IntPtrTy) {}

  /// Inserts the computation of all that the getters return.
  void compute(llvm::IRBuilderBase &IRB);

  /// The iterations that make any of the accesses.
  Iterations all() const { return All; }
  /// The iterations that make this access.
  Iterations of(const LoopAccess &A) const { return OfGroup.lookup(A.Group); }
  /// Whether an iteration makes the accesses of a group; null if all do.
  llvm::Value *makes(llvm::IRBuilderBase &IRB, unsigned Group,
                     llvm::Value *Iteration) const;
  /// The address of the access in the first iteration.
  llvm::Value *first(const LoopAccess &A) const {
    return FirstOf.lookup(A.E.Ptr);
  }
  /// The address of the access in the given iteration.
  llvm::Value *address(llvm::IRBuilderBase &IRB, const LoopAccess &A,
                       llvm::Value *Iteration) const;
  llvm::Value *stride(const LoopAccess &A) const {
    return StrideOf.lookup(A.Stride);
  }

private:
  llvm::Value *recompute(llvm::IRBuilderBase &IRB, llvm::Value *V);
  llvm::Value *expand(llvm::IRBuilderBase &IRB, const llvm::SCEV *S);
  llvm::Value *iterations(llvm::IRBuilderBase &IRB);
  void computePiece(llvm::IRBuilderBase &IRB);

  const LoopPlan &Plan;
  llvm::IntegerType *IntPtrTy;
  Iterations All;
  llvm::SmallDenseMap<unsigned, Iterations, 4> OfGroup;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> FirstOf;
  llvm::DenseMap<const llvm::SCEV *, llvm::Value *> StrideOf;
};

} // namespace atsan

#endif // ATSAN_PASS_PLAN_LOOPVALUES_H
