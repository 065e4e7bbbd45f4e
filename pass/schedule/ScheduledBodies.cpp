//===- ScheduledBodies.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scheduled bodies call each other, so that they are inlined into each other
// like the usual ones; only what comes from elsewhere is tested. A test is put
// in last of all: it would make functions too large to be inlined, and what is
// inlined needs none.
//
//===----------------------------------------------------------------------===//

#include "pass/schedule/ScheduledBodies.h"

#include "pass/accesses/MemoryIntrinsics.h"
#include "pass/base/Options.h"
#include "pass/schedule/BodyCopy.h"
#include "pass/schedule/SchedulePoints.h"
#include "pass/schedule/ScheduledCalls.h"
#include "pass/schedule/ScheduledFunctions.h"
#include "pass/schedule/SingleBodies.h"
#include "pass/selection/ConfinedMemory.h"
#include "pass/selection/FunctionSelection.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace atsan {

namespace {

/// On a usual body: the name of its scheduled one.
constexpr const char *kBodyAttribute = "atsan-scheduled-body";
constexpr const char *kSuffix = ".atsan_scheduled";
constexpr const char *kUsualSuffix = ".atsan_usual";

using Bodies = DenseMap<const Function *, Function *>;

/// The copy is the module's own, or, like an inline function, one for all
/// modules that have it.
void setLinkage(Function &Body, Function &F) {
  Body.setVisibility(GlobalValue::DefaultVisibility);
  Body.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  if (F.hasLinkOnceODRLinkage() || F.hasWeakODRLinkage()) {
    Body.setLinkage(GlobalValue::LinkOnceODRLinkage);
    Body.setVisibility(GlobalValue::HiddenVisibility);
    Body.setComdat(F.getParent()->getOrInsertComdat(Body.getName()));
    return;
  }
  Body.setLinkage(GlobalValue::InternalLinkage);
  // A local function of a group must not outlive what it refers to there.
  Body.setComdat(F.hasLocalLinkage() ? F.getComdat() : nullptr);
}

Function *makeBody(Function &F) {
  Function *Body = copyBody(F, F.getName() + kSuffix);
  setLinkage(*Body, F);
  Body->addFnAttr(kScheduledAttribute);
  F.addFnAttr(kBodyAttribute, Body->getName());
  return Body;
}

/// The scheduled body of what is called, or null.
Function *calledBody(const CallBase &Call, const Bodies &All) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isInterposable() ? All.lookup(Callee) : nullptr;
}

void callBodies(Function &Body, const Bodies &All) {
  for (Instruction &I : instructions(Body))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Other = calledBody(*Call, All))
        Call->setCalledFunction(Other);
}

/// Calls the scheduled bodies while schedules are controlled. Where the usual
/// one was inlined, or changed by an optimizer that knows all of its calls,
/// nobody could go on from there in the scheduled one.
void chooseBodies(Function &F, const Bodies &All, RuntimeHooks &Hooks) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Other = calledBody(*Call, All)) {
        IRBuilder<> IRB(Call);
        Call->setCalledOperand(IRB.CreateSelect(Hooks.testScheduled(IRB), Other,
                                                Call->getCalledOperand()));
      }
}

/// Puts the static allocas of the entry block in front, since anywhere else
/// they would be no static ones, and returns the first instruction behind them.
Instruction &behindAllocas(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  BasicBlock::iterator At = Entry.begin();
  while (isa<AllocaInst>(At) || isa<DbgInfoIntrinsic>(At))
    ++At;
  for (Instruction &I : make_early_inc_range(make_range(At, Entry.end())))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I);
        Alloca && Alloca->isStaticAlloca())
      Alloca->moveBefore(Entry, At);
  return *At;
}

/// True if code that is not scheduled may call the function.
bool isEntered(const Function &F) {
  return !F.hasLocalLinkage() ||
         F.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                           /*IgnoreAssumeLikeCalls=*/true,
                           /*IgnoreLLVMUsed=*/true);
}

bool startsArguments(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    return Call && Call->getIntrinsicID() == Intrinsic::vastart;
  });
}

/// Returns a call, in front of a return of what it returns, with the arguments
/// of \p F, at the end of \p Block.
CallInst *callAndReturn(Function &F, Function &Body, BasicBlock *Block,
                        DebugLoc Loc) {
  IRBuilder<> IRB(Block);
  IRB.SetCurrentDebugLocation(std::move(Loc));
  SmallVector<Value *, 8> Args;
  for (Argument &A : F.args())
    Args.push_back(&A);
  CallInst *Call = IRB.CreateCall(&Body, Args);
  Call->setCallingConv(Body.getCallingConv());
  Call->setAttributes(Body.getAttributes().removeFnAttributes(F.getContext()));
  if (F.getReturnType()->isVoidTy())
    IRB.CreateRetVoid();
  else
    IRB.CreateRet(Call);
  return Call;
}

/// Moves what the function does to one of its own, and goes on there by a tail
/// call. LLVM 19 overwrites the stack of a function that does both: takes a
/// list of its arguments, in AVX registers, and hands them on.
Function *moveUsualBody(Function &F) {
  Function *Usual = copyBody(F, F.getName() + kUsualSuffix);
  setLinkage(*Usual, F);
  const GlobalValue::LinkageTypes Linkage = F.getLinkage();
  F.deleteBody();
  F.setLinkage(Linkage);
  auto *Block = BasicBlock::Create(F.getContext(), "usual", &F);
  callAndReturn(F, *Usual, Block, DebugLoc())
      ->setTailCallKind(CallInst::TCK_MustTail);
  return Usual;
}

