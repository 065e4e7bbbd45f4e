//===- ComparisonCalls.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that is not a builtin any more is the same to the optimizer as one of
// any other function. A mark of ours tells it from those that the user made so.
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/ComparisonCalls.h"

#include "pass/accesses/AccessSelection.h"
#include "pass/base/Statistics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace atsan {

namespace {

constexpr const char *kKeptMark = "atsan.kept";
/// Code generation expands nothing longer.
constexpr uint64_t kMaxExpanded = 128;

bool isComparison(const CallInst &Call, const TargetLibraryInfo &TLI) {
  LibFunc Function;
  if (Call.isNoBuiltin() || !TLI.getLibFunc(Call, Function))
    return false;
  switch (Function) {
  case LibFunc_memcmp:
  case LibFunc_bcmp:
  case LibFunc_strcmp:
  case LibFunc_strncmp:
  case LibFunc_strstr: // Becomes strncmp.
    return true;
  default:
    return false;
  }
}

bool hasPointer(const CallInst &Call) {
  return any_of(Call.args(),
                [](const Use &Arg) { return Arg->getType()->isPointerTy(); });
}

bool readsConstantsOnly(const CallInst &Call) {
  return all_of(Call.args(), [](const Use &Arg) {
    return !Arg->getType()->isPointerTy() || isConstantMemory(Arg);
  });
}

void giveBack(CallInst &Call) {
  Call.removeFnAttr(Attribute::NoBuiltin);
  Call.setMetadata(kKeptMark, nullptr);
}

} // namespace

void keepComparisons(Function &F, const TargetLibraryInfo &TLI) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && isComparison(*Call, TLI)) {
      Call->addFnAttr(Attribute::NoBuiltin);
      Call->setMetadata(kKeptMark, MDNode::get(F.getContext(), {}));
    }
}

PreservedAnalyses ReleaseComparisonsPass::run(Function &F,
                                              FunctionAnalysisManager &) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Call->hasMetadata(kKeptMark) && readsConstantsOnly(*Call))
        giveBack(*Call);
  return PreservedAnalyses::all();
}

void keepLibraryCalls(Function &F, const TargetLibraryInfo &TLI) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && hasPointer(*Call))
      maybeMarkSanitizerLibraryCallNoBuiltin(Call, &TLI);
}

bool isExpandable(const CallInst &Call) {
  if (!Call.hasMetadata(kKeptMark) || Call.isMustTailCall() ||
      Call.arg_size() != 3)
    return false;
  StringRef Name = Call.getCalledFunction()->getName();
  auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(2));
  return (Name == "memcmp" || Name == "bcmp") && Size &&
         Size->getValue().ule(kMaxExpanded) &&
         !Call.getFunction()->hasMinSize() && !Call.getFunction()->hasOptNone();
}

void emitComparison(CallInst &Call, RuntimeHooks &Hooks) {
  IRBuilder<> IRB(&Call);
  Instruction *Seen = nullptr, *Inline = nullptr;
  SplitBlockAndInsertIfThenElse(
      Hooks.testGate(IRB), &Call, &Seen, &Inline,
      MDBuilder(Call.getContext()).createUnlikelyBranchWeights());
  auto *Expanded = cast<CallInst>(Call.clone());
  giveBack(*Expanded);
  Expanded->insertBefore(Inline->getIterator());
  BasicBlock *Rest = Call.getParent();
  Call.moveBefore(*Seen->getParent(), Seen->getIterator());
  Call.setMetadata(kKeptMark, nullptr);
  if (!Call.use_empty()) {
    IRB.SetInsertPoint(Rest, Rest->begin());
    PHINode *Result = IRB.CreatePHI(Call.getType(), 2);
    Call.replaceAllUsesWith(Result);
    Result->addIncoming(&Call, Seen->getParent());
    Result->addIncoming(Expanded, Inline->getParent());
  }
  ++stats::GatedComparisons;
}

} // namespace atsan
