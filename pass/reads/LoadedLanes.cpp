//===- LoadedLanes.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least solution: sets of lanes grow from the load forward, round loops,
// until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "pass/reads/LoadedLanes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace atsan {

static unsigned lanesOf(const Value &V) {
  auto *Ty = dyn_cast<FixedVectorType>(V.getType());
  return Ty ? Ty->getNumElements() : 1;
}

static bool isLaneWise(const Instruction &I) {
  if (auto *II = dyn_cast<IntrinsicInst>(&I))
    return isTriviallyVectorizable(II->getIntrinsicID()) ||
           II->getIntrinsicID() == Intrinsic::masked_load ||
           II->getIntrinsicID() == Intrinsic::masked_gather;
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst, PHINode, FreezeInst>(I);
}

/// True if the user's lane is the same whatever the operand has there.
static bool isDecidedByConstant(const Use &U, unsigned Lane) {
  auto *I = cast<Instruction>(U.getUser());
  auto ConstantOf = [&](unsigned Operand) -> Constant * {
    auto *Vector = dyn_cast<Constant>(I->getOperand(Operand));
    if (!Vector || !Vector->getType()->isVectorTy())
      return Vector;
    return Vector->getAggregateElement(Lane);
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

void forEachTaken(const Use &U,
                  function_ref<void(unsigned From, unsigned To)> Take) {
  auto *I = cast<Instruction>(U.getUser());
  const unsigned From = lanesOf(*U.get()), To = lanesOf(*I);
  auto Constant = [&](unsigned Operand, unsigned Lanes) -> int {
    auto *Lane = dyn_cast<ConstantInt>(I->getOperand(Operand));
    return Lane && Lane->getValue().ult(Lanes) ? Lane->getZExtValue() : -1;
  };
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(I)) {
    for (unsigned Lane = 0; Lane != To; ++Lane) {
      int Taken = Shuffle->getMaskValue(Lane);
      if (Taken >= 0 && unsigned(Taken) / From == U.getOperandNo())
        Take(Taken % From, Lane);
    }
    return;
  }
  if (isa<ExtractElementInst>(I) && U.getOperandNo() == 0)
    if (int Lane = Constant(1, From); Lane >= 0)
      return Take(Lane, 0);
  if (isa<InsertElementInst>(I) && U.getOperandNo() != 2)
    if (int Inserted = Constant(2, To); Inserted >= 0) {
      if (U.getOperandNo() == 1)
        return Take(0, Inserted);
      for (int Lane = 0; Lane != int(To); ++Lane)
        if (Lane != Inserted)
          Take(Lane, Lane);
      return;
    }
  // Other lanes of the same bits.
  if (isa<BitCastInst>(I) && From != To) {
    const unsigned Bits = U->getType()->getScalarSizeInBits();
    const unsigned OfUser = I->getType()->getScalarSizeInBits();
    for (unsigned Lane = 0; Lane != From; ++Lane)
      for (unsigned Other = 0; Other != To; ++Other)
        if (Lane * Bits < (Other + 1) * OfUser &&
            Other * OfUser < (Lane + 1) * Bits)
          Take(Lane, Other);
    return;
  }
  if (isLaneWise(*I) && (From == To || From == 1)) {
    for (unsigned Lane = 0; Lane != To; ++Lane)
      if (!isDecidedByConstant(U, Lane))
        Take(From == 1 ? 0 : Lane, Lane);
    return;
  }
  for (unsigned Lane = 0; Lane != From; ++Lane)
    for (unsigned Any = 0; Any != To; ++Any)
      Take(Lane, Any);
}

LoadedLanes::LoadedLanes(const Instruction &Load, bool ByLane)
    : Count(ByLane ? lanesOf(Load) : 1) {
  Sets &Own = Values[&Load];
  for (unsigned Lane = 0; Lane != lanesOf(Load); ++Lane) {
    Own.emplace_back(Count);
    Own.back().set(ByLane ? Lane : 0);
  }
  SmallSetVector<const Instruction *, 16> Work;
  Work.insert(&Load);
  while (!Work.empty()) {
    const Instruction *Changed = Work.pop_back_val();
    for (const User *U : Changed->users()) {
      auto *I = cast<Instruction>(U);
      if (I == &Load || I->getType()->isVoidTy())
        continue;
      Sets New = compute(*I);
      Sets &Old = Values[I];
      if (New == Old)
        continue;
      Old = std::move(New);
      Work.insert(I);
    }
  }
}

LoadedLanes::Sets LoadedLanes::compute(const Instruction &I) const {
  Sets Result(lanesOf(I), Set(Count));
  for (const Use &U : I.operands())
    if (auto It = Values.find(U.get()); It != Values.end())
      forEachTaken(U, [&](unsigned From, unsigned To) {
        if (From < It->second.size())
          Result[To] |= It->second[From];
      });
  return Result;
}

LoadedLanes::Set LoadedLanes::takenBy(const Use &U) const {
  Set Result(Count);
  auto It = Values.find(U.get());
  if (It == Values.end())
    return Result;
  if (U.getUser()->getType()->isVoidTy()) {
    for (const Set &Lane : It->second)
      Result |= Lane;
    return Result;
  }
  forEachTaken(U, [&](unsigned From, unsigned) { Result |= It->second[From]; });
  return Result;
}

} // namespace atsan