/// True if the function can go on in \p Body by a tail call. Where an
/// optimizer knows all calls of one of the two, as at the link step of LTO, it
/// may have given that another calling convention.
bool canGoOnIn(const Function &F, const Function &Body) {
  return F.getCallingConv() == Body.getCallingConv() && !takesCopies(F);
}

/// Goes on in the scheduled body by a tail call, where that is possible: else
/// reports show the function twice.
void enterBody(Function &F, Function &Body, RuntimeHooks &Hooks) {
  Instruction &Begin = behindAllocas(F);
  BasicBlock *Top = Begin.getParent();
  BasicBlock *Usual = Top->splitBasicBlock(Begin.getIterator(), "usual");
  auto *Scheduled = BasicBlock::Create(F.getContext(), "scheduled", &F, Usual);
  Top->getTerminator()->eraseFromParent();
  IRBuilder<> IRB(Top);
  DebugLoc Loc;
  if (DISubprogram *SP = F.getSubprogram())
    Loc = DILocation::get(F.getContext(), 0, 0, SP);
  IRB.SetCurrentDebugLocation(Loc);
  IRB.CreateCondBr(Hooks.testScheduled(IRB), Scheduled, Usual,
                   MDBuilder(F.getContext()).createUnlikelyBranchWeights());
  IRB.SetInsertPoint(Scheduled);
  Hooks.enterScheduled(IRB);
  callAndReturn(F, Body, Scheduled, Loc)
      ->setTailCallKind(canGoOnIn(F, Body) ? CallInst::TCK_MustTail
                                           : CallInst::TCK_NoTail);
}

void eraseUnused(SmallVectorImpl<Function *> &Functions) {
  for (bool IsChanged = true; IsChanged;) {
    IsChanged = false;
    for (Function *&F : Functions) {
      if (!F || !F->use_empty())
        continue;
      F->eraseFromParent();
      F = nullptr;
      IsChanged = true;
    }
  }
}

} // namespace

PreservedAnalyses SchedulePass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!Schedule || !isInstrumentable(M))
    return PreservedAnalyses::all();
  FunctionAnalysisManager &FAM =
      MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  auto LibraryOf = [&](Function &F) -> TargetLibraryInfo & {
    return FAM.getResult<TargetLibraryAnalysis>(F);
  };
  ConfinedMemory Confined(LibraryOf);
  const FunctionSelection Selection(M);
  const DenseSet<const Function *> Running = scheduledFunctions(M);
  SmallVector<Function *, 32> Usual, Scheduled;
  RuntimeHooks Hooks(M);
  SmallVector<Function *, 4> Single;
  for (Function &F : M) {
    if (!Running.contains(&F) || isScheduledBody(F) ||
        F.hasFnAttribute(kBodyAttribute))
      continue;
    if (F.hasFnAttribute(kNoSanitizeAttribute)) {
      if (F.hasFnAttribute(Attribute::Naked))
        continue;
      addSchedulePauses(F, Hooks);
      keepAtomicPoints(F);
    } else if (!F.isPresplitCoroutine() && !Selection.contains(F)) {
      continue;
    } else if (hasSingleBody(F)) {
      keepSingleBody(F);
      addSchedulePauses(F, Hooks);
      Single.push_back(&F);
    } else {
      Usual.push_back(&F);
    }
  }
  if (Usual.empty())
    return PreservedAnalyses::none();
  Bodies All;
  for (Function *F : Usual)
    Scheduled.push_back(All[F] = makeBody(*F));
  for (Function *F : Single)
    chooseBodies(*F, All, Hooks);
  for (size_t I = 0; I != Usual.size(); ++I) {
    callBodies(*Scheduled[I], All);
    addScheduleCalls(*Scheduled[I], Hooks);
    // The optimizer would make loads and stores of them, which have no points.
    lowerMemoryIntrinsics(*Scheduled[I], Hooks);
    keepScheduledLibraryCalls(*Scheduled[I], LibraryOf(*Scheduled[I]));
    addSchedulePauses(*Scheduled[I], Hooks);
    addSchedulePoints(*Scheduled[I], Usual[I]->getName(), Confined, Hooks);
  }
  // Until enterScheduledBodies, nobody calls them.
  SmallVector<GlobalValue *, 32> Used(Scheduled.begin(), Scheduled.end());
  appendToCompilerUsed(M, Used);
  return PreservedAnalyses::none();
}

SmallVector<Function *, 32> enterScheduledBodies(Module &M,
                                                 RuntimeHooks &Hooks) {
  SmallVector<Function *, 32> Entering, Scheduled;
  for (Function &F : M)
    if (isScheduledBody(F) && !F.isDeclaration() && !isSingleBody(F))
      Scheduled.push_back(&F);
  if (Scheduled.empty())
    return Entering;
  removeFromUsedLists(M, [](Constant *C) {
    auto *F = dyn_cast<Function>(C->stripPointerCasts());
    return F && isScheduledBody(*F);
  });
  for (Function &F : M) {
    if (F.isDeclaration() || isScheduledBody(F))
      continue;
    Function *Body =
        M.getFunction(F.getFnAttribute(kBodyAttribute).getValueAsString());
    F.removeFnAttr(kBodyAttribute);
    if (!Body || !isEntered(F) ||
        Body->getFunctionType() != F.getFunctionType())
      continue;
    // Only a tail call can hand on arguments that are not known.
    if (F.isVarArg() && !canGoOnIn(F, *Body))
      continue;
    if (startsArguments(F)) {
      if (!canCopyBody(F))
        continue;
      Entering.push_back(moveUsualBody(F));
    }
    enterBody(F, *Body, Hooks);
    Entering.push_back(&F);
  }
  eraseUnused(Scheduled);
  return Entering;
}

} // namespace atsan
