//===- HookEmitter.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A segment becomes
//
//     %gate = load volatile i32, ptr @__atsan_gate
//     %open = icmp ne i32 %gate, 0
//     br i1 %open, label %hooks, label %rest, !prof !weights
//
// and the hooks are in a block of their own. Equal weights leave that block
// where it is, which is short code: a jump over it. In hot code the block is
// unlikely, so that code generation moves it out of the way, and spills there.
// The instruction that does the access stays where it is.
//
//===----------------------------------------------------------------------===//

#include "pass/emit/HookEmitter.h"

#include "pass/accesses/AtomicCalls.h"
#include "pass/accesses/AtomicUpdates.h"
#include "pass/accesses/ComparisonCalls.h"
#include "pass/accesses/CopyParts.h"
#include "pass/base/DebugLocations.h"
#include "pass/base/Statistics.h"
#include "pass/plan/AccessRun.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace atsan {

namespace {

/// No hook has this size in its name.
constexpr uint64_t AnySize = 0;

/// The hook for an event of Size bytes: a hook for ranges if none has this size
/// in its name.
Hook hookOfSize(EventKind Kind, uint64_t Size) {
  if (Kind == EventKind::Birth || Kind == EventKind::Death) {
    bool IsBirth = Kind == EventKind::Birth;
    switch (Size) {
    case 8:
      return IsBirth ? Hook::StackBirth8 : Hook::StackDeath8;
    case 16:
      return IsBirth ? Hook::StackBirth16 : Hook::StackDeath16;
    case 32:
      return IsBirth ? Hook::StackBirth32 : Hook::StackDeath32;
    default:
      return IsBirth ? Hook::StackBirth : Hook::StackDeath;
    }
  }
  bool IsRead = Kind == EventKind::Read;
  switch (Size) {
  case 1:
    return IsRead ? Hook::Read1 : Hook::Write1;
  case 2:
    return IsRead ? Hook::Read2 : Hook::Write2;
  case 4:
    return IsRead ? Hook::Read4 : Hook::Write4;
  case 8:
    return IsRead ? Hook::Read8 : Hook::Write8;
  default:
    return IsRead ? Hook::ReadRange : Hook::WriteRange;
  }
}

/// The hook for a run of Count accesses: one with the count as an argument if
/// none has it in its name.
Hook runHook(EventKind Kind, size_t Count) {
  bool IsRead = Kind == EventKind::Read;
  switch (Count) {
  case 2:
    return IsRead ? Hook::Read8Run2 : Hook::Write8Run2;
  case 3:
    return IsRead ? Hook::Read8Run3 : Hook::Write8Run3;
  case 4:
    return IsRead ? Hook::Read8Run4 : Hook::Write8Run4;
  default:
    return IsRead ? Hook::Read8Run : Hook::Write8Run;
  }
}

/// The hook for a copy of an object with the size in its name, if there is one.
std::optional<Hook> copyHook(const Event &E) {
  if (!E.At || E.Count || !E.isAccess() || !copyPartOf(*E.At))
    return std::nullopt;
  const bool IsRead = E.Kind == EventKind::Read;
  switch (E.Size) {
  case 16:
    return IsRead ? Hook::ReadRange16 : Hook::WriteRange16;
  case 24:
    return IsRead ? Hook::ReadRange24 : Hook::WriteRange24;
  case 32:
    return IsRead ? Hook::ReadRange32 : Hook::WriteRange32;
  default:
    return std::nullopt;
  }
}

void count(EventKind Kind, bool IsRange) {
  switch (Kind) {
  case EventKind::Read:
    ++(IsRange ? stats::RangeReads : stats::Reads);
    return;
  case EventKind::Write:
    ++(IsRange ? stats::RangeWrites : stats::Writes);
    return;
  case EventKind::Birth:
    ++stats::StackBirths;
    return;
  case EventKind::Death:
    ++stats::StackDeaths;
    return;
  }
}

Value *addOffset(IRBuilderBase &IRB, Value *Ptr, uint64_t Offset) {
  return Offset ? IRB.CreateConstGEP1_64(IRB.getInt8Ty(), Ptr, Offset) : Ptr;
}

} // namespace

HookEmitter::HookEmitter(Function &F, RuntimeHooks &Hooks)
    : F(F), Hooks(Hooks), EntryLoc(entryLocation(F)) {}

DebugLoc HookEmitter::location(const Event &E) const {
  if (E.From)
    return locationOf(*E.From, EntryLoc);
  return E.At ? locationOf(*E.At, EntryLoc) : EntryLoc;
}

