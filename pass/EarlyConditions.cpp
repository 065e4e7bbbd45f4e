//===- EarlyConditions.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EarlyConditions.h"

#include "ValueFlow.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace atsan {

static constexpr unsigned kMaxDepth = 4;

Value *EarlyConditions::get(Value *Condition, const Instruction &User,
                            bool Unknown) {
  if (Value *Known = find(Condition, User, kMaxDepth))
    return Known;
  Value *Result = ConstantInt::getBool(Condition->getType(), Unknown);
  if (auto *Vector = dyn_cast<FixedVectorType>(Condition->getType()))
    for (unsigned Lane = 0; Lane != Vector->getNumElements(); ++Lane)
      if (Value *Known = findLane(Condition, Lane, User, 2 * kMaxDepth))
        Result = IRB.CreateInsertElement(Result, Known, Lane);
  return Result;
}

/// The value as the user will find it, or null.
Value *EarlyConditions::find(Value *V, const Instruction &User,
                             unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  // In a loop, the user may find a later value.
  if (DT.dominates(I, &At))
    return DT.dominates(&At, &User) || !Flow.isReachedFrom(*I, At) ? V
                                                                   : nullptr;
  if (Depth == 0 || isa<PHINode>(I) || I->mayReadFromMemory() ||
      !isSafeToSpeculativelyExecute(I))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I->operand_values())
    if (Value *Known = find(Operand, User, Depth - 1))
      Operands.push_back(Known);
    else
      return nullptr;
  Instruction *Copy = I->clone();
  for (unsigned N = 0; N != Operands.size(); ++N)
    Copy->setOperand(N, Operands[N]);
  return IRB.Insert(Copy);
}

/// A lane of a vector that is known in part: the vectorizer of straight code
/// puts the conditions of several selects together.
Value *EarlyConditions::findLane(Value *V, unsigned Lane,
                                 const Instruction &User, unsigned Depth) {
  if (auto *Vector = dyn_cast<Constant>(V))
    return Vector->getAggregateElement(Lane);
  if (Depth == 0)
    return nullptr;
  if (auto *Insert = dyn_cast<InsertElementInst>(V)) {
    auto *At = dyn_cast<ConstantInt>(Insert->getOperand(2));
    if (!At)
      return nullptr;
    return At->equalsInt(Lane)
               ? find(Insert->getOperand(1), User, kMaxDepth)
               : findLane(Insert->getOperand(0), Lane, User, Depth - 1);
  }
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V)) {
    int From = Shuffle->getMaskValue(Lane);
    auto *Ty = dyn_cast<FixedVectorType>(Shuffle->getOperand(0)->getType());
    if (From < 0 || !Ty)
      return nullptr;
    unsigned Count = Ty->getNumElements();
    return findLane(Shuffle->getOperand(From / Count), From % Count, User,
                    Depth - 1);
  }
  if (auto *Compare = dyn_cast<CmpInst>(V)) {
    Value *A = findLane(Compare->getOperand(0), Lane, User, Depth - 1);
    Value *B = findLane(Compare->getOperand(1), Lane, User, Depth - 1);
    return A && B ? IRB.CreateCmp(Compare->getPredicate(), A, B) : nullptr;
  }
  Value *Known = find(V, User, 0);
  return Known ? IRB.CreateExtractElement(Known, Lane) : nullptr;
}

} // namespace atsan
