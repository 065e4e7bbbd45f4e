//===- SourceMarks.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loads have marks of two kinds of LLVM's own, for which no other use
// concerns them on this target. Both are lost at speculation. Of two loads that
// become one, the one that is left keeps its own of the first kind, and that of
// the second kind only if both had it. A masked load that becomes a plain one
// keeps the mark of a masked one.
//
// A vector load made of several has the second kind if all had it, but none of
// the first: the loop vectorizer reads for a round what that reads under a
// condition only, if the memory is accessed anyway. So while it runs the loads
// that each round makes have a tag of the second kind, and vectors that come to
// have the tag get the first kind back.
//
//===----------------------------------------------------------------------===//

#include "pass/reads/SourceMarks.h"

#include "pass/accesses/Effect.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"

using namespace llvm;

namespace atsan {

static constexpr StringLiteral SourceKind = "llvm.preserve.access.index";
static constexpr StringLiteral PlainMarks[] = {SourceKind, "mmra"};
static constexpr StringLiteral MaskedMarks[] = {"atsan.source.masked"};

/// What the second kind says. Of two loads that become one, a prefix is left if
/// both have it.
static constexpr MMRAMetadata::TagT Source = {"atsan", "source"};
static constexpr MMRAMetadata::TagT EveryRound = {"atsan-round", "every"};

static ArrayRef<StringLiteral> sourceMarksOf(const Instruction &I) {
  return isa<LoadInst>(I) ? ArrayRef(PlainMarks) : ArrayRef(MaskedMarks);
}

static bool hasTag(const Instruction &I, const MMRAMetadata::TagT &Tag) {
  return MMRAMetadata(I).hasTag(Tag.first, Tag.second);
}

static void setTags(Instruction &I, ArrayRef<MMRAMetadata::TagT> Tags) {
  I.setMetadata(LLVMContext::MD_mmra,
                MMRAMetadata::getMD(I.getContext(), Tags));
}

bool isMarkable(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return maskOf(I) && I.getType()->isVectorTy();
}

void markSourceLoads(Function &F) {
  // In the form that the second kind has to have.
  MDNode *Mark = MMRAMetadata::getTagMD(F.getContext(), Source);
  for (Instruction &I : instructions(F))
    if (isMarkable(I))
      for (const StringLiteral &Kind : sourceMarksOf(I))
        I.setMetadata(Kind, Mark);
}

bool isUnknownLoad(const Instruction &I) {
  if (!isMarkable(I))
    return false;
  return !all_of(sourceMarksOf(I), [&](StringRef Kind) {
    return I.hasMetadata(Kind);
  }) || (isa<LoadInst>(I) && !hasTag(I, Source));
}

void eraseSourceMark(Instruction &I) {
  for (const StringLiteral &Kind : sourceMarksOf(I))
    I.setMetadata(Kind, nullptr);
}

// --- While loops are vectorized. ---------------------------------------------

static bool isMarkedLoad(const Instruction &I) {
  return isa<LoadInst>(I) && isMarkable(I) && !isUnknownLoad(I);
}

static void tagLoadsOfEveryRound(Function &F) {
  const DominatorTree DT(F);
  const LoopInfo Loops(DT);
  for (const Loop *L : Loops.getLoopsInPreorder()) {
    const BasicBlock *Latch = L->getLoopLatch();
    if (!Latch || !L->isInnermost())
      continue;
    for (BasicBlock *BB : L->blocks())
      if (DT.dominates(BB, Latch))
        for (Instruction &I : *BB)
          if (isMarkedLoad(I))
            setTags(I, {Source, EveryRound});
  }
}

static void markTaggedLoads(Function &F) {
  for (Instruction &I : instructions(F))
    if (isa<LoadInst>(I) && hasTag(I, EveryRound)) {
      setTags(I, Source);
      I.setMetadata(SourceKind, I.getMetadata(LLVMContext::MD_mmra));
    }
}

void markVectorizedLoads(PassInstrumentationCallbacks &Passes) {
  auto OnVectorizer = [](void (*Do)(Function &)) {
    return [Do](StringRef Pass, Any Unit, auto &&...) {
      auto *F = any_cast<const Function *>(&Unit);
      if (F && Pass == "LoopVectorizePass" &&
          (*F)->hasFnAttribute(Attribute::SanitizeThread))
        Do(const_cast<Function &>(**F));
    };
  };
  Passes.registerBeforeNonSkippedPassCallback(
      OnVectorizer(tagLoadsOfEveryRound));
  Passes.registerAfterPassCallback(OnVectorizer(markTaggedLoads));
}

} // namespace atsan