/// Splits the block; returns the terminator of the new conditional block. Both
/// new branches get the location of the condition.
Instruction *HookEmitter::branchIf(Value *Cond, Instruction *Before,
                                   MDNode *Weights) {
  DebugLoc Loc = cast<Instruction>(Cond)->getDebugLoc();
  Instruction *Then = SplitBlockAndInsertIfThen(Cond, Before->getIterator(),
                                                /*Unreachable=*/false, Weights);
  Then->setDebugLoc(Loc);
  Then->getParent()->getSinglePredecessor()->getTerminator()->setDebugLoc(Loc);
  return Then;
}

void HookEmitter::emitEvents(IRBuilderBase &IRB, const Segment &S) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  ArrayRef<Event> Rest = S.Events;
  while (!Rest.empty()) {
    IRB.SetCurrentDebugLocation(location(Rest.front()));
    const AccessRun Run =
        firstRun(Rest, DL, [this](const Event &E) { return location(E); });
    if (Run.Accesses == 1)
      emitEvent(IRB, Rest.front());
    else
      emitRun(IRB, Rest.take_front(Run.Events), Run);
    Rest = Rest.drop_front(Run.Events);
  }
}

/// Emits one hook for neighbouring accesses.
void HookEmitter::emitRun(IRBuilderBase &IRB, ArrayRef<Event> Events,
                          const AccessRun &Run) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  DebugLoc Loc = location(Events.front());
  for (const Event &E : Events) {
    Loc = commonLocation(Loc, location(E));
    count(E.Kind, /*IsRange=*/E.Size != Run.Unit || !fitsGranule(E, DL));
  }
  if (Run.Events != 1)
    ++stats::Runs;
  IRB.SetCurrentDebugLocation(Loc);
  const Event &First = Events.front();
  Value *Ptr = addOffset(IRB, First.Ptr, First.Offset);
  if (Run.OfGranules) {
    const Hook H = runHook(First.Kind, Run.Accesses);
    if (H == Hook::Read8Run || H == Hook::Write8Run)
      Hooks.call(IRB, H, {Ptr, IRB.getInt32(Run.Accesses)});
    else
      Hooks.call(IRB, H, {Ptr});
    return;
  }
  emitSideBySide(IRB, First.Kind, Ptr, Run.Unit, Run.Accesses);
}

/// Emits the hook for accesses of so many bytes each, one right behind the
/// other.
void HookEmitter::emitSideBySide(IRBuilderBase &IRB, EventKind Kind, Value *Ptr,
                                 uint64_t Unit, uint64_t Accesses) {
  Value *Each = ConstantInt::get(Hooks.intPtrType(), Unit);
  Hooks.call(IRB,
             Kind == EventKind::Read ? Hook::ReadStrided : Hook::WriteStrided,
             {Ptr, Each, Each, ConstantInt::get(Hooks.intPtrType(), Accesses)});
}

void HookEmitter::emitSegment(const Segment &S) {
  IRBuilder<> IRB(S.InsertBefore);
  if (S.IsRare && !S.Loop) {
    emitEvents(IRB, S);
    ++stats::RareSegments;
    return;
  }
  IRB.SetCurrentDebugLocation(
      location(S.Events.empty() ? S.Loop->Accesses.back().E : S.Events.back()));
  Value *Open = Hooks.testGate(IRB);
  MDBuilder Weights(F.getContext());
  Instruction *Then = branchIf(Open, S.InsertBefore,
                               S.IsHot ? Weights.createUnlikelyBranchWeights()
                                       : Weights.createBranchWeights(1, 1));
  if (S.Loop)
    emitLoop(Then, *S.Loop);
  IRB.SetInsertPoint(Then);
  emitEvents(IRB, S);
  ++stats::Segments;
}

void HookEmitter::emitRange(IRBuilderBase &IRB, EventKind Kind, Value *Ptr,
                            Value *Size) {
  Hooks.call(IRB, hookOfSize(Kind, AnySize),
             {Ptr, IRB.CreateZExtOrTrunc(Size, Hooks.intPtrType())});
}

void HookEmitter::emitEvent(IRBuilderBase &IRB, const Event &E) {
  switch (E.Shape) {
  case Footprint::Lanes:
  case Footprint::Scatter:
  case Footprint::Indexed:
    return emitLanes(IRB, E);
  case Footprint::Packed:
    return emitPacked(IRB, E);
  case Footprint::Block:
    return emitBlock(IRB, E, E.Ptr);
  case Footprint::Frame:
    return emitFrame(IRB, E);
  }
}

