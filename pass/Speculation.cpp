//===- Speculation.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/Speculation.h"

#include "pass/base/Options.h"
#include "pass/selection/FunctionSelection.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include <memory>

using namespace llvm;

namespace atsan {

void forgetThatMemoryExists(Function &F) {
  if (!WeakGlobals)
    return;
  AttributeMask Exists;
  Exists.addAttribute(Attribute::Dereferenceable)
      .addAttribute(Attribute::DereferenceableOrNull);
  auto Forget = [&](auto &Of) {
    Of.removeRetAttrs(Exists);
    for (unsigned N = 0; N != Of.arg_size(); ++N)
      Of.removeParamAttrs(N, Exists);
  };
  Forget(F);
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Forget(*Call);
}

namespace {

class Weakened {
public:
  void weaken(const BasicBlock &BB);
  void restore();

private:
  SmallVector<std::pair<GlobalVariable *, GlobalValue::LinkageTypes>> Before;
};

/// A constant is not told, and better known as what it is.
void Weakened::weaken(const BasicBlock &BB) {
  for (const Instruction &I : BB)
    for (const Value *Operand : I.operand_values()) {
      if (!isa<Constant>(Operand) || !Operand->getType()->isPointerTy())
        continue;
      auto *Global = dyn_cast<GlobalVariable>(getUnderlyingObject(Operand));
      if (!Global || Global->isConstant() || Global->hasExternalWeakLinkage())
        continue;
      auto *Weak = const_cast<GlobalVariable *>(Global);
      Before.push_back({Weak, Weak->getLinkage()});
      Weak->setLinkage(GlobalValue::ExternalWeakLinkage);
    }
}

void Weakened::restore() {
  for (auto [Global, Linkage] : Before)
    Global->setLinkage(Linkage);
  Before.clear();
}

} // namespace

void weakenGlobalsDuringPasses(PassInstrumentationCallbacks &Passes) {
  if (!WeakGlobals)
    return;
  auto Globals = std::make_shared<Weakened>();
  auto Weaken = [Globals](auto &&Blocks, const Function &F) {
    if (F.hasFnAttribute(Attribute::SanitizeThread) ||
        F.hasFnAttribute(kNoSanitizeAttribute))
      for (const BasicBlock &BB : Blocks)
        Globals->weaken(BB);
  };
  Passes.registerBeforeNonSkippedPassCallback([Weaken](StringRef, Any Unit) {
    if (auto *F = any_cast<const Function *>(&Unit))
      Weaken(**F, **F);
    else if (auto *L = any_cast<const Loop *>(&Unit))
      Weaken(make_pointee_range((*L)->blocks()),
             *(*L)->getHeader()->getParent());
  });
  // No pass for functions or loops adds or removes globals.
  Passes.registerAfterPassCallback(
      [Globals](StringRef, Any, const PreservedAnalyses &) {
        Globals->restore();
      },
      /*ToFront=*/true);
  Passes.registerAfterPassInvalidatedCallback(
      [Globals](StringRef, const PreservedAnalyses &) { Globals->restore(); },
      /*ToFront=*/true);
}

} // namespace atsan
