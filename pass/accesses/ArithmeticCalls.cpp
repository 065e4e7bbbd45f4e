//===- ArithmeticCalls.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over an array whose address is in memory, as a vector's is, loads that
// address in each iteration if it calls `log`: the call may set errno, and for
// all LLVM knows errno may be where the address is. But errno is an int, and by
// the rules of C and C++ a pointer is not (type-based alias analysis). Once the
// address does not change in the loop, the loop can be told as a whole.
//
// The load that is moved is the program's own: what it finds is what the
// program goes on with, and what is reported is what was executed.
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/ArithmeticCalls.h"

#include "pass/base/Statistics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace atsan {

bool isArithmetic(const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  LibFunc Known;
  if (!isa<CallInst>(Call) || Call.isMustTailCall() || Call.isNoBuiltin() ||
      Call.arg_empty() || !Callee || !Callee->isDeclaration() ||
      !TLI.getLibFunc(*Callee, Known) || !TLI.has(Known))
    return false;
  return Call.getType()->isFloatingPointTy() &&
         all_of(Call.args(), [](const Use &Arg) {
           return Arg->getType()->isFloatingPointTy();
         });
}

/// Whether the front end says that the load is of a pointer. It says nothing
/// where types may not be trusted.
static bool isOfPointer(const LoadInst &Load) {
  const MDNode *Tag = Load.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag || Tag->getNumOperands() < 3)
    return false;
  auto *Type = dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  auto *Name = Type && Type->getNumOperands()
                   ? dyn_cast<MDString>(Type->getOperand(0))
                   : nullptr;
  return Name && Name->getString() == "any pointer";
}

namespace {

/// A call that LLVM takes for a write of anything.
bool seemsToWrite(const Instruction &I, const TargetLibraryInfo &TLI) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && I.mayWriteToMemory() && isArithmetic(*Call, TLI);
}

class Hoister {
public:
  Hoister(Loop &L, const DominatorTree &DT, AAResults &AA,
          const TargetLibraryInfo &TLI)
      : L(L), DT(DT), AA(AA), TLI(TLI) {}

  void run(const LoopInfo &LI) {
    if (!L.getLoopPreheader() || !findWrites())
      return;
    Safety.computeLoopSafetyInfo(&L);
    // An address may depend on one that was moved before.
    LoopBlocksRPO Order(&L);
    Order.perform(&LI);
    for (BasicBlock *BB : Order)
      for (Instruction &I : make_early_inc_range(*BB))
        if (auto *Load = dyn_cast<LoadInst>(&I); Load && isMovable(*Load)) {
          BasicBlock &Before = *L.getLoopPreheader();
          Load->moveBefore(Before, Before.getTerminator()->getIterator());
          ++stats::HoistedPointers;
        }
  }

private:
  /// True if there is anything that only seems to be one.
  bool findWrites() {
    bool HasArithmetic = false;
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB)
        if (seemsToWrite(I, TLI))
          HasArithmetic = true;
        else if (I.mayWriteToMemory())
          Writes.push_back(&I);
    return HasArithmetic;
  }

  bool isMovable(const LoadInst &Load) {
    return Load.isSimple() && isOfPointer(Load) &&
           L.isLoopInvariant(Load.getPointerOperand()) &&
           Safety.isGuaranteedToExecute(Load, &DT, &L) &&
           none_of(Writes, [&](const Instruction *I) {
             return isModSet(AA.getModRefInfo(I, MemoryLocation::get(&Load)));
           });
  }

  Loop &L;
  const DominatorTree &DT;
  AAResults &AA;
  const TargetLibraryInfo &TLI;
  SimpleLoopSafetyInfo Safety;
  SmallVector<const Instruction *, 8> Writes;
};

} // namespace

void hoistPointers(Function &F, AAResults &AA, const TargetLibraryInfo &TLI) {
  if (none_of(instructions(F),
              [&](const Instruction &I) { return seemsToWrite(I, TLI); }))
    return;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder())
    Hoister(*L, DT, AA, TLI).run(LI);
}

} // namespace atsan
