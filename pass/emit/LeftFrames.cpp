//===- LeftFrames.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime knows the frame of a region by its address and by where it
// returns to. Once the function has returned, another call may have a frame
// there that looks the same (an interpreter's, say), though its callers differ.
//
//===----------------------------------------------------------------------===//

#include "pass/emit/LeftFrames.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace atsan {

/// How a call changes the number of open regions.
static int opens(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return 0;
  return isRegionBegin(Callee->getName()) - isRegionEnd(Callee->getName());
}

/// The returns of the function that are reached with open regions of its own.
static SmallSetVector<ReturnInst *, 4> returnsInRegion(Function &F) {
  constexpr int MostOpen = 4; // Regions that are counted.
  SmallSetVector<ReturnInst *, 4> Found;
  SmallSetVector<std::pair<BasicBlock *, int>, 16> Work;
  Work.insert({&F.getEntryBlock(), 0});
  for (size_t Next = 0; Next != Work.size(); ++Next) {
    auto [BB, Open] = Work[Next];
    for (const Instruction &I : *BB)
      Open = std::clamp(Open + opens(I), 0, MostOpen);
    if (auto *Return = dyn_cast<ReturnInst>(BB->getTerminator());
        Return && Open)
      Found.insert(Return);
    for (BasicBlock *Successor : successors(BB))
      Work.insert({Successor, Open});
  }
  return Found;
}

void tellLeftFrames(Module &M, RuntimeHooks &Hooks) {
  SmallSetVector<Function *, 8> Beginning;
  for (Function &Mark : M)
    if (isRegionBegin(Mark.getName()))
      for (User *U : Mark.users())
        if (auto *Call = dyn_cast<CallBase>(U))
          Beginning.insert(Call->getFunction());
  for (Function *F : Beginning)
    for (ReturnInst *Return : returnsInRegion(*F)) {
      Instruction *Last = Return->getParent()->getTerminatingMustTailCall();
      IRBuilder<> IRB(Last ? Last : Return);
      Hooks.call(IRB, Hook::RegionFrameLeft, {});
      F->addFnAttr("frame-pointer", "all");
    }
}

} // namespace atsan
