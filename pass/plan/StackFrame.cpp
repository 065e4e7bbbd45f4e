//===- StackFrame.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks of a frame take no argument: the runtime finds the frame between
// the stack pointer and the frame pointer of their caller. So they are right in
// code with frame pointers that stays in its function, for a target whose
// frames are below the frame pointer.
//
//===----------------------------------------------------------------------===//

#include "pass/plan/StackFrame.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace atsan {

/// The hooks look at all of a frame, which is not worth it for a larger one.
static constexpr uint64_t kMaxFrame = 1024;

bool canTellFrame(const Function &F) {
  // What is always inlined has no frame of its own. After setjmp returns twice,
  // what runs once by the look of the graph may run again.
  if (Triple(F.getParent()->getTargetTriple()).getArch() != Triple::x86_64 ||
      F.hasFnAttribute(Attribute::AlwaysInline) ||
      F.callsFunctionThatReturnsTwice())
    return false;
  const DataLayout &DL = F.getParent()->getDataLayout();
  uint64_t Bytes = 0;
  for (const Instruction &I : instructions(F)) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (!Alloca)
      continue;
    std::optional<TypeSize> Size = Alloca->getAllocationSize(DL);
    // An object of variable size may be alive where the others are born.
    if (!Alloca->isStaticAlloca() || !Size || Size->isScalable())
      return false;
    Bytes += Size->getFixedValue();
    if (Bytes > kMaxFrame)
      return false;
  }
  return true;
}

bool mayBeOnCallersStack(const AllocaInst &Alloca) {
  // The calling convention of x86-64: so many arguments are in registers.
  constexpr unsigned kWords = 6, kFloats = 8;
  unsigned Words = 0, Floats = 0;
  for (const Argument &Arg : Alloca.getFunction()->args()) {
    const Type &T = *Arg.getType();
    bool IsInRegister = false;
    if (T.isPointerTy() || (T.isIntegerTy() && T.getIntegerBitWidth() <= 64))
      IsInRegister = ++Words <= kWords;
    else if (T.isHalfTy() || T.isFloatTy() || T.isDoubleTy() ||
             (T.isVectorTy() && T.getPrimitiveSizeInBits() <= 128))
      IsInRegister = ++Floats <= kFloats;
    if (!IsInRegister && any_of(Arg.users(), [&](const User *U) {
          auto *Store = dyn_cast<StoreInst>(U);
          return Store && Store->getPointerOperand() == &Alloca;
        }))
      return true;
  }
  return false;
}

/// Whether an exception of the call leaves the function without running its
/// code.
static bool maySkipTheRest(const Instruction &I) {
  return isa<CallInst>(I) && I.mayThrow();
}

StackFrame::StackFrame(Function &F) : F(F) {
  for (auto It = scc_begin(&F); !It.isAtEnd(); ++It)
    if (It.hasCycle())
      Repeated.insert(It->begin(), It->end());
  if (F.doesNotThrow())
    return;
  SmallVector<const BasicBlock *, 16> Work;
  for (const BasicBlock &BB : F)
    if (any_of(BB, maySkipTheRest))
      Work.push_back(&BB);
  while (!Work.empty())
    for (const BasicBlock *Pred : predecessors(Work.pop_back_val()))
      if (BeforeThrow.insert(Pred).second)
        Work.push_back(Pred);
}

bool StackFrame::mayBeAbandonedBehind(const Instruction &I) const {
  if (F.doesNotThrow())
    return false;
  return BeforeThrow.contains(I.getParent()) ||
         any_of(make_range(I.getIterator(), I.getParent()->end()),
                maySkipTheRest);
}

Instruction *StackFrame::chooseBirth(ArrayRef<Instruction *> Births) {
  DominatorTree DT(F);
  BasicBlock *Begin = nullptr;
  for (Instruction *Birth : Births)
    if (BasicBlock *BB = Birth->getParent(); DT.isReachableFromEntry(BB))
      Begin = Begin ? DT.findNearestCommonDominator(Begin, BB) : BB;
  if (!Begin)
    return nullptr;
  while (!runsOnce(*Begin))
    Begin = DT.getNode(Begin)->getIDom()->getBlock();

  SmallVector<const BasicBlock *, 16> Work(1, Begin);
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (Behind.insert(BB).second)
      append_range(Work, successors(BB));
  }
  Instruction *First = Begin->getTerminator();
  for (Instruction *Birth : Births)
    if (Birth->getParent() == Begin && Birth->comesBefore(First))
      First = Birth;
  return First;
}

} // namespace atsan
