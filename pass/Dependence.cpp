//===- Dependence.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of DueRead that computes, beside the values of the function, whether
// they depend on the load, and on which of its lanes.
//
//===----------------------------------------------------------------------===//

#include "DueRead.h"
#include "EarlyConditions.h"

using namespace llvm;

namespace atsan {

/// Whether a value depends on the load, computed behind the value.
Value *DueRead::dependence(Instruction &V) {
  if (&V == &Load)
    return Constant::getAllOnesValue(truthTypeOf(V));
  // Of a vector that a scalar went into, lanes are looked at.
  if (Certain.contains(&V) && truthTypeOf(V) == Yes->getType())
    return Yes;
  if (Value *Known = Truths.lookup(&V))
    return Known;
  if (auto *Phi = dyn_cast<PHINode>(&V)) {
    PHINode *Truth = Builder(*this, *Phi)
                         .CreatePHI(truthTypeOf(V), Phi->getNumIncomingValues(),
                                    "atsan.depends");
    Truths[&V] = Truth;
    for (unsigned I = 0; I != Phi->getNumIncomingValues(); ++I) {
      BasicBlock *Pred = Phi->getIncomingBlock(I);
      // A block may come twice, with the same value.
      int Before = Truth->getBasicBlockIndex(Pred);
      Truth->addIncoming(Before >= 0 ? Truth->getIncomingValue(Before)
                                     : dependenceAt(Phi->getIncomingValue(I),
                                                    *Pred->getTerminator()),
                         Pred);
    }
    return Truth;
  }
  Builder IRB(*this, *V.getNextNode());
  Value *Truth = dependenceOf(V, IRB);
  Truths[&V] = Truth;
  return Truth;
}

/// For each lane of the result, whether one of the given lanes is true.
static Value *gather(IRBuilderBase &IRB, Value *Truth,
                     ArrayRef<SmallVector<int, 2>> Lanes) {
  auto *Vector = dyn_cast<FixedVectorType>(Truth->getType());
  if (!Vector)
    Truth = IRB.CreateVectorSplat(1, Truth);
  const int Count = Vector ? Vector->getNumElements() : 1;
  Value *None = Constant::getNullValue(Truth->getType()), *Result = nullptr;
  size_t Most = 1;
  for (const auto &From : Lanes)
    Most = std::max(Most, From.size());
  for (size_t I = 0; I != Most; ++I) {
    SmallVector<int, 16> Mask;
    for (const auto &From : Lanes)
      Mask.push_back(I < From.size() ? From[I] : Count);
    bool IsSame = int(Mask.size()) == Count &&
                  ShuffleVectorInst::isIdentityMask(Mask, Count);
    Value *More = IsSame ? Truth : IRB.CreateShuffleVector(Truth, None, Mask);
    Result = Result ? IRB.CreateOr(Result, More) : More;
  }
  return Result;
}

/// What holds for each lane of a dependent value, for the load's lanes in it.
Value *DueRead::ofLoad(IRBuilderBase &IRB, Value *Truth, const Value &V,
                       Type *To) {
  auto *Vector = dyn_cast<FixedVectorType>(Truth->getType());
  if (!Lanes || !Vector)
    return fit(IRB, Truth, To);
  auto It = Loaded.lanes()->values().find(&V);
  if (It == Loaded.lanes()->values().end() ||
      It->second.size() != Vector->getNumElements())
    return fit(IRB, Truth, To);
  SmallVector<SmallVector<int, 2>> From(Lanes);
  for (const auto &[Lane, OfLoad] : enumerate(It->second))
    for (unsigned Loaded : OfLoad.set_bits())
      From[Loaded].push_back(Lane);
  return gather(IRB, Truth, From);
}

/// What holds for each lane of the user, for the lanes of the value it takes.
static Value *ofOperand(IRBuilderBase &IRB, Value *Truth, const Use &U) {
  auto *Vector = dyn_cast<FixedVectorType>(U->getType());
  if (!Vector && !Truth->getType()->isVectorTy())
    return Truth;
  SmallVector<SmallVector<int, 2>> From(Vector ? Vector->getNumElements() : 1);
  forEachTaken(U,
               [&](unsigned Lane, unsigned To) { From[Lane].push_back(To); });
  Value *Result = gather(IRB, Truth, From);
  return Vector ? Result : IRB.CreateExtractElement(Result, uint64_t(0));
}

Value *DueRead::dependenceOf(Instruction &V, IRBuilderBase &IRB) {
  Type *Ty = truthTypeOf(V);
  auto Of = [&](Value *Operand) { return dependenceAt(Operand, V); };
  if (auto *Select = dyn_cast<SelectInst>(&V)) {
    Value *Chosen = Select->getCondition();
    Value *True = Select->getTrueValue(), *False = Select->getFalseValue();
    Value *IsTrue = ofLoad(IRB, Chosen, *True, Ty);
    Value *IsFalse = ofLoad(IRB, IRB.CreateNot(Chosen), *False, Ty);
    Value *Either = IRB.CreateOr(IRB.CreateAnd(Of(True), IsTrue),
                                 IRB.CreateAnd(Of(False), IsFalse));
    return IRB.CreateOr(fit(IRB, Of(Chosen), Ty), Either);
  }
  Value *A = V.getOperand(0);
  if (isLogical(V)) {
    // One operand counts if the other does not decide alone.
    Value *B = V.getOperand(1);
    auto IfOpen = [&](Value *Operand, Value *Other) {
      Value *Truth = fit(IRB, Of(Operand), Ty);
      if (!Loads.isKnownBefore(*Other, Load))
        return Truth;
      bool IsAnd = V.getOpcode() == Instruction::And;
      Value *Open = IsAnd ? Other : IRB.CreateNot(Other);
      return IRB.CreateAnd(Truth, ofLoad(IRB, Open, *Operand, Ty));
    };
    return IRB.CreateOr(IfOpen(A, B), IfOpen(B, A));
  }
  if (!Lanes) {
    if (auto *Insert = dyn_cast<InsertElementInst>(&V))
      return IRB.CreateInsertElement(Of(A), Of(V.getOperand(1)),
                                     Insert->getOperand(2));
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&V))
      return IRB.CreateShuffleVector(Of(A), Of(V.getOperand(1)),
                                     Shuffle->getShuffleMask());
    if (isa<ExtractElementInst>(V))
      return IRB.CreateExtractElement(Of(A), V.getOperand(1));
  }
  Value *Any = Constant::getNullValue(Ty);
  for (const Use &U : V.operands())
    if (Flow.effectOf(U) != Effect::None)
      Any = IRB.CreateOr(Any, fit(IRB, Of(U.get()), Ty));
  return Any;
}

