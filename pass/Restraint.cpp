//===- Restraint.cpp ------------------------------------------------------===//
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
//  * Those that do not ask it have to know that the memory exists: they do not
//    (Speculation.h).
//  * A loop over every n-th element becomes one that loads whole vectors and
//    drops the gaps (LoopVectorize). It asks only its own option.
//  * A loop that ends where it finds something becomes one that loads whole
//    vectors of what it has not come to yet (LoopVectorize of LLVM 21 and
//    newer, where the memory is known to exist). It asks only its own option.
//  * A load in a loop is made before it, and what the loop writes is carried on
//    to the next round (GVN): a byte of it as that of a sum, which all bytes of
//    the sum decide. It asks only its own option.
//  * Argument promotion loads in the caller what the callee may not read. It is
//    no read of the caller's that could be put off, so the pass is left out.
//  * A load behind a store that releases is made before it (GVN), whether or
//    not the program makes it, and a call that only reads through its arguments
//    (strlen, a masked load) before any atomic operation on other memory. Then
//    what is read is kept over the operation, as that of a read before it would
//    be. A fence of no instructions keeps them behind.
//  * A test of a loop is made once, before the loop (SimpleLoopUnswitch),
//    whether or not the program comes to it. What is tested would matter there.
//    A loop that tests what a load of the optimizer's made is left as it is.
//  * Stores to several variables in several branches become one behind them
//    (SimplifyCFG), which is in no line of the source. It asks only its own
//    option.
//  * Accesses of the source become one (SLPVectorizer, MemCpyOpt,
//    AggressiveInstCombine), or one becomes several (VectorCombine loads the
//    lanes of a vector apart). Outside regions each access is a transaction, so
//    these passes are left out, and loops do not become a memset or memcpy.
//  * A function that orders accesses by an atomic operation on memory that it
//    gets is taken for one that has to do with this memory alone, so accesses
//    to other memory are moved over its calls (FunctionAttrs). The same fence
//    prevents that, also in opted-out functions, which are not inlined.
//  * A callee writes or reads at once where a copy goes to or comes from
//    (MemCpyOpt), which matters if one of both is opted out.
//  * Comparisons of strings and memory become loads of more than what decides
//    the result: see ComparisonCalls.h.
//
//===----------------------------------------------------------------------===//

#include "pass/Restraint.h"

#include "pass/OptOut.h"
#include "pass/Speculation.h"
#include "pass/accesses/ComparisonCalls.h"
#include "pass/reads/KeptMarks.h"
#include "pass/reads/SourceMarks.h"
#include "pass/selection/FunctionSelection.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace atsan {

/// Unless the user gave the option: it may be given only once.
static void give(StringRef Option, StringRef Value) {
  auto &Options = cl::getRegisteredOptions();
  auto It = Options.find(Option);
  if (It != Options.end() && It->second->getNumOccurrences() == 0)
    It->second->addOccurrence(0, Option, Value);
}
static void switchOff(StringRef Option) { give(Option, "false"); }

static constexpr const char *kFenceMark = "atsan.fence";

/// True for what orders other accesses, and is no call.
static bool isOrdered(const Instruction &I) {
  auto Orders = [](AtomicOrdering Order, SyncScope::ID Scope) {
    return Scope != SyncScope::SingleThread && isStrongerThanMonotonic(Order);
  };
  auto Scope = getAtomicSyncScopeID(&I);
  if (!Scope)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Orders(Load->getOrdering(), *Scope);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Orders(Store->getOrdering(), *Scope);
  if (auto *Change = dyn_cast<AtomicRMWInst>(&I))
    return Orders(Change->getOrdering(), *Scope);
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Orders(Exchange->getMergedOrdering(), *Scope);
  return Orders(cast<FenceInst>(I).getOrdering(), *Scope);
}