void HookEmitter::emitBlock(IRBuilderBase &IRB, const Event &E, Value *Ptr) {
  Ptr = addOffset(IRB, Ptr, E.Offset);
  Value *Size = ConstantInt::get(Hooks.intPtrType(), E.Size);
  if (E.Count)
    Size =
        IRB.CreateMul(Size, IRB.CreateZExtOrTrunc(E.Count, Hooks.intPtrType()));

  if (const uint64_t Unit = unitOf(E); Unit != E.Size) {
    count(E.Kind, /*IsRange=*/true);
    return emitSideBySide(IRB, E.Kind, Ptr, Unit, E.Size / Unit);
  }

  Hook H = hookOfSize(E.Kind, E.Size);
  bool IsRange =
      E.Count || H == hookOfSize(E.Kind, AnySize) ||
      (E.isAccess() && !fitsGranule(E, F.getParent()->getDataLayout()));
  count(E.Kind, IsRange);
  if (const auto Copy = copyHook(E))
    Hooks.call(IRB, *Copy, {Ptr});
  else if (IsRange)
    emitRange(IRB, E.Kind, Ptr, Size);
  else
    Hooks.call(IRB, H, {Ptr});
}

void HookEmitter::emitFrame(IRBuilderBase &IRB, const Event &E) {
  bool IsBirth = E.Kind == EventKind::Birth;
  Hooks.call(IRB, IsBirth ? Hook::FrameBirth : Hook::FrameDeath, {});
  // The runtime finds the frame by the registers of its caller, which must be
  // this function, with a frame pointer.
  F.addFnAttr("frame-pointer", "all");
  F.addFnAttr(Attribute::NoInline);
  ++(IsBirth ? stats::FrameBirths : stats::FrameDeaths);
}

/// Returns a vector of i1 that says which lanes are accessed.
Value *HookEmitter::activeLanes(IRBuilderBase &IRB, const Event &E) {
  Value *Active = E.Mask;
  if (!Active)
    Active =
        ConstantInt::getTrue(FixedVectorType::get(IRB.getInt1Ty(), E.Lanes));
  if (E.MaskIsSign) {
    auto *Ty = cast<FixedVectorType>(Active->getType());
    Type *IntegersTy = VectorType::getInteger(Ty);
    Active = IRB.CreateICmpSLT(IRB.CreateBitCast(Active, IntegersTy),
                               Constant::getNullValue(IntegersTy));
  }
  if (!E.VectorLength)
    return Active;
  Type *LengthTy = E.VectorLength->getType();
  SmallVector<Constant *, 16> Numbers;
  for (unsigned I = 0; I != E.Lanes; ++I)
    Numbers.push_back(ConstantInt::get(LengthTy, I));
  Value *Below =
      IRB.CreateICmpULT(ConstantVector::get(Numbers),
                        IRB.CreateVectorSplat(E.Lanes, E.VectorLength));
  return IRB.CreateAnd(Active, Below);
}

/// The address that a lane accesses.
Value *HookEmitter::laneAddress(IRBuilderBase &IRB, const Event &E,
                                unsigned Lane) {
  IntegerType *IntPtrTy = Hooks.intPtrType();
  auto Extended = [&](Value *V) { return IRB.CreateSExtOrTrunc(V, IntPtrTy); };
  Value *Number = nullptr, *Step = nullptr;
  switch (E.Shape) {
  case Footprint::Scatter:
    return IRB.CreateExtractElement(E.Ptr, Lane);
  case Footprint::Indexed:
    Number = Extended(IRB.CreateExtractElement(E.Indices, Lane));
    Step = Extended(E.Scale);
    break;
  default:
    Number = ConstantInt::get(IntPtrTy, Lane);
    Step = E.Stride ? Extended(E.Stride) : ConstantInt::get(IntPtrTy, E.Size);
    break;
  }
  return IRB.CreateGEP(IRB.getInt8Ty(), E.Ptr, IRB.CreateMul(Step, Number));
}

/// Emits one range for each lane, which is empty for a lane that is not active.
/// The builder folds lanes of a constant mask.
void HookEmitter::emitLanes(IRBuilderBase &IRB, const Event &E) {
  Value *Active = activeLanes(IRB, E);
  Value *None = ConstantInt::get(Hooks.intPtrType(), 0);
  Value *Size = ConstantInt::get(Hooks.intPtrType(), E.Size);
  for (unsigned I = 0; I != E.Lanes; ++I) {
    Value *LaneSize =
        IRB.CreateSelect(IRB.CreateExtractElement(Active, I), Size, None);
    if (LaneSize == None)
      continue;
    emitRange(IRB, E.Kind, laneAddress(IRB, E, I), LaneSize);
  }
  ++stats::LaneAccesses;
}

