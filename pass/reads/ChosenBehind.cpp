//===- ChosenBehind.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/reads/ChosenBehind.h"

#include "pass/reads/LanePairs.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace atsan {

/// Turns truths for the lanes of the user into truths for the lanes of the
/// operand that it takes.
static Value *ofOperand(IRBuilderBase &IRB, Value *Truth, const Use &U) {
  auto *Vector = dyn_cast<FixedVectorType>(U->getType());
  if (!Vector && !Truth->getType()->isVectorTy())
    return Truth;
  SmallVector<SmallVector<int, 2>> From(Vector ? Vector->getNumElements() : 1);
  forEachTaken(U,
               [&](unsigned Lane, unsigned To) { From[Lane].push_back(To); });
  Value *Result = gatherLanes(IRB, Truth, From);
  if (Vector && !Result->getType()->isVectorTy())
    Result = IRB.CreateVectorSplat(1, Result);
  return Result;
}

/// Makes one truth for all of a value into one for each of its lanes.
static Value *spread(IRBuilderBase &IRB, Value *Truth, const Type *Ty) {
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector && !Truth->getType()->isVectorTy()
             ? IRB.CreateVectorSplat(Vector->getNumElements(), Truth)
             : Truth;
}

/// True if control has come to BB by the way from Branch to Taken.
static bool isTaken(const Instruction &Branch, const BasicBlock &Taken,
                    const BasicBlock *BB, const DominatorTree &DT) {
  BasicBlockEdge Edge(Branch.getParent(), &Taken);
  return Edge.isSingleEdge() && DT.dominates(Edge, BB);
}

using BranchTo = function_ref<void(const Instruction &, const BasicBlock &)>;

static bool isChoice(const BasicBlock &From) {
  return isa<BranchInst, SwitchInst>(From.getTerminator()) &&
         From.getUniqueSuccessor() == nullptr;
}

/// The block from which control gets to the use.
static const BasicBlock *blockOf(const Use &U) {
  auto *Phi = dyn_cast<PHINode>(U.getUser());
  return Phi ? Phi->getIncomingBlock(U)
             : cast<Instruction>(U.getUser())->getParent();
}

/// Calls back for each branch or switch, and the target, by which control gets
/// from a value to one of its uses.
static void forEachBranchTo(const Use &U, const DominatorTree &DT,
                            BranchTo Found) {
  const BasicBlock *BB = blockOf(U);
  // A phi takes its other values by other edges, whatever way leads to those.
  auto *Phi = dyn_cast<PHINode>(U.getUser());
  if (Phi && isChoice(*BB) && Phi->getNumIncomingValues() > 1)
    Found(*BB->getTerminator(), *Phi->getParent());
  const BasicBlock *Top = cast<Instruction>(U.get())->getParent();
  for (auto *Node = DT.getNode(BB); Node && Node->getBlock() != Top;
       Node = Node->getIDom()) {
    const BasicBlock *To = Node->getBlock(), *From = To->getUniquePredecessor();
    if (From && isChoice(*From))
      Found(*From->getTerminator(), *To);
  }
}

/// True if a way within the blocks leads from Start to the first of them,
/// without passing through Without.
static bool isWay(const BasicBlock &Start, const BasicBlock &Without,
                  const SmallSetVector<const BasicBlock *, 16> &Blocks) {
  SmallSetVector<const BasicBlock *, 16> Reached;
  Reached.insert(&Start);
  for (size_t I = 0; I != Reached.size(); ++I)
    for (const BasicBlock *To : successors(Reached[I]))
      if (To != &Without && Blocks.contains(To))
        Reached.insert(To);
  return Reached.contains(Blocks.front());
}

/// Calls back for each branch that control passes on all ways from Start to the
/// use, and of which one way leads there: the use may have other ways to it,
/// which come from elsewhere.
static void forEachBranchFrom(const BasicBlock &Start, const Use &U,
                              BranchTo Found) {
  constexpr size_t kMostBlocks = 64;
  const BasicBlock *Top = cast<Instruction>(U.get())->getParent();
  SmallSetVector<const BasicBlock *, 16> Leading;
  Leading.insert(blockOf(U));
  for (size_t I = 0; I != Leading.size(); ++I)
    for (const BasicBlock *From : predecessors(Leading[I])) {
      // Behind its own block, the value is another one.
      if (From != Top || Top == &Start)
        Leading.insert(From);
      if (Leading.size() > kMostBlocks)
        return;
    }
  // The value may be computed behind Start: then no way leads past its block.
  if (!Leading.contains(&Start))
    return;
  for (const BasicBlock *BB : Leading) {
    const BasicBlock *Next = nullptr;
    bool IsOne = BB != Leading.front() && isChoice(*BB);
    for (const BasicBlock *To : successors(BB))
      if (Leading.contains(To) && To != Next &&
          (To != Top || To == Leading.front())) {
        IsOne = IsOne && !Next;
        Next = To;
      }
    if (IsOne && Next && (BB == &Start || !isWay(Start, *BB, Leading)))
      Found(*BB->getTerminator(), *Next);
  }
}

