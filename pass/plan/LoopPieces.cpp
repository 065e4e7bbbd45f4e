//===- LoopPieces.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the last cut was is one value in the loop, which changes where the loop
// is cut and nowhere else, whether the gate is open there or not. What was made
// before a cut that found the gate closed must never be reported: the access at
// the cut was not either, and what another thread did later may depend on it.
//
//===----------------------------------------------------------------------===//

#include "pass/plan/LoopPieces.h"

#include "pass/base/Statistics.h"
#include "pass/plan/FunctionPlan.h"
#include "pass/plan/LoopValues.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace atsan {

SmallVector<LoopCut, 4> findCuts(ArrayRef<Segment *> Always,
                                 ArrayRef<Segment *> Sometimes,
                                 const DominatorTree &DT) {
  SmallVector<LoopCut, 4> Cuts;
  for (Segment *S : Sometimes) {
    LoopCut Cut;
    Cut.At = S;
    for (const Segment *A : Always)
      if (DT.dominates(A->block(), S->block()))
        Cut.Before += A->Events.size();
    Cuts.push_back(Cut);
  }
  // A cut behind another cut, with nothing in between, has nothing to report.
  erase_if(Cuts, [&](const LoopCut &Cut) {
    return any_of(Sometimes, [&](const Segment *Other) {
      return DT.properlyDominates(Other->block(), Cut.At->block()) &&
             all_of(Always, [&](const Segment *A) {
               return DT.dominates(A->block(), Other->block()) ==
                      DT.dominates(A->block(), Cut.At->block());
             });
    });
  });
  llvm::sort(Cuts, [](const LoopCut &A, const LoopCut &B) {
    return A.Before < B.Before;
  });
  for (size_t I = 0; I != Cuts.size(); ++I) {
    bool IsSame = I != 0 && Cuts[I - 1].Before == Cuts[I].Before;
    Cuts[I].Position = I == 0 ? 1 : Cuts[I - 1].Position + !IsSame;
  }
  return Cuts;
}

unsigned groupOf(size_t Before, ArrayRef<LoopCut> Cuts) {
  unsigned Group = 0;
  for (const LoopCut &Cut : Cuts)
    if (Cut.Before <= Before)
      Group = Cut.Position;
  return Group;
}

/// Computes how far the counter will have come at the end of the iteration.
static Value *distanceAt(BasicBlock *BB, const LoopCounter &Counter,
                         BasicBlock *Entry, IntegerType *IntPtrTy) {
  IRBuilder<> IRB(BB, BB->getFirstInsertionPt());
  Value *From = Counter.Phi->getIncomingValueForBlock(Entry);
  return IRB.CreateAdd(
      counterDistance(IRB, From, Counter.Phi, Counter.Step, IntPtrTy),
      ConstantInt::get(IntPtrTy, std::abs(Counter.Step)));
}

void cutLoop(LoopPlan &Plan, const LoopCounter &Counter, ArrayRef<LoopCut> Cuts,
             BasicBlock *Exit) {
  const DataLayout &DL = Exit->getModule()->getDataLayout();
  IntegerType *IntPtrTy = DL.getIntPtrType(Exit->getContext());
  IntegerType *PositionTy = Type::getInt32Ty(Exit->getContext());
  BasicBlock *Entry = Plan.L->getLoopPredecessor();
  SSAUpdater Since, Position;
  Since.Initialize(IntPtrTy, "atsan.since");
  Since.AddAvailableValue(Entry, ConstantInt::get(IntPtrTy, 0));
  Position.Initialize(PositionTy, "atsan.position");
  Position.AddAvailableValue(Entry, ConstantInt::get(PositionTy, 0));
  // The position before the first cut is of no interest: a value that is always
  // the same needs no register in the loop.
  bool IsOnePosition = Cuts.back().Position == 1;

  SmallVector<Value *, 4> Distances;
  for (const LoopCut &Cut : Cuts) {
    BasicBlock *BB = Cut.At->InsertBefore->getParent();
    Distances.push_back(distanceAt(BB, Counter, Entry, IntPtrTy));
    Since.AddAvailableValue(BB, Distances.back());
    Position.AddAvailableValue(BB, ConstantInt::get(PositionTy, Cut.Position));
  }
  auto PieceAt = [&](BasicBlock *BB) {
    LoopPiece Piece;
    Piece.Since = Since.GetValueInMiddleOfBlock(BB);
    Piece.SincePosition = IsOnePosition ? ConstantInt::get(PositionTy, 1)
                                        : Position.GetValueInMiddleOfBlock(BB);
    Piece.Step = std::abs(Counter.Step);
    return Piece;
  };
  for (const auto &[Cut, Distance] : zip(Cuts, Distances)) {
    Plan.Piece = PieceAt(Cut.At->InsertBefore->getParent());
    Plan.Piece->Until = Distance;
    Plan.Piece->UntilPosition = Cut.Position;
    Cut.At->Loop = Plan;
  }
  Plan.Piece = PieceAt(Exit);
  ++stats::LoopsInPieces;
}

} // namespace atsan
