//===- Restraint.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  * A conditional load of memory that is known to exist becomes unconditional
//    (SimplifyCFG, LICM, VectorCombine...). They all ask the attribute
//    sanitize_thread first. That attribute does nothing else as long as
//    ThreadSanitizer's own pass does not run, and the driver excludes that.
//    Most due reads are saved by it.
//  * A loop over every n-th element becomes one that loads whole vectors and
//    drops the gaps (LoopVectorize). It asks only its own option.
//  * Argument promotion loads in the caller what the callee may not read. It is
//    no read of the caller's that could be put off, so the pass is left out.
//  * Comparisons of strings and memory become loads of more than what decides
//    the result: see ComparisonCalls.h.
//
//===----------------------------------------------------------------------===//

#include "Restraint.h"

#include "ComparisonCalls.h"
#include "DueReads.h"
#include "MarkerPass.h"
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

void restrainPipeline(PassBuilder &PB) {
  switchOff("enable-interleaved-mem-accesses");
  if (PassInstrumentationCallbacks *Passes =
          PB.getPassInstrumentationCallbacks())
    Passes->registerShouldRunOptionalPassCallback(
        [](StringRef Pass, Any) { return Pass != "ArgumentPromotionPass"; });
  PB.registerPeepholeEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(ReleaseComparisonsPass());
      });
}

void restrainOptimizer(Module &M, ModuleAnalysisManager &MAM) {
  FunctionAnalysisManager &FAM =
      MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasFnAttribute(kNoSanitizeAttribute))
      continue;
    F.addFnAttr(Attribute::SanitizeThread);
    markSourceLoads(F);
    keepComparisons(F, FAM.getResult<TargetLibraryAnalysis>(F));
  }
}

void releaseOptimizer(Module &M) {
  for (Function &F : M)
    F.removeFnAttr(Attribute::SanitizeThread);
}

} // namespace atsan
