//===- SchedulePoints.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/schedule/SchedulePoints.h"

#include "pass/accesses/AccessSelection.h"
#include "pass/accesses/AtomicCalls.h"
#include "pass/accesses/AtomicUpdates.h"
#include "pass/base/DebugLocations.h"
#include "pass/selection/LibrarySynchronization.h"
#include "pass/selection/PrivateMemory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace atsan {

namespace {

/// The address of an atomic operation that is one instruction, or null.
Value *atomicAddress(Instruction &I) {
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getPointerOperand();
  if (auto *CmpXchg = dyn_cast<AtomicCmpXchgInst>(&I))
    return CmpXchg->getPointerOperand();
  return I.isAtomic() ? getLoadStorePointerOperand(&I) : nullptr;
}

/// What the libraries of the C++ ABI do with the guard of a static variable.
struct GuardCall {
  Value *Guard;
  bool
      Acquires; ///< Otherwise it says that the variable is initialized, or not.
};

std::optional<GuardCall> guardCall(const CallBase &Call) {
  const auto *F =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!F || !F->getName().starts_with("__cxa_guard_") || Call.arg_empty())
    return std::nullopt;
  return GuardCall{Call.getArgOperand(0),
                   F->getName() == "__cxa_guard_acquire"};
}

class PointMaker {
public:
  PointMaker(Function &F, StringRef Name, RuntimeHooks &Hooks)
      : F(F), Name(Name), Hooks(Hooks), M(*F.getParent()) {}

  void add(Instruction &I, Value *Ptr, uint64_t Size, unsigned Kind) {
    IRBuilder<> IRB(&I);
    IRB.SetCurrentDebugLocation(locationOf(I, entryLocation(F)));
    Made.push_back(Hooks.call(IRB, Hook::SchedulePoint,
                              {Ptr, ConstantInt::get(Hooks.intPtrType(), Size),
                               IRB.getInt32(Kind), makePlace(I, IRB)}));
  }

  /// Before a function that gets or gives back a guard. Its first byte says
  /// that the variable is initialized, its second one that somebody does it.
  void addGuard(CallBase &Call, const GuardCall &G) {
    if (!G.Acquires)
      return add(Call, G.Guard, /*Size=*/2, atsan_abi::kPointAtomicWrite);
    IRBuilder<> IRB(&Call);
    IRB.SetCurrentDebugLocation(locationOf(Call, entryLocation(F)));
    Value *Second = IRB.CreateConstInBoundsGEP1_32(IRB.getInt8Ty(), G.Guard, 1);
    add(Call, Second, /*Size=*/1, atsan_abi::kPointInitialize);
  }

  /// Before an operation that counts references. Where libstdc++ looks, by one
  /// load, whether both counters of an object are 1, it takes away a reference
  /// of the first.
  void addCount(Instruction &I) {
    IRBuilder<> IRB(&I);
    IRB.SetCurrentDebugLocation(locationOf(I, entryLocation(F)));
    IntegerType *IntPtr = Hooks.intPtrType();
    Value *Ptr = atomicAddress(I), *Added = ConstantInt::get(IntPtr, -1, true);
    uint64_t Size = M.getDataLayout().getTypeStoreSize(I.getType());
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
      Added = IRB.CreateSExtOrTrunc(RMW->getValOperand(), IntPtr);
      if (RMW->getOperation() == AtomicRMWInst::Sub)
        Added = IRB.CreateNeg(Added);
    } else {
      Size /= 2;
    }
    Made.push_back(Hooks.call(
        IRB, Hook::ScheduleCount,
        {Ptr, ConstantInt::get(IntPtr, Size), Added, makePlace(I, IRB)}));
  }

  SmallVector<CallInst *, 64> Made;

private:
  Constant *text(StringRef Text, IRBuilderBase &IRB) {
    Constant *&Known = Texts[Text];
    if (!Known)
      Known = IRB.CreateGlobalString(Text, "atsan_place_text", 0, &M);
    return Known;
  }

  /// An atsan_abi::Place.
  Constant *makePlace(const Instruction &I, IRBuilderBase &IRB) {
    const DILocation *At = I.getDebugLoc();
    Type *Int32 = IRB.getInt32Ty();
    Constant *Fields[] = {
        text(Name, IRB),
        text(At ? At->getFilename() : "", IRB),
        ConstantInt::get(Int32, At ? At->getLine() : 0),
        ConstantInt::get(Int32, At ? At->getColumn() : 0),
        ConstantInt::get(Int32, ++Number),
        ConstantInt::get(Int32, 0),
    };
    Constant *Place = ConstantStruct::getAnon(Fields);
    auto *GV =
        new GlobalVariable(M, Place->getType(), /*isConstant=*/false,
                           GlobalValue::PrivateLinkage, Place, "atsan_place");
    return GV;
  }

  Function &F;
  StringRef Name;
  RuntimeHooks &Hooks;
  Module &M;
  StringMap<Constant *> Texts;
  unsigned Number = 0;
};

