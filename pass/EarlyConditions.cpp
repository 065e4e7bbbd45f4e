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
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace atsan {

static constexpr unsigned kMaxDepth = 4;

Value *EarlyConditions::get(Value *Condition, bool Unknown) {
  if (Value *Known = find(Condition, kMaxDepth))
    return Known;
  Value *Result = ConstantInt::getBool(Condition->getType(), Unknown);
  if (auto *Vector = dyn_cast<FixedVectorType>(Condition->getType()))
    for (unsigned Lane = 0; Lane != Vector->getNumElements(); ++Lane)
      if (Value *Known = findLane(Condition, Lane, 2 * kMaxDepth))
        Result = IRB.CreateInsertElement(Result, Known, Lane);
  return Result;
}

/// The value as it is found behind so many of the edges, or null. What is not
/// computed behind the last of them is what control had when it took the edge.
Value *EarlyConditions::find(Value *V, unsigned Depth, size_t Edges) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  if (Edges != 0) {
    const auto &[From, To] = Taken[Edges - 1];
    auto *Phi = dyn_cast<PHINode>(I);
    const bool IsChosen = Phi && Phi->getParent() == To;
    if (IsChosen || !DT.dominates(To, I->getParent()))
      return find(IsChosen ? Phi->getIncomingValueForBlock(From) : V, Depth,
                  Edges - 1);
  } else if (DT.dominates(I, &At)) {
    // In a loop, a later one may be found.
    return Flow.isReachedFrom(*I, At, Kept) ? nullptr : V;
  }
  if (Depth == 0 || isa<PHINode>(I) || I->mayReadFromMemory() ||
      !isSafeToSpeculativelyExecute(I))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I->operand_values())
    if (Value *Known = find(Operand, Depth - 1, Edges))
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
Value *EarlyConditions::findLane(Value *V, unsigned Lane, unsigned Depth) {
  if (auto *Vector = dyn_cast<Constant>(V))
    return Vector->getAggregateElement(Lane);
  if (Depth == 0)
    return nullptr;
  if (auto *Insert = dyn_cast<InsertElementInst>(V)) {
    auto *At = dyn_cast<ConstantInt>(Insert->getOperand(2));
    if (!At)
      return nullptr;
    return At->equalsInt(Lane)
               ? find(Insert->getOperand(1), kMaxDepth)
               : findLane(Insert->getOperand(0), Lane, Depth - 1);
  }
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V)) {
    int From = Shuffle->getMaskValue(Lane);
    auto *Ty = dyn_cast<FixedVectorType>(Shuffle->getOperand(0)->getType());
    if (From < 0 || !Ty)
      return nullptr;
    unsigned Count = Ty->getNumElements();
    return findLane(Shuffle->getOperand(From / Count), From % Count, Depth - 1);
  }
  if (Value *Known = find(V, 0))
    return IRB.CreateExtractElement(Known, Lane);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isSafeToSpeculativelyExecute(I))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I->operand_values())
    if (isa<Function>(Operand))
      continue;
    else if (Value *Known = Operand->getType()->isVectorTy()
                                ? findLane(Operand, Lane, Depth - 1)
                                : find(Operand, kMaxDepth))
      Operands.push_back(Known);
    else
      return nullptr;
  return computeLane(*I, Operands);
}

/// The lane of an instruction that does the same for each lane, from those of
/// its operands; or null.
Value *EarlyConditions::computeLane(const Instruction &I,
                                    ArrayRef<Value *> Operands) {
  Type *Ty = I.getType()->getScalarType();
  if (auto *Compare = dyn_cast<CmpInst>(&I))
    return IRB.CreateCmp(Compare->getPredicate(), Operands[0], Operands[1]);
  if (auto *Operation = dyn_cast<BinaryOperator>(&I))
    return IRB.CreateBinOp(Operation->getOpcode(), Operands[0], Operands[1]);
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return isa<BitCastInst>(I)
               ? nullptr
               : IRB.CreateCast(Cast->getOpcode(), Operands[0], Ty);
  if (isa<SelectInst>(I))
    return IRB.CreateSelect(Operands[0], Operands[1], Operands[2]);
  auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && isTriviallyVectorizable(II->getIntrinsicID())
             ? IRB.CreateIntrinsic(Ty, II->getIntrinsicID(), Operands)
             : nullptr;
}

} // namespace atsan
