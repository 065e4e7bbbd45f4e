//===- LoopValues.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is computed anew from what the loop does not change and from its
// counter, so that the loop keeps nothing for it.
//
//===----------------------------------------------------------------------===//

#include "pass/plan/LoopValues.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace atsan {

/// The value that V had in the first iteration.
Value *LoopValues::recompute(IRBuilderBase &IRB, Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Plan.L->contains(I))
    return V;
  if (Value *Known = FirstOf.lookup(I))
    return Known;
  Value *First = nullptr;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    bool LatchIsFirst = Phi->getIncomingBlock(0) == Plan.L->getLoopLatch();
    First = Phi->getIncomingValue(LatchIsFirst ? 1 : 0);
  } else {
    Instruction *Copy = I->clone();
    for (Use &Op : Copy->operands())
      Op.set(recompute(IRB, Op.get()));
    Copy->dropUnknownNonDebugMetadata();
    Copy->setDebugLoc(IRB.getCurrentDebugLocation());
    IRB.Insert(Copy);
    First = Copy;
  }
  FirstOf[I] = First;
  return First;
}

Value *LoopValues::expand(IRBuilderBase &IRB, const SCEV *S) {
  if (Value *Known = StrideOf.lookup(S))
    return Known;
  auto Operand = [&](unsigned I) { return expand(IRB, S->operands()[I]); };
  Value *Result = nullptr;
  switch (S->getSCEVType()) {
  case scConstant:
    return cast<SCEVConstant>(S)->getValue();
  case scUnknown:
    return cast<SCEVUnknown>(S)->getValue();
  case scTruncate:
    Result = IRB.CreateTrunc(Operand(0), S->getType());
    break;
  case scZeroExtend:
    Result = IRB.CreateZExt(Operand(0), S->getType());
    break;
  case scSignExtend:
    Result = IRB.CreateSExt(Operand(0), S->getType());
    break;
  case scAddExpr:
  case scMulExpr:
    Result = Operand(0);
    for (unsigned I = 1, N = S->operands().size(); I != N; ++I)
      Result = S->getSCEVType() == scAddExpr
                   ? IRB.CreateAdd(Result, Operand(I))
                   : IRB.CreateMul(Result, Operand(I));
    break;
  default:
    llvm_unreachable("isComputable is false for it");
  }
  StrideOf[S] = Result;
  return Result;
}

Value *counterDistance(IRBuilderBase &IRB, Value *From, Value *Counter,
                       int64_t Step, IntegerType *IntPtrTy) {
  // Frozen, or loop strength reduction sees the number of iterations in what
  // follows and counts them in the loop.
  Value *To = IRB.CreateFreeze(Counter);
  if (From->getType()->isPointerTy()) {
    From = IRB.CreatePtrToInt(From, IntPtrTy);
    To = IRB.CreatePtrToInt(To, IntPtrTy);
  }
  if (Step < 0)
    std::swap(From, To);
  return IRB.CreateZExt(IRB.CreateSub(To, From), IntPtrTy);
}

/// Computes the number of iterations, from how far the counter has come.
Value *LoopValues::iterations(IRBuilderBase &IRB) {
  Value *Distance = counterDistance(IRB, recompute(IRB, Plan.Counter),
                                    Plan.Counter, Plan.Step, IntPtrTy);
  if (int64_t By = std::abs(Plan.Step); By != 1)
    Distance = IRB.CreateUDiv(Distance, ConstantInt::get(IntPtrTy, By));
  return IRB.CreateAdd(Distance, ConstantInt::get(IntPtrTy, 1));
}

/// A cut has told its own iteration to the groups before it only.
void LoopValues::computePiece(IRBuilderBase &IRB) {
  const LoopPiece &Piece = *Plan.Piece;
  Value *One = ConstantInt::get(IntPtrTy, 1);
  auto Number = [&](Value *Distance) {
    return Piece.Step == 1
               ? Distance
               : IRB.CreateExactUDiv(Distance,
                                     ConstantInt::get(IntPtrTy, Piece.Step));
  };
  Value *Since = Number(Piece.Since);
  Value *Before = IRB.CreateBinaryIntrinsic(Intrinsic::usub_sat, Since, One);
  Value *Until = Piece.Until ? Number(Piece.Until) : iterations(IRB);
  unsigned First = Plan.Accesses.front().Group,
           Last = Plan.Accesses.back().Group;
  for (unsigned Group = First; Group <= Last; ++Group) {
    Value *IsTold = IRB.CreateICmpUGT(Piece.SincePosition, IRB.getInt32(Group));
    auto *Known = dyn_cast<ConstantInt>(IsTold);
    Value *Begin = !Known            ? IRB.CreateSelect(IsTold, Since, Before)
                   : Known->isZero() ? Before
                                     : Since;
    Value *End = Piece.Until && Group >= Piece.UntilPosition
                     ? IRB.CreateSub(Until, One)
                     : Until;
    OfGroup[Group] = {Begin, IRB.CreateSub(End, Begin)};
    // The first group goes furthest, the last one begins first.
    if (Group == First)
      All.Count = End;
    if (Group == Last)
      All = {Begin, First == Last ? OfGroup[Group].Count
                                  : IRB.CreateSub(All.Count, Begin)};
  }
}

void LoopValues::compute(IRBuilderBase &IRB) {
  if (Plan.Piece)
    computePiece(IRB);
  else if (!Plan.isOneLocation())
    OfGroup[0] = All = {ConstantInt::get(IntPtrTy, 0), iterations(IRB)};
  for (const LoopAccess &A : Plan.Accesses) {
    FirstOf[A.E.Ptr] = recompute(IRB, A.E.Ptr);
    StrideOf[A.Stride] = expand(IRB, A.Stride);
  }
}

Value *LoopValues::makes(IRBuilderBase &IRB, unsigned Group,
                         Value *Iteration) const {
  if (Plan.isOneGroup())
    return nullptr;
  Iterations Own = OfGroup.lookup(Group);
  return IRB.CreateICmpULT(IRB.CreateSub(Iteration, Own.Begin), Own.Count);
}

Value *LoopValues::address(IRBuilderBase &IRB, const LoopAccess &A,
                           Value *Iteration) const {
  auto *Constant = dyn_cast<ConstantInt>(Iteration);
  if (A.Stride->isZero() || (Constant && Constant->isZero()))
    return first(A);
  return IRB.CreateGEP(IRB.getInt8Ty(), first(A),
                       IRB.CreateMul(Iteration, stride(A)));
}

} // namespace atsan
