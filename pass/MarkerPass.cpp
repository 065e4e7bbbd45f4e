//===- MarkerPass.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the source and options say of functions is made into attributes.
//
//===----------------------------------------------------------------------===//

#include "pass/MarkerPass.h"

#include "lib/base/Annotation.h"
#include "pass/MemoryResources.h"
#include "pass/OptOut.h"
#include "pass/Restraint.h"
#include "pass/accesses/AtomicUpdates.h"
#include "pass/base/Statistics.h"
#include "pass/selection/FunctionSelection.h"
#include "pass/selection/Ignorelist.h"
#include "pass/selection/LibrarySynchronization.h"
#include "pass/selection/RegionFunctions.h"
#include "pass/selection/RegionSelection.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace atsan {

namespace {

constexpr const char *kMarkedFlag = "atsan.marked";

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

/// True if the entry is an annotation of ours, which is noted.
bool noteAnnotation(const ConstantStruct *Entry, Annotated &Found) {
  if (!Entry || Entry->getNumOperands() < 2)
    return false;
  auto *F = dyn_cast<Function>(Entry->getOperand(0)->stripPointerCasts());
  const StringRef Text = annotationText(*Entry);
  if (!F || (Text != kAtomicAnnotation && Text != kNoSanitizeAnnotation))
    return false;
  if (!F->isDeclaration())
    (Text == kAtomicAnnotation ? Found.Atomic : Found.NoSanitize).insert(F);
  return true;
}

/// Takes our annotations from the list, which would keep functions that nobody
/// calls.
Annotated takeAnnotations(Module &M) {
  Annotated Found;
  GlobalVariable *GV = M.getGlobalVariable("llvm.global.annotations");
  auto *Entries = GV && GV->hasInitializer()
                      ? dyn_cast<ConstantArray>(GV->getInitializer())
                      : nullptr;
  if (!Entries)
    return Found;
  SmallVector<Constant *, 16> Others;
  for (Value *Entry : Entries->operands())
    if (!noteAnnotation(dyn_cast<ConstantStruct>(Entry), Found))
      Others.push_back(cast<Constant>(Entry));
  if (Others.size() == Entries->getNumOperands())
    return Found;
  if (!Others.empty()) {
    auto *Type = ArrayType::get(Others[0]->getType(), Others.size());
    auto *Rest = new GlobalVariable(M, Type, GV->isConstant(), GV->getLinkage(),
                                    ConstantArray::get(Type, Others));
    Rest->copyAttributesFrom(GV);
    Rest->takeName(GV);
  }
  GV->eraseFromParent();
  return Found;
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

  Annotated Found = takeAnnotations(M);
  if (isInstrumentable(M)) {
    applyOptions(M, Found);
    for (Function &F : M) {
      tellResource(F);
      markAtomicUpdates(F);
    }
    optOut(Found.NoSanitize.getArrayRef());
  }
  for (Function *F : Found.Atomic)
    makeRegion(*F);
  if (isInstrumentable(M))
    restrainOptimizer(M, MAM);
  return PreservedAnalyses::none();
}

} // namespace atsan
