//===- ParallelCalls.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hook in front of such a call sets the thread's regions aside, if it divides
// them; one behind it takes them up again, also where the call is left by an
// exception.
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/ParallelCalls.h"

#include "lib/base/NamePattern.h"
#include "pass/base/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace atsan {

namespace {

struct ParallelCall {
  const char *Name; ///< A pattern with * and ?.
  const char *Hook;
};

constexpr ParallelCall kTable[] = {
    // What clang makes of OpenMP's constructs in which threads meet.
    {"__kmpc_fork_call*", "__atsan_parallel_run"},
    {"__kmpc_fork_teams", "__atsan_parallel_run"},
    {"__kmpc_barrier", "__atsan_parallel_barrier"},
    {"__kmpc_cancel_barrier", "__atsan_parallel_barrier"},
    {"__kmpc_omp_task", "__atsan_parallel_start"},
    {"__kmpc_omp_task_with_deps", "__atsan_parallel_start"},
    {"__kmpc_taskloop*", "__atsan_parallel_start"},
    {"__kmpc_omp_taskyield", "__atsan_parallel_join"},
    {"__kmpc_omp_taskwait*", "__atsan_parallel_join"},
    {"__kmpc_omp_wait_deps", "__atsan_parallel_join"},
    {"__kmpc_end_taskgroup", "__atsan_parallel_join"},
    // Functions of oneTBB, which its headers call, and those of libstdc++ for
    // std::execution::par.
    {"_ZN3tbb6detail2r116execute_and_wait*", "__atsan_parallel_run"},
    {"_ZN3tbb6detail2r117parallel_pipeline*", "__atsan_parallel_run"},
    {"_ZN3tbb6detail2r17execute*", "__atsan_parallel_run"},
    {"_ZN3tbb6detail2r15spawn*", "__atsan_parallel_start"},
    {"_ZN3tbb6detail2r16submit*", "__atsan_parallel_start"},
    {"_ZN3tbb6detail2r17enqueue*", "__atsan_parallel_start"},
    {"_ZN3tbb6detail2r14wait*", "__atsan_parallel_join"},
    {"_ZN3tbb6detail2r126wait_bounded_queue_monitor*", "__atsan_parallel_wait"},
};

const ParallelCall *find(StringRef Name) {
  const atsan_names::Text Text{Name.data(), Name.data() + Name.size()};
  if (Name.starts_with("__kmpc_") || Name.starts_with("_ZN3tbb6detail2r1"))
    for (const ParallelCall &Call : kTable)
      if (atsan_names::Matches(atsan_names::TextOf(Call.Name), Text))
        return &Call;
  return nullptr;
}

/// Makes a call that may throw an invoke, which goes on with the exception.
InvokeInst &catchAndResume(CallInst &Call) {
  Function &F = *Call.getFunction();
  if (!F.hasPersonalityFn())
    F.setPersonalityFn(cast<Constant>(
        F.getParent()
            ->getOrInsertFunction(
                getEHPersonalityName(getDefaultEHPersonality(
                    Triple(F.getParent()->getTargetTriple()))),
                FunctionType::get(Type::getInt32Ty(F.getContext()),
                                  /*isVarArg=*/true))
            .getCallee()));
  auto *Pad = BasicBlock::Create(F.getContext(), "left", &F);
  IRBuilder<> IRB(Pad);
  IRB.SetCurrentDebugLocation(Call.getDebugLoc());
  auto *Exception = IRB.CreateLandingPad(
      StructType::get(IRB.getPtrTy(), IRB.getInt32Ty()), /*NumClauses=*/0);
  Exception->setCleanup(true);
  IRB.CreateResume(Exception);
  Call.setTailCallKind(CallInst::TCK_None);
  BasicBlock *Block = Call.getParent();
  changeToInvokeAndSplitBasicBlock(&Call, Pad);
  return *cast<InvokeInst>(Block->getTerminator());
}

/// Returns where control gets to behind the call, and from nowhere else.
SmallVector<BasicBlock::iterator, 2> placesBehind(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return {std::next(Call.getIterator())};
  BasicBlock *Normal = SplitEdge(Invoke->getParent(), Invoke->getNormalDest());
  SmallVector<BasicBlock *, 2> Pads;
  SplitLandingPadPredecessors(Invoke->getUnwindDest(), {Invoke->getParent()},
                              ".behind", ".others", Pads);
  return {Normal->getFirstInsertionPt(), Pads[0]->getFirstInsertionPt()};
}

void callAround(CallBase &Call, const char *Hook) {
  Module &M = *Call.getModule();
  IRBuilder<> IRB(&Call);
  CallInst *Entered =
      IRB.CreateCall(M.getOrInsertFunction(Hook, IRB.getInt32Ty()));
  Entered->setCannotMerge();
  const FunctionCallee Leave = M.getOrInsertFunction(
      "__atsan_parallel_leave", IRB.getVoidTy(), IRB.getInt32Ty());
  for (BasicBlock::iterator Place : placesBehind(Call)) {
    IRB.SetInsertPoint(Place);
    IRB.SetCurrentDebugLocation(Call.getDebugLoc());
    IRB.CreateCall(Leave, {Entered})->setCannotMerge();
  }
}

} // namespace

void divideAtParallelCalls(Module &M, function_ref<void(Function &)> Changes) {
  for (Function &F : M) {
    const ParallelCall *How = find(F.getName());
    if (!How)
      continue;
    SmallVector<CallBase *, 8> Calls;
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledOperand() == &F && !Call->isMustTailCall())
        Calls.push_back(Call);
    for (CallBase *Call : Calls) {
      ++stats::LibraryCalls;
      Changes(*Call->getFunction());
      auto *Plain = dyn_cast<CallInst>(Call);
      callAround(Plain && !Plain->doesNotThrow() ? catchAndResume(*Plain)
                                                 : *Call,
                 How->Hook);
    }
  }
}

} // namespace atsan
