//===- EarlyConditions.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/reads/EarlyConditions.h"

#include "pass/reads/ValueFlow.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace atsan {

Value *EarlyConditions::get(Value *Condition, const Instruction &User,
                            bool Unknown) {
  return get(Condition, User, Unknown, 2 * kMaxDepth);
}

/// A condition made of two operands may be decided by one that is known.
Value *EarlyConditions::get(Value *Condition, const Instruction &User,
                            bool Unknown, unsigned Depth) {
  if (Value *Known = find(Condition, User))
    return Known;
  auto Of = [&](Value *Operand) {
    return get(Operand, User, Unknown, Depth - 1);
  };
  auto Not = [&](Value *Operand) {
    return IRB.CreateNot(get(Operand, User, !Unknown, Depth - 1));
  };
  // Whichever is chosen, or both, whatever decides it.
  auto Either = [&](Value *If, Value *Unless, Value *Then, Value *Else) {
    return IRB.CreateOr(
        IRB.CreateAnd(Then, Else),
        IRB.CreateOr(IRB.CreateAnd(If, Then), IRB.CreateAnd(Unless, Else)));
  };
  auto *Phi = dyn_cast<PHINode>(Condition);
  if (Phi && Depth != 0 && Taken.empty()) {
    auto Operands = operandsBehind(*Phi);
    auto Way = [&](const Use &U) {
      return get(U, *Phi->getIncomingBlock(U)->getTerminator(), Unknown,
                 Depth - 1);
    };
    if (Operands.size() == 1)
      return Way(*Operands[0]);
    if (const BranchInst *Branch = decides(*Phi, Operands)) {
      Value *On = Branch->getCondition();
      Value *If = get(On, *Branch, Unknown, Depth - 1),
            *Unless = IRB.CreateNot(get(On, *Branch, !Unknown, Depth - 1));
      return Either(If, Unless, Way(*Operands[0]), Way(*Operands[1]));
    }
  }
  Value *A, *B, *C;
  if (Depth != 0) {
    if (match(Condition, m_Not(m_Value(A))))
      return Not(A);
    if (match(Condition, m_Freeze(m_Value(A))))
      return Of(A);
    if (match(Condition, m_And(m_Value(A), m_Value(B))))
      return IRB.CreateAnd(Of(A), Of(B));
    if (match(Condition, m_Or(m_Value(A), m_Value(B))))
      return IRB.CreateOr(Of(A), Of(B));
    if (match(Condition, m_Select(m_Value(C), m_Value(A), m_Value(B))) &&
        C->getType() == Condition->getType())
      return Either(Of(C), Not(C), Of(A), Of(B));
  }
  Value *Result = ConstantInt::getBool(Condition->getType(), Unknown);
  if (auto *Vector = dyn_cast<FixedVectorType>(Condition->getType()))
    for (unsigned Lane = 0; Lane != Vector->getNumElements(); ++Lane)
      if (Value *Known = findLane(Condition, Lane, User, 2 * kMaxDepth))
        Result = IRB.CreateInsertElement(Result, Known, Lane);
  return Result;
}

/// The uses of values that the phi may get behind the instruction.
SmallVector<const Use *, 4>
EarlyConditions::operandsBehind(const PHINode &Phi) const {
  SmallVector<const Use *, 4> Found;
  // Behind an edge, what was computed of the kept value goes on without it.
  const Instruction *Value = Taken.empty() ? &Kept : nullptr;
  for (const Use &U : Phi.incoming_values())
    if (Flow.isReachedFrom(*Phi.getIncomingBlock(U)->getTerminator(), At,
                           Value))
      Found.push_back(&U);
  return Found;
}

/// The value as it is found behind so many of the edges, or null. What is not
/// computed behind the last of them is what control had when it took the edge.
Value *EarlyConditions::find(Value *V, const Instruction &User, unsigned Depth,
                             size_t Edges) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  if (Edges != 0) {
    const auto &[From, To, IsAgain] = Taken[Edges - 1];
    auto *Phi = dyn_cast<PHINode>(I);
    const bool IsChosen = Phi && Phi->getParent() == To;
    // In a later round, only what is the same in all of them is known.
    const bool IsBehind = DT.dominates(To, I->getParent());
    if (IsAgain && !IsBehind)
      return DT.dominates(I, &At) && !Flow.isReachedFrom(*I, At, nullptr)
                 ? V
                 : nullptr;
    if (IsAgain && IsChosen)
      return nullptr;
    if (IsChosen || !IsBehind)
      return find(IsChosen ? Phi->getIncomingValueForBlock(From) : V,
                  *From->getTerminator(), Depth, Edges - 1);
  } else if (DT.dominates(I, &At)) {
    // In a loop, the user may find a later value.
    return Flow.isReachedFrom(*I, At, &Kept) &&
                   Flow.isReachedFrom(User, *I, &Kept)
               ? nullptr
               : V;
  }
  if (!Taken.empty() || Depth == 0)
    return compute(*I, User, Depth, Edges);
  if (Computed.size() == kMostSteps)
    return nullptr;
  // Until it is known, what it depends on cannot depend on it.
  auto [It, IsNew] = Computed.try_emplace({I, &User}, nullptr);
  if (!IsNew)
    return It->second;
  Value *Result = compute(*I, User, Depth, Edges);
  return Computed[{I, &User}] = Result;
}

