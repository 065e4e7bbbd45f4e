//===- UnknownLoads.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loads of a function of which it is not known whether the source makes
// them. Of two that a logical operation combines, each may be irrelevant
// because of the other: one of them must count, and it should be the one that
// the source reads first.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_UNKNOWNLOADS_H
#define ATSAN_PASS_READS_UNKNOWNLOADS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace atsan {

class UnknownLoads {
public:
  UnknownLoads(llvm::ArrayRef<llvm::Instruction *> Loads,
               const llvm::DominatorTree &DT, const llvm::LoopInfo &Loops)
      : Loads(Loads.begin(), Loads.end()), DT(DT), Loops(Loops) {}

  /// True if all unknown loads that the value depends on count before this one,
  /// so that the value can make this one irrelevant.
  bool isKnownBefore(const llvm::Value &V, const llvm::Instruction &Load) const;

private:
  bool countsBefore(const llvm::Instruction &A,
                    const llvm::Instruction &B) const;

  llvm::SmallSetVector<llvm::Instruction *, 16> Loads;
  const llvm::DominatorTree &DT;
  const llvm::LoopInfo &Loops;
};

} // namespace atsan

#endif // ATSAN_PASS_READS_UNKNOWNLOADS_H
