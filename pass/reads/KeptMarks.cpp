//===- KeptMarks.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop vectorizer makes loads of other loads: vectors, which have the
// source's mark of the second kind (SourceMarks.cpp) if all of these had it,
// and copies for a round, which have both kinds. It reads for a round what that
// reads under a condition only, if the memory is accessed anyway. So what it
// makes is no load of the source, but for one thing: loads that each round
// makes have a tag while loops are vectorized, and what has the tag then gets
// the mark.
//
// InstCombine and SROA load in another form what was loaded in the same place:
// as another type, in parts, or by loads in place of a copy of memory. They
// copy metadata of few kinds, of which one is lost wherever ours are. It takes
// the mark through these passes. To smaller copies of memory they give nothing
// but what is known of aliases, so a scope of our own says what copy was there.
//
// GVN loads in a predecessor what the source loads behind it, where other ways
// have the value already. It copies what is known of aliases, too, so a scope
// takes the mark.
//
//===----------------------------------------------------------------------===//

#include "pass/reads/KeptMarks.h"

#include "pass/accesses/CopyParts.h"
#include "pass/reads/SourceMarks.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>

using namespace llvm;

namespace atsan {

// --- The loop vectorizer. ----------------------------------------------------

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
            tagAsOfEveryRound(I);
  }
}

namespace {

/// The function of which loops are being vectorized.
class Vectorized {
public:
  void begin(Function &F) {
    Accesses.clear();
    for (Instruction &I : instructions(F))
      if (isa<LoadInst, StoreInst>(I))
        Accesses.emplace_back(&I);
    tagLoadsOfEveryRound(F);
  }

  /// A handle is null if the vectorizer erased the access.
  void end(Function &F) {
    SmallPtrSet<const Value *, 32> IsOld(Accesses.begin(), Accesses.end());
    for (Instruction &I : instructions(F)) {
      endOf(I, IsOld.contains(&I));
      if (!isa<LoadInst, StoreInst>(I) || IsOld.contains(&I))
        continue;
      if (auto *Made = dyn_cast<FixedVectorType>(getLoadStoreType(&I)))
        markElements(
            I, F.getDataLayout().getTypeStoreSize(Made->getElementType()));
    }
    Accesses.clear();
  }

private:
  static void endOf(Instruction &I, bool IsOld) {
    if (!I.hasMetadata(LLVMContext::MD_mmra))
      return;
    // A masked load or a gather, which may become a plain load later, reads no
    // more than its mask says. It has no mark of ours of another kind.
    if (!isa<LoadInst>(I))
      I.setMetadata(LLVMContext::MD_mmra, nullptr);
    else if (isOfEveryRound(I))
      markAsSource(I);
    else if (!IsOld)
      eraseSourceMark(I);
  }

  SmallVector<WeakVH> Accesses; // That there were before.
};

} // namespace

// --- Loads in another form. --------------------------------------------------

/// A kind that concerns loops of which metadata say so, in words of our own.
static constexpr unsigned Carrier = LLVMContext::MD_mem_parallel_loop_access;

static MDString *carriedWords(const Function &F) {
  return MDString::get(F.getContext(), "atsan.source");
}

/// A scope that is in no list of what does not alias says nothing.
static MDNode *domainOfScopes(LLVMContext &C) {
  return MDNode::get(C, MDString::get(C, "atsan.domain"));
}

static void addScope(Instruction &I, MDNode *Scope) {
  I.setMetadata(LLVMContext::MD_alias_scope,
                MDNode::concatenate(I.getMetadata(LLVMContext::MD_alias_scope),
                                    MDNode::get(I.getContext(), Scope)));
}

/// Takes away the first scope of ours, if there is one, and returns it.
template <class Predicate>
static const MDNode *takeScope(Instruction &I, const Predicate &IsOurs) {
  const MDNode *Scopes = I.getMetadata(LLVMContext::MD_alias_scope);
  if (!Scopes)
    return nullptr;
  const auto *Found = find_if(Scopes->operands(), IsOurs);
  if (Found == Scopes->op_end())
    return nullptr;
  auto *Taken = cast<MDNode>(*Found);
  SmallVector<Metadata *, 4> Others;
  copy_if(Scopes->operands(), std::back_inserter(Others),
          [&](const Metadata *Other) { return Other != Taken; });
  I.setMetadata(LLVMContext::MD_alias_scope,
                Others.empty() ? nullptr : MDNode::get(I.getContext(), Others));
  return Taken;
}

/// Has the words, and for accesses of several rounds what these consist of.
static MDNode *nodeFor(const Instruction &I, MDString *Words) {
  const uint64_t Size = elementsOf(I);
  if (!isMarkedLoad(I) && !(isa<StoreInst>(I) && Size))
    return nullptr;
  if (!Size)
    return MDNode::get(I.getContext(), Words);
  return MDNode::get(I.getContext(),
                     {Words, elementsNode(I.getContext(), Size)});
}