/// The branch behind the instruction that decides which of two operands the phi
/// gets, or null. The first one becomes that of the edge taken if it is true.
const BranchInst *
EarlyConditions::decides(const PHINode &Phi,
                         SmallVectorImpl<const Use *> &Operands) const {
  const BasicBlock *BB = Phi.getParent(),
                   *Top = DT.getNode(BB)->getIDom()->getBlock();
  auto *Branch = dyn_cast<BranchInst>(Top->getTerminator());
  if (Operands.size() != 2 || !Branch || Branch->isUnconditional() ||
      !DT.dominates(&At, Branch))
    return nullptr;
  auto IsTakenFor = [&](unsigned N, const Use &U) {
    const BasicBlock *From = Phi.getIncomingBlock(U);
    BasicBlockEdge Edge(Top, Branch->getSuccessor(N));
    return Edge.isSingleEdge() && (From == Top ? Branch->getSuccessor(N) == BB
                                               : DT.dominates(Edge, From));
  };
  if (IsTakenFor(1, *Operands[0]))
    std::swap(Operands[0], Operands[1]);
  return IsTakenFor(0, *Operands[0]) && IsTakenFor(1, *Operands[1]) ? Branch
                                                                    : nullptr;
}

Value *EarlyConditions::computePhi(const PHINode &Phi, unsigned Depth,
                                   size_t Edges) {
  auto Operands = operandsBehind(Phi);
  auto Of = [&](const Use &U) {
    return find(U, *Phi.getIncomingBlock(U)->getTerminator(), Depth - 1, Edges);
  };
  if (Operands.size() == 1)
    return Of(*Operands[0]);
  const BranchInst *Branch = decides(Phi, Operands);
  if (!Branch)
    return nullptr;
  Value *If = find(Branch->getCondition(), *Branch, Depth - 1, Edges);
  Value *Then = Of(*Operands[0]), *Else = Of(*Operands[1]);
  return If && Then && Else ? IRB.CreateSelect(If, Then, Else) : nullptr;
}

/// A value that the function computes behind the instruction, computed there.
Value *EarlyConditions::compute(Instruction &I, const Instruction &User,
                                unsigned Depth, size_t Edges) {
  if (Depth == 0)
    return nullptr;
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return computePhi(*Phi, Depth, Edges);
  // The other lanes may not be known yet.
  auto *Extract = dyn_cast<ExtractElementInst>(&I);
  auto *Lane =
      Extract ? dyn_cast<ConstantInt>(Extract->getIndexOperand()) : nullptr;
  if (Lane && Edges == Taken.size())
    return findLane(Extract->getVectorOperand(), Lane->getZExtValue(), User,
                    2 * kMaxDepth);
  if (I.mayReadFromMemory() || !isSafeToSpeculativelyExecute(&I))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I.operand_values())
    if (Value *Known = find(Operand, User, Depth - 1, Edges))
      Operands.push_back(Known);
    else
      return nullptr;
  Instruction *Copy = I.clone();
  for (unsigned N = 0; N != Operands.size(); ++N)
    Copy->setOperand(N, Operands[N]);
  return IRB.Insert(Copy);
}

/// A lane of a vector that is known in part: the vectorizer of straight code
/// puts the conditions of several selects together. How many it puts together
/// does not count as depth.
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
               ? find(Insert->getOperand(1), User)
               : findLane(Insert->getOperand(0), Lane, User, Depth);
  }
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V)) {
    int From = Shuffle->getMaskValue(Lane);
    auto *Ty = dyn_cast<FixedVectorType>(Shuffle->getOperand(0)->getType());
    if (From < 0 || !Ty)
      return nullptr;
    unsigned Count = Ty->getNumElements();
    return findLane(Shuffle->getOperand(From / Count), From % Count, User,
                    Depth);
  }
  if (Value *Known = find(V, User, 0, Taken.size()))
    return IRB.CreateExtractElement(Known, Lane);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isSafeToSpeculativelyExecute(I))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I->operand_values())
    if (isa<Function>(Operand))
      continue;
    else if (Value *Known = Operand->getType()->isVectorTy()
                                ? findLane(Operand, Lane, User, Depth - 1)
                                : find(Operand, User))
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
