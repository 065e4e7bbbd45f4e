//===- DueReads.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has no mark of the source (SourceMarks.h) when the optimizer has run is
// looked at part by part (DueRead.h).
//
//===----------------------------------------------------------------------===//

#include "pass/reads/DueReads.h"

#include "pass/base/Statistics.h"
#include "pass/reads/DueRead.h"
#include "pass/reads/SourceMarks.h"
#include "pass/selection/FunctionSelection.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace atsan {

DueReads::DueReads(Function &F, const AccessSelection &Selection, AAResults &AA,
                   const TargetLibraryInfo &TLI) {
  SmallVector<Instruction *, 16> Unknown;
  for (Instruction &I : instructions(F))
    if (isMarkable(I)) {
      if (isUnknownLoad(I))
        Unknown.push_back(&I);
      if (const uint64_t Size = elementsOf(I))
        markElements(I, Size);
      eraseSourceMark(I);
    }
  // The points of a scheduled body tell what its source reads.
  if (Unknown.empty() || isScheduledBody(F))
    return;
  DominatorTree DT(F);
  AssumptionCache Assumptions(F);
  DemandedBits Demanded(F, Assumptions, DT);
  LoopInfo Loops(DT);
  const UnknownLoads Loads(Unknown, DT, Loops);
  for (Instruction *Load : Unknown) {
    if (!DT.isReachableFromEntry(Load->getParent()))
      continue;
    // A value that nothing uses any more is due nowhere, also not here.
    if (Load->use_empty()) {
      PutOff.insert(Load);
      continue;
    }
    ++stats::LoadsOfTheOptimizer;
    LoadedBytes Loaded(*Load, Demanded);
    Bytes AtOnce(Loaded.size());
    SmallVector<const Bytes *, 4> Later;
    for (const Bytes &Part : Loaded.parts())
      if (DueRead(*Load, Loads, Loaded, Part, AA, DT, Loops, TLI)
              .isToldAtOnce())
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
      DueRead(*Load, Loads, Loaded, AtOnce, AA, DT, Loops, TLI)
          .tellAtOnce(OfLoad, Add);
    for (const Bytes *Part : Later)
      DueRead(*Load, Loads, Loaded, *Part, AA, DT, Loops, TLI)
          .putOff(OfLoad, Add);
  }
  for (Instruction &I : instructions(F))
    removeMarkAsOurs(I);
}

} // namespace atsan