static void addFences(Function &F) {
  SmallVector<Instruction *, 4> Ordered;
  for (Instruction &I : instructions(F))
    if (isOrdered(I))
      Ordered.push_back(&I);
  for (Instruction *I : Ordered) {
    auto *Fence =
        new FenceInst(F.getContext(), AtomicOrdering::SequentiallyConsistent,
                      SyncScope::SingleThread, std::next(I->getIterator()));
    Fence->setMetadata(kFenceMark, MDNode::get(F.getContext(), {}));
  }
}

static void removeFences(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isa<FenceInst>(I) && I.hasMetadata(kFenceMark))
      I.eraseFromParent();
}

/// True if what a branch of the loop tests was loaded before the loop, by a
/// load of which it is not known whether the program makes it.
static bool testsUnknownLoad(const Loop &L) {
  SmallSetVector<const Value *, 16> Tested;
  for (const BasicBlock *BB : L.blocks()) {
    for (const Instruction &I : *BB)
      if (isa<SelectInst>(I))
        Tested.insert(I.getOperand(0));
    const Instruction *End = BB->getTerminator();
    if (isa<BranchInst, SwitchInst>(End) && End->getNumSuccessors() > 1)
      Tested.insert(End->getOperand(0));
  }
  for (size_t I = 0; I != Tested.size(); ++I)
    if (auto *Inst = dyn_cast<Instruction>(Tested[I])) {
      if (isUnknownLoad(*Inst) && !L.contains(Inst))
        return true;
      if (!Inst->mayReadOrWriteMemory())
        Tested.insert(Inst->value_op_begin(), Inst->value_op_end());
    }
  return false;
}

static bool isLeftOut(StringRef Pass, Any Unit) {
  if (Pass == "SimpleLoopUnswitchPass")
    if (auto *L = any_cast<const Loop *>(&Unit))
      return testsUnknownLoad(**L);
  return is_contained({"AggressiveInstCombinePass", "ArgumentPromotionPass",
                       "MemCpyOptPass", "SLPVectorizerPass",
                       "VectorCombinePass"},
                      Pass);
}

void restrainPipeline(PassBuilder &PB) {
  switchOff("enable-interleaved-mem-accesses");
  switchOff("enable-early-exit-vectorization"); // Unknown to LLVM 19.
  switchOff("enable-load-in-loop-pre");
  switchOff("simplifycfg-sink-common");
  give("disable-loop-idiom-memset", "true");
  give("disable-loop-idiom-memcpy", "true");
  if (PassInstrumentationCallbacks *Passes =
          PB.getPassInstrumentationCallbacks()) {
    Passes->registerShouldRunOptionalPassCallback(
        [](StringRef Pass, Any Unit) { return !isLeftOut(Pass, Unit); });
    weakenGlobalsDuringPasses(*Passes);
    keepSourceMarks(*Passes);
  }
  PB.registerPeepholeEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(ReleaseComparisonsPass());
      });
}

/// Marks of regions, locks and functions of libc are called where the source
/// calls them: reports and lists of exclusions name the line. Two calls that
/// the optimizer makes one have none.
static void keepCallsApart(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && Callee->isDeclaration() &&
        (isa<AnyMemIntrinsic>(Call) || !Callee->isIntrinsic()))
      Call->addFnAttr(Attribute::NoMerge);
  }
}

void restrainOptimizer(Module &M, ModuleAnalysisManager &MAM) {
  FunctionAnalysisManager &FAM =
      MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    addFences(F);
    if (F.hasFnAttribute(kNoSanitizeAttribute))
      continue;
    F.addFnAttr(Attribute::SanitizeThread);
    markSourceAccesses(F);
    forgetThatMemoryExists(F);
    keepComparisons(F, FAM.getResult<TargetLibraryAnalysis>(F));
    keepCallsApart(F);
  }
}

void releaseOptimizer(Module &M) {
  for (Function &F : M) {
    F.removeFnAttr(Attribute::SanitizeThread);
    removeFences(F);
  }
}

} // namespace atsan