/// True for an addition to a counter of references, or a subtraction, and for
/// the load of two such counters at once.
bool isCount(const Instruction &I) {
  if (isa<LoadInst>(I))
    return I.getType()->isIntegerTy(64);
  const auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  return RMW && RMW->getType()->isIntegerTy() &&
         (RMW->getOperation() == AtomicRMWInst::Add ||
          RMW->getOperation() == AtomicRMWInst::Sub);
}

/// True for the intrinsic, and for what spin locks write as assembler.
bool isPause(const CallBase &Call) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return Intrinsic->getIntrinsicID() == Intrinsic::x86_sse2_pause;
  const auto *Text = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Text)
    return false;
  std::string Words;
  for (const char C : StringRef(Text->getAsmString()).trim(" \t\n;"))
    if (!isSpace(C) && C != ';')
      Words += C;
  return Words == "pause" || Words == "repnop";
}

} // namespace

void addSchedulePauses(Function &F, RuntimeHooks &Hooks) {
  SmallVector<CallBase *, 4> Pauses;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && isPause(*Call))
      Pauses.push_back(Call);
  for (CallBase *Pause : Pauses) {
    IRBuilder<> IRB(Pause);
    IRB.SetCurrentDebugLocation(locationOf(*Pause, entryLocation(F)));
    Hooks.call(IRB, Hook::SchedulePause, {});
  }
}

static SmallVector<CallInst *, 64> addPoints(Function &Body, StringRef Name,
                                             bool OfAtomicsOnly,
                                             ConfinedMemory &Confined,
                                             RuntimeHooks &Hooks) {
  const DataLayout &DL = Body.getParent()->getDataLayout();
  const PrivateMemory Private(Body, Confined);
  const AccessSelection Selection(DL, Private);
  PointMaker Points(Body, Name, Hooks);
  const bool CountsReferences = OfAtomicsOnly && isReferenceCounter(Name);
  SmallVector<Instruction *, 64> Accesses;
  for (Instruction &I : instructions(Body))
    if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I) ||
        (isa<CallBase>(I) &&
         (atomicCall(cast<CallBase>(I)) || guardCall(cast<CallBase>(I)))))
      Accesses.push_back(&I);
  for (Instruction *I : Accesses) {
    if (auto *Call = dyn_cast<CallBase>(I)) {
      if (std::optional<GuardCall> G = guardCall(*Call)) {
        Points.addGuard(*Call, *G);
        continue;
      }
      const AtomicCall C = *atomicCall(*Call);
      const bool IsRead = C.Op == AtomicCall::Load;
      if (IsRead && isOfAtomicUpdate(*Call))
        continue;
      if (!Selection.isSkipped(*I, C.Object,
                               IsRead ? EventKind::Read : EventKind::Write))
        Points.add(*I, C.Object, C.Offset + C.Size,
                   IsRead ? atsan_abi::kPointAtomicRead
                          : atsan_abi::kPointAtomicWrite);
      continue;
    }
    if (Value *Ptr = atomicAddress(*I)) {
      Event E;
      if (isa<LoadInst>(I) && isStaticGuard(Ptr))
        Points.add(*I, Ptr, /*Size=*/1, atsan_abi::kPointAtomicRead);
      else if (CountsReferences && isCount(*I))
        Points.addCount(*I);
      else if (Selection.selectAtomic(*I, E))
        Points.add(*I, Ptr, E.Size,
                   E.Kind == EventKind::Read ? atsan_abi::kPointAtomicRead
                                             : atsan_abi::kPointAtomicWrite);
      continue;
    }
    if (OfAtomicsOnly)
      continue;
    SmallVector<Event, 2> Events;
    Selection.describe(*I, Events);
    if (Events.empty())
      continue;
    Points.add(*I, getLoadStorePointerOperand(I),
               DL.getTypeStoreSize(getLoadStoreType(I)).getFixedValue(),
               isa<LoadInst>(I) ? atsan_abi::kPointRead
                                : atsan_abi::kPointWrite);
  }
  return std::move(Points.Made);
}

SmallVector<CallInst *, 64> addSchedulePoints(Function &Body, StringRef Name,
                                              ConfinedMemory &Confined,
                                              RuntimeHooks &Hooks) {
  return addPoints(Body, Name, /*OfAtomicsOnly=*/false, Confined, Hooks);
}

SmallVector<CallInst *, 64> addAtomicSchedulePoints(Function &Body,
                                                    ConfinedMemory &Confined,
                                                    RuntimeHooks &Hooks) {
  return addPoints(Body, Body.getName(), /*OfAtomicsOnly=*/true, Confined,
                   Hooks);
}

} // namespace atsan