/// A value that was computed before the load is executed again depends on an
/// earlier execution: it does not count until it is computed anew.
Value *DueRead::dependenceAt(Value *Operand, Instruction &At) {
  auto *V = dyn_cast<Instruction>(Operand);
  if (!V || !Dependent.contains(V))
    return Constant::getNullValue(truthTypeOf(*Operand));
  Type *Ty = truthTypeOf(*V);
  if (!DT.dominates(V, &Load))
    return dependence(*V);
  AllocaInst *Variable = TruthVariables.lookup(V);
  if (!Variable) {
    Variable = makeVariable(Ty);
    TruthVariables[V] = Variable;
    set(Variable, Constant::getNullValue(Ty), *Load.getNextNode());
    Value *Truth = dependence(*V);
    auto *Last = dyn_cast<Instruction>(Truth);
    if (!Last || Last->getParent() != V->getParent() || Last->comesBefore(V))
      Last = V;
    set(Variable, Truth,
        isa<PHINode>(Last) ? *Last->getParent()->getFirstNonPHI()
                           : *Last->getNextNode());
  }
  return Builder(*this, At).CreateLoad(Ty, Variable);
}

/// Whether a value that is kept over a barrier will be chosen, for each of its
/// lanes: the optimizer may have moved a select, for which the source read,
/// behind it, and what is computed from the value before the select.
Value *DueRead::chosenBehind(IRBuilderBase &IRB, const Instruction &V,
                             const Instruction &At, unsigned Depth) {
  Type *Ty = CmpInst::makeCmpResultType(V.getType());
  Value *IsChosen = Constant::getNullValue(Ty);
  for (const Use &U : V.uses()) {
    Effect E = Flow.effectOf(U);
    if (E == Effect::None || (Depth == kMaxUses && !Flow.isReachedFrom(U, At)))
      continue;
    auto *User = cast<Instruction>(U.getUser());
    if (E != Effect::PassedOn || isa<PHINode>(User) || Depth == 0 ||
        User->getType()->isAggregateType() || ++UsesSeen > kMostUses)
      return Constant::getAllOnesValue(Ty);
    // Gathering lanes takes many steps, and cannot be endless.
    const bool IsMoved = isa<InsertElementInst, ShuffleVectorInst>(User);
    Value *Behind = chosenBehind(IRB, *User, At, IsMoved ? Depth : Depth - 1);
    auto *Select = dyn_cast<SelectInst>(User);
    if (Select && U.getOperandNo() != 0) {
      const bool IfTrue = U.getOperandNo() == 1;
      Value *If = EarlyConditions(IRB, At, Flow, DT)
                      .get(Select->getCondition(), *User, IfTrue);
      If = fit(IRB, IfTrue ? If : IRB.CreateNot(If), Behind->getType());
      Behind = IRB.CreateAnd(Behind, If);
    }
    IsChosen = IRB.CreateOr(IsChosen, ofOperand(IRB, Behind, U));
  }
  return IsChosen;
}

} // namespace atsan
