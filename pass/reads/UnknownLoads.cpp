//===- UnknownLoads.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/reads/UnknownLoads.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace atsan {

/// A load in a loop before one that was moved out of it; else in the order of
/// the function.
bool UnknownLoads::countsBefore(const Instruction &A,
                                const Instruction &B) const {
  const Loop *OfA = Loops.getLoopFor(A.getParent());
  const Loop *OfB = Loops.getLoopFor(B.getParent());
  if (OfA && !OfA->contains(&B))
    return !OfB || OfB->contains(&A) || DT.dominates(&A, &B);
  if (OfB && !OfB->contains(&A))
    return false;
  return DT.dominates(&A, &B);
}

bool UnknownLoads::isKnownBefore(const Value &V,
                                 const Instruction &Load) const {
  constexpr size_t kMost = 100;
  SmallSetVector<const Value *, 16> Found;
  Found.insert(&V);
  for (size_t I = 0; I != Found.size(); ++I) {
    auto *Inst = dyn_cast<Instruction>(Found[I]);
    if (!Inst)
      continue;
    if (Inst == &Load || I == kMost)
      return false;
    if (Loads.contains(const_cast<Instruction *>(Inst)) &&
        !countsBefore(*Inst, Load))
      return false;
    // What a load gets depends on its address, too.
    for (const Value *Operand : Inst->operand_values())
      Found.insert(Operand);
  }
  return true;
}

} // namespace atsan
