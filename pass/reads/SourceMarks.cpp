//===- SourceMarks.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loads have marks of two kinds of LLVM's own, for which no other use
// concerns them on this target. Both are lost at speculation. Of two loads that
// become one, the one that is left keeps its own of the first kind, and that of
// the second kind only if both had it. A masked load that becomes a plain one
// keeps the mark of a masked one.
//
// The loop vectorizer makes loads of other loads: vectors, which have the
// second kind if all of these had it, and copies for a round, which have both.
// It reads for a round what that reads under a condition only, if the memory is
// accessed anyway. So what it makes is no load of the source, but for one
// thing: loads that each round makes have a tag while loops are vectorized, and
// what has the tag then gets the mark.
//
// InstCombine and SROA load in another form what was loaded in the same place:
// as another type, in parts, or by loads in place of a copy of memory. They
// copy metadata of few kinds, of which one is lost wherever ours are. It takes
// the mark through these passes.
//
// GVN loads in a predecessor what the source loads behind it, where other ways
// have the value already. It copies what is known of aliases, so a scope of our
// own takes the mark.
//
//===----------------------------------------------------------------------===//

#include "pass/reads/SourceMarks.h"

#include "pass/accesses/Effect.h"
#include "pass/reads/CopyParts.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>

using namespace llvm;

namespace atsan {

static constexpr StringLiteral SourceKind = "llvm.preserve.access.index";
static constexpr StringLiteral PlainMarks[] = {SourceKind, "mmra"};
static constexpr StringLiteral MaskedMarks[] = {"atsan.source.masked"};

/// What the second kind says. Of two loads that become one, a prefix is left if
/// both have it.
static constexpr MMRAMetadata::TagT Source = {"atsan", "source"};
static constexpr MMRAMetadata::TagT EveryRound = {"atsan-round", "every"};

/// Says what accesses of several rounds are made of: the size of an element. A
/// load with the source's mark says it there, too, since that is not lost where
/// two loads become one.
static constexpr StringLiteral ElementsKind = "atsan.elements";

static MDNode *elementsNode(LLVMContext &C, uint64_t Size) {
  return MDNode::get(
      C, ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(C), Size)));
}

static uint64_t elementsIn(const MDNode *Node) {
  auto *Size = Node && Node->getNumOperands() == 1
                   ? mdconst::dyn_extract<ConstantInt>(Node->getOperand(0))
                   : nullptr;
  return Size ? Size->getZExtValue() : 0;
}

static ArrayRef<StringLiteral> sourceMarksOf(const Instruction &I) {
  return isa<LoadInst>(I) ? ArrayRef(PlainMarks) : ArrayRef(MaskedMarks);
}

static bool hasTag(const Instruction &I, const MMRAMetadata::TagT &Tag) {
  return MMRAMetadata(I).hasTag(Tag.first, Tag.second);
}

static void setTags(Instruction &I, ArrayRef<MMRAMetadata::TagT> Tags) {
  I.setMetadata(LLVMContext::MD_mmra,
                MMRAMetadata::getMD(I.getContext(), Tags));
}

bool isMarkable(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return maskOf(I) && I.getType()->isVectorTy();
}

static void mark(Instruction &I) {
  // In the form that the second kind has to have.
  MDNode *Mark = MMRAMetadata::getTagMD(I.getContext(), Source);
  for (const StringLiteral &Kind : sourceMarksOf(I))
    I.setMetadata(Kind, Mark);
}

static void markElements(Instruction &I, uint64_t Size) {
  MDNode *Node = elementsNode(I.getContext(), Size);
  I.setMetadata(ElementsKind, Node);
  if (isa<LoadInst>(I) && I.hasMetadata(SourceKind))
    I.setMetadata(SourceKind, Node);
}

void markSourceLoads(Function &F) {
  for (Instruction &I : instructions(F))
    if (isMarkable(I))
      mark(I);
}

bool isUnknownLoad(const Instruction &I) {
  if (!isMarkable(I))
    return false;
  return !all_of(sourceMarksOf(I), [&](StringRef Kind) {
    return I.hasMetadata(Kind);
  }) || (isa<LoadInst>(I) && !hasTag(I, Source));
}

uint64_t elementsOf(const Instruction &I) {
  const uint64_t Size = elementsIn(I.getMetadata(ElementsKind));
  return Size ? Size : elementsIn(I.getMetadata(SourceKind));
}

void eraseSourceMark(Instruction &I) {
  for (const StringLiteral &Kind : sourceMarksOf(I))
    I.setMetadata(Kind, nullptr);
}

// --- The loop vectorizer. ----------------------------------------------------

static bool isMarkedLoad(const Instruction &I) {
  return isa<LoadInst>(I) && isMarkable(I) && !isUnknownLoad(I);
}

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
            setTags(I, {Source, EveryRound});
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
    else if (hasTag(I, EveryRound))
      mark(I);
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

/// Has the words, and for accesses of several rounds what these consist of.
static MDNode *nodeFor(Instruction &I, MDString *Words, Copies &Made) {
  // Copies of memory are told where they stand, without a mark.
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    return Copy->isVolatile() ? nullptr : Made.nodeFor(*Copy, Words);
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
  for (Instruction &I : instructions(F))
    if (!I.hasMetadata(Carrier))
      I.setMetadata(Carrier, nodeFor(I, Words, Made));
}

static void takeFromCarrier(Function &F, Copies &Made) {
  MDString *Words = carriedWords(F);
  for (Instruction &I : instructions(F)) {
    const MDNode *Carried = I.getMetadata(Carrier);
    if (!Carried || !is_contained(Carried->operands(), Words))
      continue;
    I.setMetadata(Carrier, nullptr);
    if (isUnknownLoad(I))
      mark(I);
    if (Carried->getNumOperands() == 2 && isa<LoadInst, StoreInst>(I))
      markElements(I, elementsIn(cast<MDNode>(Carried->getOperand(1))));
    Made.markPart(I, Carried);
  }
  Made.clear();
}

// --- Loads in a predecessor. -------------------------------------------------

/// A scope that is in no list of what does not alias, so it says nothing.
static MDNode *scopeOfSource(const Function &F) {
  LLVMContext &C = F.getContext();
  MDNode *Domain = MDNode::get(C, MDString::get(C, "atsan.domain"));
  return MDNode::get(C, {MDString::get(C, "atsan.source"), Domain});
}

static void giveToScope(Function &F) {
  MDNode *Scope = MDNode::get(F.getContext(), scopeOfSource(F));
  for (Instruction &I : instructions(F))
    if (isMarkedLoad(I))
      I.setMetadata(LLVMContext::MD_alias_scope,
                    MDNode::concatenate(
                        I.getMetadata(LLVMContext::MD_alias_scope), Scope));
}

static void takeFromScope(Function &F) {
  const MDNode *Scope = scopeOfSource(F);
  for (Instruction &I : instructions(F)) {
    const MDNode *Scopes = I.getMetadata(LLVMContext::MD_alias_scope);
    if (!Scopes || !is_contained(Scopes->operands(), Scope))
      continue;
    SmallVector<Metadata *, 4> Others;
    copy_if(Scopes->operands(), std::back_inserter(Others),
            [&](const Metadata *Other) { return Other != Scope; });
    I.setMetadata(LLVMContext::MD_alias_scope,
                  Others.empty() ? nullptr
                                 : MDNode::get(F.getContext(), Others));
    if (isUnknownLoad(I))
      mark(I);
  }
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
