//===- InstrumentPass.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Order of the work on a function: memory intrinsics are lowered, because that
// changes what the accesses are; then the plan is made from unchanged code;
// then it is emitted. A module flag makes sure that this happens once to a
// module, however often it goes through a pipeline.
//
//===----------------------------------------------------------------------===//

#include "pass/InstrumentPass.h"

#include "pass/OptOut.h"
#include "pass/Restraint.h"
#include "pass/accesses/ArithmeticCalls.h"
#include "pass/accesses/ComparisonCalls.h"
#include "pass/accesses/LibraryCalls.h"
#include "pass/accesses/MemoryIntrinsics.h"
#include "pass/accesses/ParallelCalls.h"
#include "pass/base/Options.h"
#include "pass/base/Statistics.h"
#include "pass/emit/FrameVariables.h"
#include "pass/emit/HookEmitter.h"
#include "pass/emit/LeftFrames.h"
#include "pass/plan/FunctionPlan.h"
#include "pass/schedule/ScheduledBodies.h"
#include "pass/schedule/SingleBodies.h"
#include "pass/selection/ConfinedMemory.h"
#include "pass/selection/FunctionSelection.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LowerMatrixIntrinsics.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace atsan {

namespace {

constexpr const char *kInstrumentedFlag = "atsan.instrumented";
constexpr const char *kConstructorName = "atsan.module_ctor";

/// Static allocas go to the very top of the entry block. Splitting the block in
/// front of one would make it a dynamic alloca.
void gatherStaticAllocas(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  BasicBlock::iterator Top = Entry.begin();
  while (isa<AllocaInst>(Top))
    ++Top;
  for (Instruction &I : make_early_inc_range(make_range(Top, Entry.end())))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (Alloca->isStaticAlloca())
        Alloca->moveBefore(Entry, Top);
}

/// Drops attributes that were true of the function without hooks.
void dropOutdatedAttributes(Function &F) {
  AttributeMask Outdated;
  Outdated.addAttribute(Attribute::Memory);
  Outdated.addAttribute(Attribute::NoSync);
  Outdated.addAttribute(Attribute::Speculatable);
  F.removeFnAttrs(Outdated);
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      if (Call->getCalledFunction() == &F)
        Call->removeFnAttrs(Outdated);
}

/// A function that ends with a call, such as of a mark or a hook, stays on the
/// stack for it: reports show it, and a region is of its frame.
void keepOnStack(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (!Call->isMustTailCall() && !isa<IntrinsicInst>(Call))
        Call->setTailCallKind(CallInst::TCK_NoTail);
}

/// Makes loads and stores of what loads and stores a matrix: for ThinLTO, LLVM
/// does so after linking only.
void lowerMatrices(Function &F, FunctionAnalysisManager &FAM) {
  const bool HasAccess = any_of(instructions(F), [](const Instruction &I) {
    const auto *II = dyn_cast<IntrinsicInst>(&I);
    return II && (II->getIntrinsicID() == Intrinsic::matrix_column_major_load ||
                  II->getIntrinsicID() == Intrinsic::matrix_column_major_store);
  });
  if (HasAccess)
    FAM.invalidate(F, LowerMatrixIntrinsicsPass().run(F, FAM));
}

/// True if the function got hooks.
bool instrument(Function &F, RuntimeHooks &Hooks, ConfinedMemory &Confined,
                const BlockFrequencyInfo &Frequencies, AAResults &AA) {
  gatherStaticAllocas(F);
  keepLibraryCalls(F, Confined.libraryOf(F));
  if (LoopHooks)
    hoistPointers(F, AA, Confined.libraryOf(F));
  lowerMemoryIntrinsics(F, Hooks);
  FunctionPlan Plan = planFunction(F, Confined, Frequencies, AA);
  std::optional<LoopAnalyses> Analyses;
  if (LoopHooks && !Plan.Segments.empty()) {
    Analyses.emplace(F, Confined.libraryOf(F));
    planLoops(F, *Analyses, Plan);
  }
  if (Plan.empty())
    return false;
  HookEmitter(F, Hooks).emit(Plan);
  recordVariables(F, Plan.Shared);
  ++stats::Functions;
  return true;
}

/// Internal and not in a COMDAT, so that each translation unit keeps its own:
/// their flags differ.
void addConstructor(Module &M, RuntimeHooks &Hooks) {
  Function *Ctor = createSanitizerCtor(M, kConstructorName);
  IRBuilder<> IRB(Ctor->getEntryBlock().getTerminator());
  const unsigned Flags = (hasRegionMarks(M) ? atsan_abi::kHasRegionMarks : 0) |
                         (Schedule ? atsan_abi::kHasSchedulePoints : 0);
  Hooks.call(IRB, Hook::InitModule,
             {IRB.getInt32(atsan_abi::kVersion), IRB.getInt32(Flags)});
  appendToGlobalCtors(M, Ctor, /*Priority=*/0);
}

} // namespace

PreservedAnalyses InstrumentPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (M.getModuleFlag(kInstrumentedFlag) || !isInstrumentable(M))
    return PreservedAnalyses::all();
  M.addModuleFlag(Module::Max, kInstrumentedFlag, 1);
  releaseOptimizer(M);

  FunctionAnalysisManager &FAM =
      MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  RuntimeHooks Hooks(M);
  FunctionSelection Selection(M);
  SmallVector<Function *, 32> Selected;
  for (Function &F : M) {
    if (Selection.contains(F))
      Selected.push_back(&F);
    else if (!F.isDeclaration())
      ++stats::SkippedFunctions;
    if (F.hasFnAttribute(kNoSanitizeAttribute))
      hideMemoryIntrinsics(F, Hooks);
  }
  for (Function *F : Selected)
    lowerMatrices(*F, FAM);
  replaceLibraryCalls(M, Selected);
  divideAtParallelCalls(
      M, [&](Function &F) { FAM.invalidate(F, PreservedAnalyses::none()); });
  auto LibraryOf = [&](Function &F) -> TargetLibraryInfo & {
    return FAM.getResult<TargetLibraryAnalysis>(F);
  };
  ConfinedMemory Confined(LibraryOf);
  for (Function &F : M)
    scheduleAtomics(F, Confined, Hooks);
  for (Function *F : Selected)
    scheduleSingleBody(*F, Confined, Hooks);
  // The optimizer has used what it knew of a function in those that call it:
  // all are instrumented before any is changed for its callers.
  SmallVector<Function *, 32> Instrumented;
  for (Function *F : Selected)
    if (instrument(*F, Hooks, Confined,
                   FAM.getResult<BlockFrequencyAnalysis>(*F),
                   FAM.getResult<AAManager>(*F)))
      Instrumented.push_back(F);
  Instrumented.append(enterScheduledBodies(M, Hooks));
  for (Function *F : Instrumented)
    dropOutdatedAttributes(*F);
  inlineOptedOut(M, MAM, Hooks);
  tellLeftFrames(M, Hooks);
  addConstructor(M, Hooks);
  for (Function &F : M)
    if (!F.isDeclaration()) {
      forbidMadeCalls(F);
      keepOnStack(F);
    }

  if (PrintStats)
    stats::print();
  return PreservedAnalyses::none();
}

} // namespace atsan
