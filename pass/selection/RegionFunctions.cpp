//===- RegionFunctions.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The marks are calls, inserted before inlining, so a region goes wherever its
// function goes. A musttail call is an exit: its callee replaces the frame, and
// so the region ends before it.
//
//===----------------------------------------------------------------------===//

#include "pass/selection/RegionFunctions.h"

#include "pass/base/DebugLocations.h"
#include "pass/base/RuntimeHooks.h"
#include "pass/base/Statistics.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"

using namespace llvm;

namespace atsan {

static const char *whyNoRegion(const Function &F) {
  if (F.isPresplitCoroutine())
    return "a coroutine leaves and enters its frame in the middle, so it is no "
           "region as a whole; use regions between its suspension points";
  if (F.hasFnAttribute(Attribute::Naked))
    return "a naked function has no entry or exit of its own, so it is no "
           "region; use a region in its callers";
  if (F.hasPersonalityFn() &&
      isScopedEHPersonality(classifyEHPersonality(F.getPersonalityFn())))
    return "this kind of exception handling is not supported, so the function "
           "is no region";
  return nullptr;
}

static void warn(const Function &F, const char *Why,
                 const DiagnosticLocation &Where) {
  F.getContext().diagnose(DiagnosticInfoUnsupported(F, Why, Where, DS_Warning));
}

/// A thunk does nothing but jump to its function.
static void warnOfJumps(const Function &F) {
  if (F.hasFnAttribute("thunk"))
    return;
  for (const BasicBlock &BB : F)
    if (const CallInst *Jump = BB.getTerminatingMustTailCall())
      warn(F,
           "the region ends before this call, which 'musttail' makes a jump: "
           "what is called is not in the region; mark a function that calls "
           "this one, or leave out 'musttail'",
           Jump->getDebugLoc());
}

void makeRegion(Function &F) {
  if (const char *Why = whyNoRegion(F))
    return warn(F, Why, F.getSubprogram());
  warnOfJumps(F);
  ++stats::RegionFunctions;
  RuntimeHooks Hooks(*F.getParent());

  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> IRB(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  IRB.SetCurrentDebugLocation(entryLocation(F));
  Value *Name = IRB.CreateGlobalString(F.getName(), "atsan.region");
  Hooks.call(IRB, Hook::RegionBegin, {Name});

  // Calls that may throw get a landing pad that ends the region.
  EscapeEnumerator Exits(F, "atsan.region.cleanup");
  while (IRBuilder<> *AtExit = Exits.Next()) {
    AtExit->SetCurrentDebugLocation(
        locationOf(*AtExit->GetInsertPoint(), entryLocation(F)));
    Hooks.call(*AtExit, Hook::RegionEnd, {});
  }
}

} // namespace atsan
