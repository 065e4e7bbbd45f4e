//===- DemandedLanes.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lanes of a loaded vector have an influence on anything: a vectorizer
// loads more lanes than the source reads, and drops the others later, often by
// a shuffle behind much arithmetic. LLVM's DemandedBits knows no lanes.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_DEMANDEDLANES_H
#define ATSAN_PASS_DEMANDEDLANES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/Instruction.h"

namespace atsan {

class DemandedLanes {
public:
  /// Follows the value, a vector of fixed length, as far as lanes keep apart.
  explicit DemandedLanes(const llvm::Instruction &Vector);

  /// The lanes of the used value that have an influence by way of this use.
  llvm::SmallBitVector of(const llvm::Use &U) const;

private:
  llvm::DenseMap<const llvm::Value *, llvm::SmallBitVector> Lanes;
};

} // namespace atsan

#endif // ATSAN_PASS_DEMANDEDLANES_H
