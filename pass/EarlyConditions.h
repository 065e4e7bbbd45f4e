//===- EarlyConditions.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions of a function, computed where it has not computed them yet.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_EARLYCONDITIONS_H
#define ATSAN_PASS_EARLYCONDITIONS_H

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace atsan {

class ValueFlow;

class EarlyConditions {
public:
  /// Conditions are computed by the builder, which stands at an instruction.
  EarlyConditions(llvm::IRBuilderBase &IRB, const llvm::Instruction &At,
                  const ValueFlow &Flow, const llvm::DominatorTree &DT)
      : IRB(IRB), At(At), Flow(Flow), DT(DT) {}

  /// The condition by which the user, behind the instruction, chooses. What of
  /// it is not known, all or some lanes, is taken for the given value.
  llvm::Value *get(llvm::Value *Condition, const llvm::Instruction &User,
                   bool Unknown);

private:
  llvm::Value *find(llvm::Value *V, const llvm::Instruction &User,
                    unsigned Depth);
  llvm::Value *findLane(llvm::Value *V, unsigned Lane,
                        const llvm::Instruction &User, unsigned Depth);

  llvm::IRBuilderBase &IRB;
  const llvm::Instruction &At;
  const ValueFlow &Flow;
  const llvm::DominatorTree &DT;
};

} // namespace atsan

#endif // ATSAN_PASS_EARLYCONDITIONS_H
