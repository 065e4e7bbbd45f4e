//===- LoopEmitter.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks for a whole loop, in the cold block behind it. One access: a hook
// for all its iterations. Several: the same inside a region, where they all are
// of one transaction; outside regions each is a transaction of its own, and the
// cold block calls the hooks of single accesses in the order of the loop. A
// loop with cuts has such a cold block at each cut and behind the loop, for the
// iterations since the last cut.
//
//===----------------------------------------------------------------------===//

#include "pass/emit/HookEmitter.h"

#include "pass/base/Compat.h"
#include "pass/base/Statistics.h"
#include "pass/plan/LoopValues.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace atsan {

/// All accesses are to the same bytes, with nothing in between: what comes
/// behind the first write, or repeats the first read, has no edge of its own.
void HookEmitter::emitOnce(IRBuilderBase &IRB, const LoopPlan &Loop,
                           const LoopValues &Values) {
  bool HasRead = false;
  for (const LoopAccess &A : Loop.Accesses) {
    bool IsRead = A.E.Kind == EventKind::Read;
    if (IsRead && HasRead)
      continue;
    IRB.SetCurrentDebugLocation(location(A.E));
    emitBlock(IRB, A.E, Values.first(A));
    if (!IsRead)
      return;
    HasRead = true;
  }
}

/// Emits one hook for all that a stream accesses.
void HookEmitter::emitStream(IRBuilderBase &IRB, const LoopStream &S,
                             const LoopValues &Values) {
  const Event &E = S.Lowest.E;
  IntegerType *IntPtrTy = Hooks.intPtrType();
  IRB.SetCurrentDebugLocation(location(E));
  if (S.Lowest.Stride->isZero())
    return emitBlock(IRB, E, Values.first(S.Lowest));

  uint64_t Offset = E.Offset;
  auto [Begin, Count] = Values.of(S.Lowest);
  Value *Stride = Values.stride(S.Lowest);
  if (S.Size != S.Unit && !S.isRows()) {
    // A stream without gaps is told in accesses of the source, in the direction
    // of the loop.
    bool IsDown = cast<ConstantInt>(Stride)->isNegative();
    if (IsDown)
      Offset += S.Size - S.Unit;
    Stride = ConstantInt::getSigned(IntPtrTy, IsDown ? -int64_t(S.Unit)
                                                     : int64_t(S.Unit));
    Count = IRB.CreateMul(Count, ConstantInt::get(IntPtrTy, S.Size / S.Unit));
  }
  if (S.Ahead)
    Count = IRB.CreateAdd(Count, ConstantInt::get(IntPtrTy, S.Ahead));
  Value *Ptr = Values.address(IRB, S.Lowest, Begin);
  if (Offset)
    Ptr = IRB.CreateConstGEP1_64(IRB.getInt8Ty(), Ptr, Offset);
  bool IsRead = E.Kind == EventKind::Read;
  Value *Unit = ConstantInt::get(IntPtrTy, S.Unit);
  if (S.isRows()) {
    Hooks.call(IRB, IsRead ? Hook::ReadRows : Hook::WriteRows,
               {Ptr, Unit, ConstantInt::get(IntPtrTy, S.Size / S.Unit), Stride,
                Count});
    ++(IsRead ? stats::RowReads : stats::RowWrites);
    return;
  }
  ++(IsRead ? stats::StridedReads : stats::StridedWrites);
  Hooks.call(IRB, IsRead ? Hook::ReadStrided : Hook::WriteStrided,
             {Ptr, Unit, Stride, Count});
}