void HookEmitter::emitPacked(IRBuilderBase &IRB, const Event &E) {
  Value *Active = activeLanes(IRB, E);
  auto *WideTy = FixedVectorType::get(Hooks.intPtrType(), E.Lanes);
  Value *NumActive = IRB.CreateAddReduce(IRB.CreateZExt(Active, WideTy));
  emitRange(
      IRB, E.Kind, E.Ptr,
      IRB.CreateMul(NumActive, ConstantInt::get(Hooks.intPtrType(), E.Size)));
  ++stats::LaneAccesses;
}

/// Leaves the atomic operation as it is, between two calls:
///
///     token = enabled ? atomic_enter(ptr, size) : 0
///     <the atomic instruction>
///     if (token) atomic_exit(ptr, size, kind, token)
void HookEmitter::emitAtomic(const Event &E) {
  Value *Size = ConstantInt::get(Hooks.intPtrType(), E.Size);
  DebugLoc Loc = location(E);

  IRBuilder<> IRB(E.At);
  IRB.SetCurrentDebugLocation(Loc);
  Value *Enabled = Hooks.testEnabled(IRB);
  Instruction *Enter = branchIf(Enabled, E.At, nullptr);
  BasicBlock *Head = Enter->getParent()->getSinglePredecessor();
  IRB.SetInsertPoint(Enter);
  IRB.SetCurrentDebugLocation(Loc);
  Value *Token = Hooks.call(IRB, Hook::AtomicEnter, {E.Ptr, Size});

  BasicBlock *Tail = E.At->getParent();
  IRB.SetInsertPoint(Tail, Tail->begin());
  IRB.SetCurrentDebugLocation(Loc);
  PHINode *Phi = IRB.CreatePHI(Token->getType(), 2);
  Phi->addIncoming(IRB.getInt32(0), Head);
  Phi->addIncoming(Token, Enter->getParent());

  Instruction *After = E.At->getNextNode();
  IRB.SetInsertPoint(After);
  IRB.SetCurrentDebugLocation(Loc);
  Value *Entered = IRB.CreateICmpNE(Phi, IRB.getInt32(0));
  MDNode *Unlikely = MDBuilder(F.getContext()).createUnlikelyBranchWeights();
  IRB.SetInsertPoint(branchIf(Entered, After, Unlikely));
  IRB.SetCurrentDebugLocation(Loc);

  using namespace atsan_abi;
  auto Number = [&](AtomicKind Kind) { return IRB.getInt32(Kind); };
  Value *Kind = Number(E.Kind == EventKind::Read ? kAtomicRead : kAtomicWrite);
  Value *Succeeded = nullptr;
  if (isa<AtomicRMWInst>(E.At))
    Kind = Number(kAtomicReadModifyWrite);
  else if (isa<AtomicCmpXchgInst>(E.At))
    Succeeded = IRB.CreateExtractValue(E.At, 1);
  else if (auto *Call = dyn_cast<CallBase>(E.At)) {
    AtomicCall::Operation Op = atomicCall(*Call)->Op;
    if (Op == AtomicCall::CompareExchange)
      Succeeded = IRB.CreateIsNotNull(Call);
    else if (Op != AtomicCall::Load && Op != AtomicCall::Store)
      Kind = Number(kAtomicReadModifyWrite);
  }
  // A failed exchange only reads; the program does not even know of one that an
  // operation makes which goes on until it succeeds.
  if (Succeeded)
    Kind = IRB.CreateSelect(
        Succeeded, Number(kAtomicReadModifyWrite),
        Number(isOfAtomicUpdate(*E.At) ? kFailedUpdate : kFailedExchange));
  Hooks.call(IRB, Hook::AtomicExit, {E.Ptr, Size, Kind, Phi});
  ++stats::Atomics;
}

void HookEmitter::emitJump(CallBase &Call) {
  IRBuilder<> IRB(&Call);
  IRB.SetCurrentDebugLocation(locationOf(Call, EntryLoc));
  bool Leaves = Call.getIntrinsicID() == Intrinsic::eh_sjlj_longjmp;
  Hooks.call(IRB, Leaves ? Hook::BuiltinLongJmp : Hook::SetJmp,
             {Call.getArgOperand(0)});
}

void HookEmitter::emit(const FunctionPlan &Plan) {
  // Segments first: where a segment ends at an atomic, its hooks come before
  // those of the atomic. From the last to the first, since to split a block
  // takes as long as what is behind is large.
  for (const Segment &S : reverse(Plan.Segments))
    emitSegment(S);
  for (const Event &E : reverse(Plan.Atomics))
    emitAtomic(E);
  for (CallBase *Call : Plan.Jumps)
    emitJump(*Call);
  for (CallInst *Call : Plan.Comparisons)
    emitComparison(*Call, Hooks);
  for (Instruction *Marker : Plan.Outdated)
    Marker->eraseFromParent();
}

} // namespace atsan