static void giveToCarrier(Function &F, Copies &Made) {
  MDString *Words = carriedWords(F);
  MDNode *Domain = domainOfScopes(F.getContext());
  for (Instruction &I : instructions(F)) {
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    if (Copy && Copy->isVolatile())
      continue;
    MDNode *Node =
        Copy ? Made.nodeFor(*Copy, Domain, Words) : nodeFor(I, Words);
    if (!I.hasMetadata(Carrier))
      I.setMetadata(Carrier, Node);
    if (Copy)
      addScope(I, Node);
  }
}

static void takeFromCarrier(Function &F, Copies &Made) {
  MDString *Words = carriedWords(F);
  for (Instruction &I : instructions(F)) {
    const MDNode *Scope =
        Made.empty() ? nullptr : takeScope(I, [&](const Metadata *Other) {
          return Made.contains(Other);
        });
    const MDNode *Carried = I.getMetadata(Carrier);
    if (!Carried || !is_contained(Carried->operands(), Words)) {
      // A smaller copy has only the scope.
      if (Scope && isa<MemTransferInst>(I))
        Made.markPart(I, Scope);
      continue;
    }
    I.setMetadata(Carrier, nullptr);
    if (isUnknownLoad(I))
      markAsSource(I);
    if (Carried->getNumOperands() == 2 && isa<LoadInst, StoreInst>(I))
      markElements(I, elementsIn(cast<MDNode>(Carried->getOperand(1))));
    // Copies of memory are told where they stand, without a mark.
    if (isa<LoadInst, StoreInst>(I))
      Made.markPart(I, Carried);
  }
  Made.clear();
}

// --- Loads in a predecessor. -------------------------------------------------

static MDNode *scopeOfSource(const Function &F) {
  LLVMContext &C = F.getContext();
  return MDNode::get(C, {MDString::get(C, "atsan.source"), domainOfScopes(C)});
}

static void giveToScope(Function &F) {
  MDNode *Scope = scopeOfSource(F);
  for (Instruction &I : instructions(F))
    if (isMarkedLoad(I))
      addScope(I, Scope);
}

static void takeFromScope(Function &F) {
  const MDNode *Scope = scopeOfSource(F);
  for (Instruction &I : instructions(F))
    if (takeScope(I, [&](const Metadata *Other) { return Other == Scope; }) &&
        isUnknownLoad(I))
      markAsSource(I);
}

// --- What happens before and after a pass. -----------------------------------

namespace {

enum class PassKind {
  Other,
  LoopVectorizer,
  LoadsInOtherForm,
  LoadsInPredecessor
};

} // namespace

static PassKind kindOf(StringRef Pass) {
  return StringSwitch<PassKind>(Pass)
      .Case("LoopVectorizePass", PassKind::LoopVectorizer)
      .Case("InstCombinePass", PassKind::LoadsInOtherForm)
      .Case("SROAPass", PassKind::LoadsInOtherForm)
      .Case("GVNPass", PassKind::LoadsInPredecessor)
      .Default(PassKind::Other);
}

/// Calls Do(Function, PassKind) if the pass matters and is run on a function
/// that is instrumented.
template <class Action>
static void onPass(StringRef Pass, Any Unit, const Action &Do) {
  const PassKind Kind = kindOf(Pass);
  auto *F = any_cast<const Function *>(&Unit);
  if (Kind != PassKind::Other && F &&
      (*F)->hasFnAttribute(Attribute::SanitizeThread))
    Do(const_cast<Function &>(**F), Kind);
}

void keepSourceMarks(PassInstrumentationCallbacks &Passes) {
  auto InVectorizer = std::make_shared<Vectorized>();
  auto MadeOfCopies = std::make_shared<Copies>();
  auto Before = [=](Function &F, PassKind Kind) {
    if (Kind == PassKind::LoadsInOtherForm)
      giveToCarrier(F, *MadeOfCopies);
    else if (Kind == PassKind::LoadsInPredecessor)
      giveToScope(F);
    else
      InVectorizer->begin(F);
  };
  auto After = [=](Function &F, PassKind Kind) {
    if (Kind == PassKind::LoadsInOtherForm)
      takeFromCarrier(F, *MadeOfCopies);
    else if (Kind == PassKind::LoadsInPredecessor)
      takeFromScope(F);
    else
      InVectorizer->end(F);
  };
  Passes.registerBeforeNonSkippedPassCallback(
      [=](StringRef Pass, Any Unit) { onPass(Pass, Unit, Before); });
  Passes.registerAfterPassCallback(
      [=](StringRef Pass, Any Unit, const PreservedAnalyses &) {
        onPass(Pass, Unit, After);
      });
}

} // namespace atsan
