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

#include "pass/reads/DueRead.h"

using namespace llvm;

namespace atsan {

/// Whether a value depends on the load, computed behind the value.
Value *DueRead::dependence(WayOf Way) {
  Instruction &V = *Way.getPointer();
  const By How = Way.getInt();
  Type *Ty = Pairs.typeOf(V);
  if (How == By::Any &&
      (&V == &Load || (Certain.contains(&V) && Ty == Yes->getType())))
    return Constant::getAllOnesValue(Ty);
  if (&V == &Load)
    return noneOf(V);
  if (Value *Known = Truths.lookup(Way))
    return Known;
  if (auto *Phi = dyn_cast<PHINode>(&V)) {
    PHINode *Truth =
        Builder(*this, *Phi)
            .CreatePHI(Ty, Phi->getNumIncomingValues(), "atsan.depends");
    Truths[Way] = Truth;
    for (const Use &U : Phi->incoming_values()) {
      BasicBlock *Pred = Phi->getIncomingBlock(U);
      // A block may come twice, with the same value.
      int Before = Truth->getBasicBlockIndex(Pred);
      Truth->addIncoming(Before >= 0
                             ? Truth->getIncomingValue(Before)
                             : dependenceOf(U, How, *Pred->getTerminator()),
                         Pred);
    }
    return Truth;
  }
  Builder IRB(*this, *V.getNextNode());
  Value *Truth = dependenceOf(Way, IRB);
  Truths[Way] = Truth;
  return Truth;
}

/// How the user depends on the read by way of an operand.
Value *DueRead::dependenceOf(const Use &U, By How, Instruction &At) {
  if (!Loaded.looksInPlace(U, Part))
    How = By::Computed;
  Value *Truth = Flow.effectOf(U) == Effect::None
                     ? noneOf(*U)
                     : dependenceAt(U.get(), How, At);
  Builder IRB(*this, At);
  return Pairs.ofUser(IRB, Truth, U);
}

Value *DueRead::dependenceOf(WayOf Way, IRBuilderBase &IRB) {
  Instruction &V = *Way.getPointer();
  auto Of = [&](unsigned Operand) {
    return dependenceOf(V.getOperandUse(Operand), Way.getInt(), V);
  };
  if (auto *Select = dyn_cast<SelectInst>(&V)) {
    Value *Chosen = Pairs.ofValue(IRB, Select->getCondition(), V);
    Value *Either = IRB.CreateOr(IRB.CreateAnd(Of(1), Chosen),
                                 IRB.CreateAnd(Of(2), IRB.CreateNot(Chosen)));
    return IRB.CreateOr(Of(0), Either);
  }
  if (Constant *Absorbing = absorbingValue(V)) {
    // An operand counts if the other one does not decide alone.
    auto IfOpen = [&](unsigned Operand) {
      Value *Other = V.getOperand(1 - Operand);
      if (!Flow.canMakeIrrelevant(*Other))
        return Of(Operand);
      Value *Open = IRB.CreateICmpNE(Other, Absorbing);
      return IRB.CreateAnd(Of(Operand), Pairs.ofValue(IRB, Open, V));
    };
    return IRB.CreateOr(IfOpen(0), IfOpen(1));
  }
  Value *Any = noneOf(V);
  for (const Use &U : V.operands())
    if (Flow.effectOf(U) != Effect::None)
      Any = IRB.CreateOr(Any, Of(U.getOperandNo()));
  return Any;
}

/// A value that was computed before the load is executed again depends on an
/// earlier execution: it does not count until it is computed anew.
Value *DueRead::dependenceAt(Value *Operand, By How, Instruction &At) {
  auto *V = dyn_cast<Instruction>(Operand);
  if (!V || !Dependent.contains(V))
    return noneOf(*Operand);
  const WayOf Way(V, Loaded.isInPlace(*V) ? How : By::Any);
  Type *Ty = Pairs.typeOf(*V);
  if (!DT.dominates(V, &Load))
    return dependence(Way);
  AllocaInst *Variable = TruthVariables.lookup(Way);
  if (!Variable) {
    Variable = makeVariable(Ty);
    TruthVariables[Way] = Variable;
    set(Variable, Constant::getNullValue(Ty), *Load.getNextNode());
    Value *Truth = dependence(Way);
    auto *Last = dyn_cast<Instruction>(Truth);
    if (!Last || Last->getParent() != V->getParent() || Last->comesBefore(V))
      Last = V;
    set(Variable, Truth,
        isa<PHINode>(Last) ? *Last->getParent()->getFirstNonPHIIt()
                           : *Last->getNextNode());
  }
  return Builder(*this, At).CreateLoad(Ty, Variable);
}

} // namespace atsan