Value *ChosenBehind::get() {
  Value *Any =
      Constant::getNullValue(CmpInst::makeCmpResultType(Kept.getType()));
  for (const Use &U : Kept.uses())
    if (Flow.isReachedFrom(U, Barrier))
      Any = IRB.CreateOr(Any, isChosen(U));
  return Any;
}

Value *ChosenBehind::isChosen(const Instruction &V) {
  const bool IsSame = Phis.empty(); // No way to V makes a difference.
  if (Value *Before = IsSame ? Known.lookup(&V) : nullptr)
    return Before;
  Value *Any = Constant::getNullValue(CmpInst::makeCmpResultType(V.getType()));
  for (const Use &U : V.uses())
    Any = IRB.CreateOr(Any, isChosen(U));
  if (IsSame)
    Known[&V] = Any;
  return Any;
}

Value *ChosenBehind::isChosen(const Use &U) {
  Type *Ty = CmpInst::makeCmpResultType(U->getType());
  const Effect E = Flow.effectOf(U);
  if (E == Effect::None)
    return Constant::getNullValue(Ty);
  const bool IsFar =
      Phis.empty() ? ++Uses > kMostUses : ++UsesBehindPhis > kMostBehindPhis;
  const bool IsEnd = E != Effect::PassedOn || IsFar ||
                     U.getUser()->getType()->isAggregateType();
  Value *If = spread(IRB, isReached(U), Ty);
  return IsEnd ? If : IRB.CreateAnd(If, ofUser(U));
}

/// Whether control gets to the use, as far as that is known.
Value *ChosenBehind::isReached(const Use &U) {
  Value *If = IRB.getTrue();
  const bool IsNear = Conditions.Taken.empty();
  auto Add = [&](const Instruction &Branch, const BasicBlock &Taken) {
    if (!IsNear || !isTaken(Branch, Taken, Barrier.getParent(), DT))
      If = IRB.CreateAnd(If, takes(Branch, Taken));
  };
  forEachBranchTo(U, DT, Add);
  forEachBranchFrom(IsNear ? *Barrier.getParent() : *Conditions.Taken.back().To,
                    U, Add);
  return If;
}

Value *ChosenBehind::takes(const Instruction &Branch, const BasicBlock &Taken) {
  Value *On = Branch.getOperand(0);
  auto *Switch = dyn_cast<SwitchInst>(&Branch);
  if (!Switch) {
    const bool IfTrue = Branch.getSuccessor(0) == &Taken;
    Value *Is = Conditions.get(On, Branch, IfTrue);
    return IfTrue ? Is : IRB.CreateNot(Is);
  }
  Value *Known = Switch->getNumCases() <= kMostCases
                     ? Conditions.find(On, Branch)
                     : nullptr;
  if (!Known)
    return IRB.getTrue();
  const bool IsDefault = Switch->getDefaultDest() == &Taken;
  Value *Any = IRB.getFalse();
  for (const auto &Case : Switch->cases())
    if ((Case.getCaseSuccessor() == &Taken) != IsDefault)
      Any = IRB.CreateOr(
          Any, IRB.CreateICmpEQ(
                   Known, ConstantInt::get(Known->getType(),
                                           Case.getCaseValue()->getValue())));
  return IsDefault ? IRB.CreateNot(Any) : Any;
}

/// Whether the user will find another value than that one, as far as it is
/// known at the barrier.
Value *ChosenBehind::differs(Value &Found, Constant &From,
                             const Instruction &User) {
  if (!Found.getType()->isIntOrIntVectorTy(1)) {
    Value *Known = Conditions.find(&Found, User);
    return Known ? IRB.CreateICmpNE(Known, &From) : nullptr;
  }
  const bool IsFalse = From.isNullValue();
  Value *Is = Conditions.get(&Found, User, IsFalse);
  return IsFalse ? Is : IRB.CreateNot(Is);
}

/// Whether the user chooses the value, and is chosen itself.
Value *ChosenBehind::ofUser(const Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  if (Phi) {
    // A loop is followed for its first round, and for all others at once.
    const size_t Rounds = count(Phis, Phi);
    if (Rounds == 2)
      return Constant::getNullValue(CmpInst::makeCmpResultType(U->getType()));
    Phis.push_back(Phi);
    Conditions.Taken.push_back(
        {Phi->getIncomingBlock(U), Phi->getParent(), Rounds != 0});
  }
  // The condition of the user itself comes first: the uses are limited.
  Value *If = nullptr;
  auto *Select = dyn_cast<SelectInst>(User);
  if (Select && U.getOperandNo() != 0) {
    const bool IfTrue = U.getOperandNo() == 1;
    If = Conditions.get(Select->getCondition(), *User, IfTrue);
    If = IfTrue ? If : IRB.CreateNot(If);
  }
  if (Constant *Absorbing = absorbingValue(*User)) {
    Value *Other = User->getOperand(1 - U.getOperandNo());
    if (Flow.canMakeIrrelevant(*Other))
      If = differs(*Other, *Absorbing, *User);
  }
  Value *Behind = isChosen(*User);
  if (Phi) {
    Phis.pop_back();
    Conditions.Taken.pop_back();
  }
  if (If)
    Behind = IRB.CreateAnd(Behind, spread(IRB, If, Behind->getType()));
  return ofOperand(IRB, Behind, U);
}

} // namespace atsan
