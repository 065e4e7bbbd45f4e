//===- MarkerPass.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An opt-out is about a function's own code: what it calls stays instrumented,
// and its callers too, at every optimization level. clang's inliner would mix
// them (it keeps apart only functions with and without one of its own sanitizer
// attributes), so calls into and out of such a function are not inlined.
// Functions that must be inlined (always_inline) are the exception.
//
//===----------------------------------------------------------------------===//

#include "pass/MarkerPass.h"

#include "pass/Restraint.h"
#include "pass/base/Statistics.h"
#include "pass/selection/FunctionSelection.h"
#include "pass/selection/Ignorelist.h"
#include "pass/selection/LibrarySynchronization.h"
#include "pass/selection/RegionFunctions.h"
#include "pass/selection/RegionSelection.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace atsan {

namespace {

constexpr const char *kMarkedFlag = "atsan.marked";
constexpr const char *kAtomicAnnotation = "atsan_atomic";
constexpr const char *kNoSanitizeAnnotation = "atsan_no_sanitize";

struct Annotated {
  SetVector<Function *> Atomic;
  SetVector<Function *> NoSanitize;
};

/// The text of an annotation: the second member of an entry of
/// llvm.global.annotations is a pointer to a C string.
StringRef annotationText(const ConstantStruct &Entry) {
  auto *GV = dyn_cast<GlobalVariable>(Entry.getOperand(1)->stripPointerCasts());
  if (!GV || !GV->hasInitializer())
    return "";
  auto *Text = dyn_cast<ConstantDataSequential>(GV->getInitializer());
  return Text && Text->isCString() ? Text->getAsCString() : "";
}

Annotated readAnnotations(Module &M) {
  Annotated Result;
  GlobalVariable *GV = M.getGlobalVariable("llvm.global.annotations");
  if (!GV || !GV->hasInitializer())
    return Result;
  auto *Entries = dyn_cast<ConstantArray>(GV->getInitializer());
  if (!Entries)
    return Result;
  for (Value *Op : Entries->operands()) {
    auto *Entry = dyn_cast<ConstantStruct>(Op);
    if (!Entry || Entry->getNumOperands() < 2)
      continue;
    auto *F = dyn_cast<Function>(Entry->getOperand(0)->stripPointerCasts());
    if (!F || F->isDeclaration())
      continue;
    StringRef Text = annotationText(*Entry);
    if (Text == kAtomicAnnotation)
      Result.Atomic.insert(F);
    else if (Text == kNoSanitizeAnnotation)
      Result.NoSanitize.insert(F);
  }
  return Result;
}

/// True if the function works only as a part of its callers: it needs their
/// frame or their constants, or has no copy of its own.
bool mustBeInlined(const Function &F) {
  if (!F.hasFnAttribute(Attribute::AlwaysInline))
    return false;
  if (F.hasAvailableExternallyLinkage())
    return true;
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return false;
    switch (Call->getIntrinsicID()) {
    case Intrinsic::addressofreturnaddress:
    case Intrinsic::frameaddress:
    case Intrinsic::returnaddress:
      return true;
    default:
      return Call->isInlineAsm() || Call->hasFnAttr(Attribute::ReturnsTwice);
    }
  });
}

void keepCalleesApart(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm() || isa<IntrinsicInst>(Call) ||
        Call->hasFnAttr(Attribute::AlwaysInline) ||
        Call->hasFnAttr(kInlinedLateAttribute))
      continue;
    Call->setIsNoInline();
  }
}

/// The optimizer would mix a function's accesses with those of its callers, so
/// it stays apart: for good, or until the hooks are there.
void optOut(Function &F) {
  ++stats::OptOuts;
  F.addFnAttr(kNoSanitizeAttribute);
  // The optimizer would make calls of loops and comparisons, which are
  // intercepted.
  for (StringRef Made :
       {"bcmp", "memcmp", "memcpy", "memmove", "memset", "strlen", "wcslen"})
    F.addFnAttr(("no-builtin-" + Made).str());
  keepCalleesApart(F);
  if (mustBeInlined(F)) {
    F.addFnAttr(kInlinedLateAttribute);
    if (F.hasAvailableExternallyLinkage())
      F.setLinkage(GlobalValue::InternalLinkage);
  } else if (F.hasLocalLinkage()) {
    // Argument promotion would move loads of a local function into its callers.
    // It leaves alone what is not only called.
    appendToCompilerUsed(*F.getParent(), {&F});
  }
  F.removeFnAttr(Attribute::AlwaysInline);
  F.addFnAttr(Attribute::NoInline);
}

/// A mark that is called last in its function must leave that function's frame
/// on the stack: the region, or the mistake, is reported there.
void keepFramesOfMarks(Module &M) {
  for (StringRef Name : {"__atomic_begin", "__atomic_end", "__atomic_restart",
                         "__atsan_region_begin", "__atsan_region_end"}) {
    Function *Mark = M.getFunction(Name);
    if (!Mark)
      continue;
    for (User *U : Mark->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        Call->setTailCallKind(CallInst::TCK_NoTail);
  }
}

} // namespace

/// What is said outside the source, clang's own attribute, and what is known
/// of the C++ library.
static void applyOptions(Module &M, Annotated &Found) {
  const Ignorelist Ignored(M);
  const RegionSelection Regions(M);
  const FunctionSelection Selection(M);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) ||
        Ignored.contains(F)) {
      Found.NoSanitize.insert(&F);
    } else if (isLibrarySynchronization(F.getName())) {
      ++stats::LibrarySynchronization;
      Found.NoSanitize.insert(&F);
    }
    bool IsDefault = Regions.exports(F) && Selection.contains(F) &&
                     !Found.NoSanitize.contains(&F);
    if (IsDefault || Regions.lists(F))
      Found.Atomic.insert(&F);
    if (Regions.excludes(F))
      Found.Atomic.remove(&F);
  }
  Regions.addConstructor(M);
}

PreservedAnalyses MarkerPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (M.getModuleFlag(kMarkedFlag))
    return PreservedAnalyses::all();
  M.addModuleFlag(Module::Max, kMarkedFlag, 1);

  Annotated Found = readAnnotations(M);
  if (isInstrumentable(M))
    applyOptions(M, Found);

  for (Function *F : Found.NoSanitize)
    optOut(*F);
  for (Function *F : Found.Atomic)
    makeRegion(*F);
  keepFramesOfMarks(M);
  if (isInstrumentable(M))
    restrainOptimizer(M, MAM);
  return PreservedAnalyses::none();
}

} // namespace atsan
