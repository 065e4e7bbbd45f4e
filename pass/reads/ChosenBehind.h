//===- ChosenBehind.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a value that is kept over a barrier will be chosen behind it: the
// optimizer may have moved a select, for which the source read, behind the
// barrier, or made a branch of it, and moved what is computed from the value
// before the select.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_CHOSENBEHIND_H
#define ATSAN_PASS_READS_CHOSENBEHIND_H

#include "pass/reads/EarlyConditions.h"
#include "pass/reads/ValueFlow.h"

namespace atsan {

class ChosenBehind {
public:
  /// Computes by the builder, which stands at the barrier.
  ChosenBehind(llvm::IRBuilderBase &IRB, const llvm::Instruction &Barrier,
               const llvm::Instruction &Kept, const ValueFlow &Flow,
               const llvm::DominatorTree &DT)
      : IRB(IRB), Barrier(Barrier), Kept(Kept), Flow(Flow), DT(DT),
        Conditions(IRB, Barrier, Kept, Flow, DT) {}

  /// Computes for each lane of the value, or for all of it, whether it is
  /// chosen. What cannot be known at the barrier counts as chosen.
  llvm::Value *get();

private:
  /// How many uses a value is followed through, to what chooses it. Behind a
  /// phi, they are followed anew for each way to it.
  static constexpr unsigned kMostUses = 1000, kMostBehindPhis = 64;
  static constexpr unsigned kMostCases = 16;

  llvm::Value *isChosen(const llvm::Instruction &V);
  llvm::Value *isChosen(const llvm::Use &U);
  llvm::Value *isReached(const llvm::Use &U);
  llvm::Value *takes(const llvm::Instruction &Branch,
                     const llvm::BasicBlock &Taken);
  llvm::Value *differs(llvm::Value &Found, llvm::Constant &From,
                       const llvm::Instruction &User);
  llvm::Value *ofUser(const llvm::Use &U);

  llvm::IRBuilderBase &IRB;
  const llvm::Instruction &Barrier, &Kept;
  const ValueFlow &Flow;
  const llvm::DominatorTree &DT;
  EarlyConditions Conditions;
  llvm::SmallVector<const llvm::PHINode *, 4> Phis; // Phis on the way to a use.
  unsigned Uses = 0, UsesBehindPhis = 0;
  /// Values that are known where no phi is on the way.
  llvm::SmallDenseMap<const llvm::Instruction *, llvm::Value *, 8> Known;
};

} // namespace atsan

#endif // ATSAN_PASS_READS_CHOSENBEHIND_H