/// Calls the hooks of single accesses, iteration by iteration.
void HookEmitter::emitInOrder(Instruction *Before, const LoopPlan &Loop,
                              const LoopValues &Values) {
  IRBuilder<> IRB(Before);
  IRB.SetCurrentDebugLocation(Before->getDebugLoc());
  auto [Begin, Count] = Values.all();
  // Where no address changes, two iterations have all edges of many: what one
  // access has before another in any, it has in two.
  if (Loop.isInvariant() && Loop.isOneGroup())
    Count = IRB.CreateBinaryIntrinsic(Intrinsic::umin, Count,
                                      ConstantInt::get(Count->getType(), 2));
  auto [Body, Number] = insertCountedLoop(Count, *Before);
  IRB.SetInsertPoint(Body);
  Value *Iteration = IRB.CreateAdd(Begin, Number);
  std::optional<unsigned> Group;
  for (const LoopAccess &A : Loop.Accesses) {
    if (Group != A.Group) {
      Group = A.Group;
      IRB.SetInsertPoint(Body);
      IRB.SetCurrentDebugLocation(location(A.E));
      if (Value *Makes = Values.makes(IRB, A.Group, Iteration))
        IRB.SetInsertPoint(branchIf(Makes, Body, nullptr));
    }
    IRB.SetCurrentDebugLocation(location(A.E));
    emitBlock(IRB, A.E, Values.address(IRB, A, Iteration));
  }
}

/// Reads first: as if the compiler had forwarded what the loop wrote and read.
void HookEmitter::emitStreams(IRBuilderBase &IRB, const LoopPlan &Loop,
                              const LoopValues &Values) {
  for (EventKind Kind : {EventKind::Read, EventKind::Write})
    for (const LoopStream &S : Loop.Streams)
      if (S.Lowest.E.Kind == Kind)
        emitStream(IRB, S, Values);
}

/// Is the thread in a region, and are there enough iterations for it to matter?
Value *HookEmitter::emitIsTogether(Instruction *Before, const LoopPlan &Loop,
                                   const LoopValues &Values) {
  IRBuilder<> IRB(Before);
  IRB.SetCurrentDebugLocation(location(Loop.Accesses.front().E));
  auto InRegion = [&]() -> Value * {
    return IRB.CreateICmpNE(Hooks.call(IRB, Hook::InRegion, {}),
                            IRB.getInt32(0));
  };
  if (!Loop.Piece)
    return InRegion();
  Value *Count = Values.all().Count;
  Value *AreMany = IRB.CreateICmpUGT(
      Count, ConstantInt::get(Count->getType(), kFewIterations));
  if (Loop.isOneStream())
    return AreMany;
  BasicBlock *Head = Before->getParent();
  Instruction *Asked = branchIf(AreMany, Before, nullptr);
  IRB.SetInsertPoint(Asked);
  Value *IsInRegion = InRegion();
  IRB.SetInsertPoint(Before->getParent(), Before->getParent()->begin());
  PHINode *Phi = IRB.CreatePHI(IRB.getInt1Ty(), 2);
  Phi->addIncoming(IRB.getFalse(), Head);
  Phi->addIncoming(IsInRegion, Asked->getParent());
  return Phi;
}

void HookEmitter::emitLoop(Instruction *Before, const LoopPlan &Loop) {
  IRBuilder<> IRB(Before);
  IRB.SetCurrentDebugLocation(location(Loop.Accesses.front().E));
  LoopValues Values(Loop, Hooks.intPtrType());
  Values.compute(IRB);
  if (Loop.Piece) {
    Before = branchIf(IRB.CreateIsNotNull(Values.all().Count), Before, nullptr);
    IRB.SetInsertPoint(Before);
  }
  if (Loop.isOneLocation() && Loop.isOneGroup())
    return emitOnce(IRB, Loop, Values);
  if (Loop.isOneStream() && !Loop.Piece)
    return emitStream(IRB, Loop.Streams.front(), Values);

  stats::LoopsInOrder += !Loop.isOneStream();
  Instruction *Together = nullptr, *Single = nullptr;
  SplitBlockAndInsertIfThenElse(emitIsTogether(Before, Loop, Values), Before,
                                &Together, &Single);
  emitInOrder(Single, Loop, Values);
  IRB.SetInsertPoint(Together);
  emitStreams(IRB, Loop, Values);
}

} // namespace atsan
