//===- DemandedLanes.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least solution: no lane is demanded until some use of it says so, which
// is repeated backwards through all values that keep lanes apart.
//
//===----------------------------------------------------------------------===//

#include "DemandedLanes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace atsan {

static unsigned lanesOf(const Value &V) {
  auto *Ty = dyn_cast<FixedVectorType>(V.getType());
  return Ty ? Ty->getNumElements() : 0;
}

/// True if the user's lanes depend on the lanes of the operand one by one, or
/// say by a constant which of them they take.
static bool keepsLanesApart(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (isa<ShuffleVectorInst>(I))
    return lanesOf(*I) != 0;
  if (auto *Insert = dyn_cast<InsertElementInst>(I))
    return U.getOperandNo() == 0 && isa<ConstantInt>(Insert->getOperand(2));
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             PHINode, FreezeInst>(I) &&
         lanesOf(*I) == lanesOf(*U.get());
}

/// True if the user's lane is the same whatever the operand has there.
static bool isDecidedByConstant(const Use &U, unsigned Lane) {
  auto *I = cast<Instruction>(U.getUser());
  auto ConstantOf = [&](unsigned Operand) {
    auto *Vector = dyn_cast<Constant>(I->getOperand(Operand));
    return Vector ? Vector->getAggregateElement(Lane) : nullptr;
  };
  if (isa<SelectInst>(I) && U.getOperandNo() != 0) {
    auto *Chosen = dyn_cast_or_null<ConstantInt>(ConstantOf(0));
    return Chosen && Chosen->isOne() != (U.getOperandNo() == 1);
  }
  if (I->getOpcode() != Instruction::And && I->getOpcode() != Instruction::Or)
    return false;
  Constant *Other = ConstantOf(1 - U.getOperandNo());
  return Other &&
         (I->getOpcode() == Instruction::And ? Other->isNullValue()
                                             : Other->isAllOnesValue());
}

DemandedLanes::DemandedLanes(const Instruction &Vector) {
  SmallSetVector<const Instruction *, 16> Followed;
  Followed.insert(&Vector);
  for (size_t I = 0; I != Followed.size(); ++I) {
    Lanes[Followed[I]] = SmallBitVector(lanesOf(*Followed[I]));
    for (const Use &U : Followed[I]->uses())
      if (keepsLanesApart(U))
        Followed.insert(cast<Instruction>(U.getUser()));
  }
  SmallSetVector<const Instruction *, 16> Work = Followed;
  while (!Work.empty()) {
    const Instruction *V = Work.pop_back_val();
    SmallBitVector Found = Lanes[V];
    for (const Use &U : V->uses())
      Found |= of(U);
    if (Found == Lanes[V])
      continue;
    Lanes[V] = Found;
    for (const Value *Operand : V->operand_values())
      if (auto *I = dyn_cast<Instruction>(Operand); Followed.contains(I))
        Work.insert(I);
  }
}

SmallBitVector DemandedLanes::of(const Use &U) const {
  const unsigned Count = lanesOf(*U.get());
  auto *User = cast<Instruction>(U.getUser());
  SmallBitVector Result(Count);
  if (auto *Extract = dyn_cast<ExtractElementInst>(User)) {
    auto *Lane = dyn_cast<ConstantInt>(Extract->getIndexOperand());
    if (Lane && Lane->getValue().ult(Count)) {
      Result.set(Lane->getZExtValue());
      return Result;
    }
  }
  auto It = Lanes.find(User);
  if (!keepsLanesApart(U) || It == Lanes.end())
    return Result.set();
  const SmallBitVector &OfUser = It->second;
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(User)) {
    for (unsigned Lane : OfUser.set_bits()) {
      int From = Shuffle->getMaskValue(Lane);
      if (From >= 0 && unsigned(From) / Count == U.getOperandNo())
        Result.set(From % Count);
    }
    return Result;
  }
  Result = OfUser;
  if (isa<InsertElementInst>(User)) {
    auto *Lane = cast<ConstantInt>(User->getOperand(2));
    if (Lane->getValue().ult(Count))
      Result.reset(Lane->getZExtValue());
  }
  for (unsigned Lane : OfUser.set_bits())
    if (isDecidedByConstant(U, Lane))
      Result.reset(Lane);
  return Result;
}

} // namespace atsan
