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
//===----------------------------------------------------------------------===//

#include "pass/reads/SourceMarks.h"

#include "pass/accesses/CopyParts.h"
#include "pass/accesses/Effect.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"

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

MDNode *elementsNode(LLVMContext &C, uint64_t Size) {
  return MDNode::get(
      C, ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(C), Size)));
}

uint64_t elementsIn(const MDNode *Node) {
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

bool isMarkable(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return maskOf(I) && I.getType()->isVectorTy();
}

static bool isVectorAccess(const Instruction &I) {
  return isa<LoadInst, StoreInst>(I) &&
         isa<FixedVectorType>(getLoadStoreType(const_cast<Instruction *>(&I)));
}

void markAsSource(Instruction &I) {
  // In the form that the second kind has to have.
  MDNode *Mark = MMRAMetadata::getTagMD(I.getContext(), Source);
  for (const StringLiteral &Kind : sourceMarksOf(I))
    I.setMetadata(Kind, Mark);
}

void markElements(Instruction &I, uint64_t Size) {
  MDNode *Node = elementsNode(I.getContext(), Size);
  I.setMetadata(ElementsKind, Node);
  if (isa<LoadInst>(I) && I.hasMetadata(SourceKind))
    I.setMetadata(SourceKind, Node);
}

void markSourceAccesses(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : instructions(F)) {
    if (isMarkable(I))
      markAsSource(I);
    if (isVectorAccess(I) && !I.hasMetadata(ElementsKind))
      markElements(I, DL.getTypeStoreSize(getLoadStoreType(&I)));
  }
}

bool isUnknownLoad(const Instruction &I) {
  if (!isMarkable(I))
    return false;
  return !all_of(sourceMarksOf(I), [&](StringRef Kind) {
    return I.hasMetadata(Kind);
  }) || (isa<LoadInst>(I) && !hasTag(I, Source));
}

/// The size of an element of a vector.
static uint64_t elementsOfType(Type *Ty, const DataLayout &DL) {
  const TypeSize Bits =
      DL.getTypeSizeInBits(cast<VectorType>(Ty)->getElementType());
  return Bits % 8 == 0 ? Bits / 8 : 0;
}

uint64_t elementsOf(const Instruction &I) {
  for (const StringLiteral &Kind : {ElementsKind, SourceKind})
    if (const uint64_t Size = elementsIn(I.getMetadata(Kind)))
      return Size;
  if (!isVectorAccess(I) || copyPartOf(I))
    return 0;
  return elementsOfType(getLoadStoreType(const_cast<Instruction *>(&I)),
                        I.getDataLayout());
}

void eraseSourceMark(Instruction &I) {
  for (const StringLiteral &Kind : sourceMarksOf(I))
    I.setMetadata(Kind, nullptr);
}

bool isMarkedLoad(const Instruction &I) {
  return isa<LoadInst>(I) && isMarkable(I) && !isUnknownLoad(I);
}

void tagAsOfEveryRound(Instruction &I) {
  I.setMetadata(LLVMContext::MD_mmra,
                MMRAMetadata::getMD(I.getContext(), {Source, EveryRound}));
}

bool isOfEveryRound(const Instruction &I) { return hasTag(I, EveryRound); }

} // namespace atsan
