//===- Effect.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/Effect.h"

#include "pass/accesses/AccessSelection.h"
#include "pass/accesses/ArithmeticCalls.h"
#include "pass/accesses/MemoryIntrinsics.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace atsan {

Value *maskOf(const Instruction &I) {
  auto *II = dyn_cast<IntrinsicInst>(&I);
  Event E;
  if (!II || !describeVectorAccess(const_cast<IntrinsicInst &>(*II),
                                   II->getModule()->getDataLayout(), E))
    return nullptr;
  return E.MaskIsSign || E.VectorLength ? nullptr : E.Mask;
}

static constexpr const char *kOurs = "atsan.ours";

void markAsOurs(Instruction &I) {
  I.setMetadata(kOurs, MDNode::get(I.getContext(), {}));
}

void removeMarkAsOurs(Instruction &I) { I.setMetadata(kOurs, nullptr); }

Effect effectOf(const Use &U, const TargetLibraryInfo &TLI) {
  auto *I = cast<Instruction>(U.getUser());
  if (I->hasMetadata(kOurs))
    return Effect::None;
  if (isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, GetElementPtrInst,
          SelectInst, PHINode, FreezeInst, ExtractValueInst, InsertValueInst,
          ExtractElementInst, InsertElementInst, ShuffleVectorInst>(I))
    return Effect::PassedOn;
  // An address matters as far as what is loaded from there does.
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Load->isSimple() ? Effect::PassedOn : Effect::Matters;
  auto *Call = dyn_cast<CallInst>(I);
  if (!Call)
    return Effect::Matters;
  if (auto *II = dyn_cast<IntrinsicInst>(Call))
    if (II->isAssumeLikeIntrinsic() ||
        II->getIntrinsicID() == Intrinsic::prefetch)
      return Effect::None;
  if (isArithmetic(*Call, TLI))
    return Effect::PassedOn;
  if (Value *Mask = maskOf(*Call))
    return Mask == U.get() ? Effect::Matters : Effect::Masked;
  return Call->doesNotAccessMemory() && Call->willReturn() &&
                 Call->doesNotThrow() && !Call->isInlineAsm()
             ? Effect::PassedOn
             : Effect::Matters;
}

Constant *absorbingValue(const Instruction &I) {
  const bool IsTruth = I.getType()->isIntOrIntVectorTy(1);
  // By a constant, nothing is irrelevant but what DemandedBits knows.
  auto IsConstant = [](const Use &U) { return isa<Constant>(U); };
  if (!IsTruth && any_of(I.operands(), IsConstant))
    return nullptr;
  switch (I.getOpcode()) {
  case Instruction::And:
  case Instruction::Mul:
    return Constant::getNullValue(I.getType());
  case Instruction::Or:
    return IsTruth ? Constant::getAllOnesValue(I.getType()) : nullptr;
  default:
    return nullptr;
  }
}

static AtomicOrdering orderingOf(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load ? Load->getOrdering() : cast<StoreInst>(I).getOrdering();
}

bool isWeak(const Instruction &I) {
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return !isStrongerThanMonotonic(Exchange->getMergedOrdering());
  if (auto *Change = dyn_cast<AtomicRMWInst>(&I))
    return !isStrongerThanMonotonic(Change->getOrdering());
  return isa<LoadInst, StoreInst>(I) && !isStrongerThanMonotonic(orderingOf(I));
}

bool isNoWrite(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  auto *II = dyn_cast<IntrinsicInst>(&I);
  return (II && isInvisible(*II)) || (Call && isMemoryHook(*Call));
}

} // namespace atsan
