//===- DueReads.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads of the source are marked. What has no mark when the optimizer has run
// is looked at part by part (DueRead.h).
//
//===----------------------------------------------------------------------===//

#include "pass/reads/DueReads.h"

#include "pass/base/Statistics.h"
#include "pass/reads/DueRead.h"
#include "pass/selection/FunctionSelection.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"

using namespace llvm;

namespace atsan {

/// Marks of what the source reads. Plain loads have two of LLVM's own, for
/// which no other use concerns them on this target. Both are lost at
/// speculation. Of two loads that become one, the one that is left keeps its
/// own of the first kind, and that of the second kind only if both had it; a
/// vector load made of several has none of the first kind. A masked load that
/// becomes a plain one keeps the mark of a masked one.
static constexpr StringLiteral PlainMarks[] = {"llvm.preserve.access.index",
                                               "mmra"};
static constexpr StringLiteral MaskedMarks[] = {"atsan.source.masked"};

static ArrayRef<StringLiteral> sourceMarksOf(const Instruction &I) {
  return isa<LoadInst>(I) ? ArrayRef(PlainMarks) : ArrayRef(MaskedMarks);
}

/// A load, or a vector access that reads and whose lanes have a mask.
static bool isRead(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return maskOf(I) && I.getType()->isVectorTy();
}

void markSourceLoads(Function &F) {
  // In the form that the second kind has to have.
  LLVMContext &C = F.getContext();
  MDNode *Mark =
      MDNode::get(C, {MDString::get(C, "atsan"), MDString::get(C, "source")});
  for (Instruction &I : instructions(F))
    if (isRead(I))
      for (const StringLiteral &Kind : sourceMarksOf(I))
        I.setMetadata(Kind, Mark);
}

bool isUnknownLoad(const Instruction &I) {
  if (!isRead(I))
    return false;
  // A merge with a load without the second kind leaves an empty set of it.
  return !all_of(sourceMarksOf(I), [&](StringRef Kind) {
    return I.hasMetadata(Kind);
  }) || (isa<LoadInst>(I) && !MMRAMetadata(I).hasTag("atsan", "source"));
}

DueReads::DueReads(Function &F, const AccessSelection &Selection, AAResults &AA,
                   const TargetLibraryInfo &TLI) {
  SmallVector<Instruction *, 16> Unknown;
  for (Instruction &I : instructions(F))
    if (isRead(I)) {
      if (isUnknownLoad(I))
        Unknown.push_back(&I);
      for (const StringLiteral &Kind : sourceMarksOf(I))
        I.setMetadata(Kind, nullptr);
    }
  // The points of a scheduled body tell what its source reads.
  if (Unknown.empty() || isScheduledBody(F))
    return;
  DominatorTree DT(F);
  AssumptionCache Assumptions(F);
  DemandedBits Demanded(F, Assumptions, DT);
  const UnknownLoads Loads(Unknown, DT);
  for (Instruction *Load : Unknown) {
    if (!DT.isReachableFromEntry(Load->getParent()) || Load->use_empty())
      continue;
    ++stats::LoadsOfTheOptimizer;
    LoadedBytes Loaded(*Load, Demanded);
    Bytes AtOnce(Loaded.size());
    SmallVector<const Bytes *, 4> Later;
    for (const Bytes &Part : Loaded.parts())
      if (DueRead(*Load, Loads, Loaded, Part, AA, DT, TLI).isToldAtOnce())
        AtOnce |= Part;
      else
        Later.push_back(&Part);
    if (AtOnce.all())
      continue;
    PutOff.insert(Load);
    SmallVector<Event, 2> OfLoad;
    Selection.describe(*Load, OfLoad);
    if (OfLoad.empty())
      continue;
    ++stats::DueReads;
    auto Add = [&](Instruction &At, const Event &E) {
      Events[&At].push_back(E);
    };
    if (AtOnce.any())
      DueRead(*Load, Loads, Loaded, AtOnce, AA, DT, TLI)
          .tellAtOnce(OfLoad, Add);
    for (const Bytes *Part : Later)
      DueRead(*Load, Loads, Loaded, *Part, AA, DT, TLI).putOff(OfLoad, Add);
  }
  for (Instruction &I : instructions(F))
    removeMarkAsOurs(I);
}

} // namespace atsan
