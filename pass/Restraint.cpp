//===- Restraint.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three kinds of reads are harmless to the program and not to us:
//
//  * A conditional load of memory that is known to exist becomes unconditional
//    (SimplifyCFG, LICM, VectorCombine...). They all ask the attribute
//    sanitize_thread first. That attribute does nothing else as long as
//    ThreadSanitizer's own pass does not run, and the driver excludes that.
//  * A loop over every n-th element becomes one that loads whole vectors and
//    drops the gaps (LoopVectorize). It asks only its own option.
//  * A load of a pointer that is one of two becomes two loads (InstCombine,
//    which asks nobody). That is undone. To keep it rare, two loads in the
//    branches of an `if` do not become such a load (SimplifyCFG's sinking).
//
//===----------------------------------------------------------------------===//

#include "Restraint.h"

#include "MarkerPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace atsan {

/// Unless the user gave the option: it may be given only once.
static void switchOff(StringRef Option) {
  auto &Options = cl::getRegisteredOptions();
  auto It = Options.find(Option);
  if (It != Options.end() && It->second->getNumOccurrences() == 0)
    It->second->addOccurrence(0, Option, "false");
}

void setOptimizerOptions() {
  switchOff("enable-interleaved-mem-accesses");
  switchOff("sink-common-insts");
}

void restrainOptimizer(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(kNoSanitizeAttribute))
      F.addFnAttr(Attribute::SanitizeThread);
}

void releaseOptimizer(Module &M) {
  for (Function &F : M)
    F.removeFnAttr(Attribute::SanitizeThread);
}

/// A load in the block of its only use, with nothing in between that could
/// change what it reads.
static LoadInst *movableLoad(Value *V, const Instruction &To) {
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || !Load->isSimple() || !Load->hasOneUse() ||
      Load->getParent() != To.getParent())
    return nullptr;
  for (const Instruction *I = Load; I != &To; I = I->getNextNode())
    if (I->mayWriteToMemory())
      return nullptr;
  return Load;
}

void readOnlySelected(Function &F) {
  SmallVector<SelectInst *, 16> Selects;
  for (Instruction &I : instructions(F))
    if (auto *Select = dyn_cast<SelectInst>(&I))
      if (!Select->getCondition()->getType()->isVectorTy())
        Selects.push_back(Select);
  for (SelectInst *Select : Selects) {
    LoadInst *True = movableLoad(Select->getTrueValue(), *Select);
    LoadInst *False = movableLoad(Select->getFalseValue(), *Select);
    if (!True || !False ||
        True->getPointerOperandType() != False->getPointerOperandType())
      continue;
    IRBuilder<> IRB(Select);
    IRB.SetCurrentDebugLocation(True->getDebugLoc());
    Value *Pointer =
        IRB.CreateSelect(Select->getCondition(), True->getPointerOperand(),
                         False->getPointerOperand());
    LoadInst *Load =
        IRB.CreateAlignedLoad(True->getType(), Pointer,
                              std::min(True->getAlign(), False->getAlign()));
    if (True->hasMetadata(LLVMContext::MD_nosanitize) &&
        False->hasMetadata(LLVMContext::MD_nosanitize))
      Load->setNoSanitizeMetadata();
    Select->replaceAllUsesWith(Load);
    Select->eraseFromParent();
    True->eraseFromParent();
    False->eraseFromParent();
  }
}

} // namespace atsan
