//===-- AtomicUpdates.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes the loops by their form in what clang emits:
//
//     before:  first = atomic load of X
//     try:     old = phi [first, before], [found, try]
//              found, succeeded = compare-exchange of X: old, f(old)
//              if (succeeded) goto done; else goto try
//
// A loop that the source has is different there. It keeps what it found in a
// variable, that is in memory and not in a phi, and goes back over a block of
// its own.
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/AtomicUpdates.h"

#include "pass/accesses/AtomicCalls.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace atsan {

namespace {

/// What an instruction has as a mark in place of the whole system, since two of
/// different scopes never become one. All that code generation sees in it is
/// that it is not a single thread.
SyncScope::ID scopeOfUpdates(LLVMContext &C) {
  return C.getOrInsertSyncScopeID("atsan.update");
}

/// What a call has as a mark. No two calls with it become one, because each has
/// a buffer of its own.
constexpr const char *kMark = "atsan.update";

void mark(Instruction &I) {
  const SyncScope::ID Scope = scopeOfUpdates(I.getContext());
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setSyncScopeID(Scope);
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    Exchange->setSyncScopeID(Scope);
  else
    I.setMetadata(kMark, MDNode::get(I.getContext(), {}));
}

/// An atomic operation: an instruction, or a call of libatomic, which leaves
/// what it finds in Buffer.
struct Operation {
  Instruction *At = nullptr;
  Value *Object = nullptr;
  Value *Buffer = nullptr;
};

/// The compare-exchange by whose success the block ends; At is null if it does
/// not end so.
Operation exchangeAtEnd(const BasicBlock &B) {
  auto *Branch = dyn_cast_or_null<BranchInst>(B.getTerminator());
  if (!Branch || !Branch->isConditional())
    return {};
  Value *Succeeded = Branch->getCondition();
  if (auto *Part = dyn_cast<ExtractValueInst>(Succeeded))
    if (auto *Exchange =
            dyn_cast<AtomicCmpXchgInst>(Part->getAggregateOperand()))
      return {Exchange, Exchange->getPointerOperand()};
  if (auto *Call = dyn_cast<CallInst>(Succeeded))
    if (auto C = atomicCall(*Call);
        C && C->Op == AtomicCall::CompareExchange && C->Expected)
      return {Call, C->Object, C->Expected};
  return {};
}

/// The last atomic operation of the block, if it is a load.
Operation lastLoad(BasicBlock &B) {
  for (Instruction &I : reverse(B)) {
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isAtomic())
      return {Load, Load->getPointerOperand()};
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (auto C = atomicCall(*Call))
        return C->Op == AtomicCall::Load ? Operation{Call, C->Object, C->Out}
                                         : Operation{};
    if (I.isAtomic())
      break;
  }
  return {};
}

/// True for what the operation has found, converted or not.
bool isFoundBy(const Value *V, const Operation &O) {
  while (auto *Conversion = dyn_cast<CastInst>(V))
    V = Conversion->getOperand(0);
  if (auto *Part = dyn_cast<ExtractValueInst>(V))
    V = Part->getAggregateOperand();
  if (auto *Load = dyn_cast<LoadInst>(V); Load && O.Buffer)
    return Load->getPointerOperand() == O.Buffer;
  return V == O.At;
}

/// The load before the loop, or null if this is no such loop.
Instruction *firstLoadOf(const Operation &Exchange) {
  BasicBlock *From = Exchange.At->getParent();
  BasicBlock *Begin = From->getTerminator()->getSuccessor(1);
  if (!Begin->hasNPredecessors(2))
    return nullptr;
  BasicBlock *Before = *pred_begin(Begin);
  if (Before == From)
    Before = *std::next(pred_begin(Begin));
  const Operation Load = lastLoad(*Before);
  if (!Load.At || Load.Object != Exchange.Object)
    return nullptr;
  for (const PHINode &Old : Begin->phis())
    if (isFoundBy(Old.getIncomingValueForBlock(Before), Load) &&
        isFoundBy(Old.getIncomingValueForBlock(From), Exchange))
      return Load.At;
  // Under OpenMP's pragma, what libatomic has found stays in its buffer.
  return Begin == From && Load.Buffer && Load.Buffer == Exchange.Buffer
             ? Load.At
             : nullptr;
}

} // namespace

void markAtomicUpdates(Function &F) {
  for (BasicBlock &B : F)
    if (const Operation Exchange = exchangeAtEnd(B); Exchange.At)
      if (Instruction *Load = firstLoadOf(Exchange))
        for (Instruction *I : {Load, Exchange.At})
          mark(*I);
}

bool isOfAtomicUpdate(const Instruction &I) {
  if (auto Scope = getAtomicSyncScopeID(&I))
    return *Scope == scopeOfUpdates(I.getContext());
  return I.hasMetadata(kMark);
}

} // namespace atsan
