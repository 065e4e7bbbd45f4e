//===- EarlyConditions.h ----------------------------------------*- C++ -*-===//
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

#ifndef ATSAN_PASS_READS_EARLYCONDITIONS_H
#define ATSAN_PASS_READS_EARLYCONDITIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace atsan {

class ValueFlow;

class EarlyConditions {
public:
  /// Edges that control takes behind an instruction, with phis that a value
  /// goes through.
  struct Edge {
    const llvm::BasicBlock *From, *To;
    bool IsAgain; // In a later round of a loop: its phis are not known.
  };
  /// Conditions are computed by the builder, which stands at an instruction.
  /// They hold as long as the value that is kept there is not computed anew.
  EarlyConditions(llvm::IRBuilderBase &IRB, const llvm::Instruction &At,
                  const llvm::Instruction &Kept, const ValueFlow &Flow,
                  const llvm::DominatorTree &DT)
      : IRB(IRB), At(At), Kept(Kept), Flow(Flow), DT(DT) {}

  /// The condition that the user, a select or a branch behind the instruction
  /// and behind the edges taken, will find. What of it is not known, all or
  /// some lanes, is taken for the given value.
  llvm::Value *get(llvm::Value *Condition, const llvm::Instruction &User,
                   bool Unknown);

  /// The value that the user will find, or null.
  llvm::Value *find(llvm::Value *V, const llvm::Instruction &User) {
    return find(V, User, Taken.empty() ? kMostSteps : kMaxDepth, Taken.size());
  }

  llvm::SmallVector<Edge, 4> Taken;

private:
  /// How many operations lie between what is known and a value; and as long as
  /// no edge was taken, where each value is computed once, and no more than so
  /// many are.
  static constexpr unsigned kMaxDepth = 4, kMostSteps = 64;

  llvm::Value *get(llvm::Value *Condition, const llvm::Instruction &User,
                   bool Unknown, unsigned Depth);
  llvm::SmallVector<const llvm::Use *, 4>
  operandsBehind(const llvm::PHINode &Phi) const;
  llvm::Value *find(llvm::Value *V, const llvm::Instruction &User,
                    unsigned Depth, size_t Edges);
  const llvm::BranchInst *
  decides(const llvm::PHINode &Phi,
          llvm::SmallVectorImpl<const llvm::Use *> &Operands) const;
  llvm::Value *computePhi(const llvm::PHINode &Phi, unsigned Depth,
                          size_t Edges);
  llvm::Value *compute(llvm::Instruction &I, const llvm::Instruction &User,
                       unsigned Depth, size_t Edges);
  llvm::Value *findLane(llvm::Value *V, unsigned Lane,
                        const llvm::Instruction &User, unsigned Depth);
  llvm::Value *computeLane(const llvm::Instruction &I,
                           llvm::ArrayRef<llvm::Value *> Operands);

  llvm::IRBuilderBase &IRB;
  const llvm::Instruction &At, &Kept;
  const ValueFlow &Flow;
  const llvm::DominatorTree &DT;
  /// Conditions that were computed where no edge was taken.
  llvm::SmallDenseMap<std::pair<llvm::Value *, const llvm::Instruction *>,
                      llvm::Value *>
      Computed;
};

} // namespace atsan

#endif // ATSAN_PASS_READS_EARLYCONDITIONS_H
