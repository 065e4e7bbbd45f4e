//===- LoopEmitter.cpp ---------------------------------------------------===//
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

#include "HookEmitter.h"

#include "Statistics.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace atsan {

namespace {

/// Fewer iterations are not worth a hook that is made for many.
constexpr uint64_t kFewIterations = 4;

/// Iterations, from Begin on.
struct Iterations {
  Value *Begin = nullptr, *Count = nullptr;
};

} // namespace

/// Computes what the hooks of one loop need, behind the loop or at a cut.
class LoopValues {
public:
  LoopValues(const LoopPlan &Plan, IntegerType *IntPtrTy)
      : Plan(Plan), IntPtrTy(IntPtrTy) {}

  /// Inserts the computation of everything; for the getters below.
  void compute(IRBuilderBase &IRB);

  /// Those of all accesses.
  Iterations all() const { return All; }
  /// Those that make this one.
  Iterations of(const LoopAccess &A) const { return OfGroup.lookup(A.Group); }
  /// Null: in all of them that there are.
  Value *makes(IRBuilderBase &IRB, unsigned Group, Value *Iteration) const;
  /// Of the first iteration.
  Value *first(const LoopAccess &A) const { return FirstOf.lookup(A.E.Ptr); }
  /// Of any.
  Value *address(IRBuilderBase &IRB, const LoopAccess &A,
                 Value *Iteration) const;
  Value *stride(const LoopAccess &A) const { return StrideOf.lookup(A.Stride); }

private:
  Value *recompute(IRBuilderBase &IRB, Value *V);
  Value *expand(IRBuilderBase &IRB, const SCEV *S);
  Value *iterations(IRBuilderBase &IRB);
  void computePiece(IRBuilderBase &IRB);

  const LoopPlan &Plan;
  IntegerType *IntPtrTy;
  Iterations All;
  SmallDenseMap<unsigned, Iterations, 4> OfGroup;
  DenseMap<const Value *, Value *> FirstOf;
  DenseMap<const SCEV *, Value *> StrideOf;
};

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

/// From how far the counter has come.
Value *LoopValues::iterations(IRBuilderBase &IRB) {
  Value *From = recompute(IRB, Plan.Counter);
  // Frozen, or loop strength reduction sees the number of iterations in what
  // follows and counts them in the loop.
  Value *To = IRB.CreateFreeze(Plan.Counter);
  if (From->getType()->isPointerTy()) {
    From = IRB.CreatePtrToInt(From, IntPtrTy);
    To = IRB.CreatePtrToInt(To, IntPtrTy);
  }
  if (Plan.Step < 0)
    std::swap(From, To);
  Value *Distance = IRB.CreateZExt(IRB.CreateSub(To, From), IntPtrTy);
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
               : IRB.CreateUDiv(Distance,
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

/// One hook for all that a stream accesses.
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
    // Without gaps: as accesses of the source, in the direction of the loop.
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
  auto [Body, Number] = SplitBlockAndInsertSimpleForLoop(Count, Before);
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

void HookEmitter::emitLoop(Instruction *Before, const LoopPlan &Loop) {
  IRBuilder<> IRB(Before);
  IRB.SetCurrentDebugLocation(location(Loop.Accesses.front().E));
  LoopValues Values(Loop, Hooks.intPtrType());
  Values.compute(IRB);
  Value *AsStreams = nullptr;
  if (Loop.Piece) {
    Value *Count = Values.all().Count;
    Before = branchIf(IRB.CreateIsNotNull(Count), Before, nullptr);
    IRB.SetInsertPoint(Before);
    AsStreams = IRB.CreateICmpUGT(
        Count, ConstantInt::get(Count->getType(), kFewIterations));
  }
  if (Loop.isOneLocation() && Loop.isOneGroup())
    return emitOnce(IRB, Loop, Values);
  if (Loop.isOneStream() && !Loop.Piece)
    return emitStream(IRB, Loop.Streams.front(), Values);

  if (!Loop.isOneStream()) {
    ++stats::LoopsInOrder;
    Value *InRegion =
        IRB.CreateICmpNE(Hooks.call(IRB, Hook::InRegion, {}), IRB.getInt32(0));
    AsStreams = AsStreams ? IRB.CreateAnd(AsStreams, InRegion) : InRegion;
  }
  Instruction *Together = nullptr, *Single = nullptr;
  SplitBlockAndInsertIfThenElse(AsStreams, Before, &Together, &Single);
  emitInOrder(Single, Loop, Values);
  IRB.SetInsertPoint(Together);
  emitStreams(IRB, Loop, Values);
}

} // namespace atsan
