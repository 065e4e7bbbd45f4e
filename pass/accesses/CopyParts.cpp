//===- CopyParts.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mark of a part has the copy and the offset. So two parts of which one
// begins where the other ends, by their offsets and by their addresses, are of
// copies of the same memory, even if a loop was unrolled or a function inlined
// meanwhile: one of these reads, or writes, both.
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/CopyParts.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace atsan {

static constexpr StringLiteral PartKind = "atsan.part";

std::optional<CopyPart> copyPartOf(const Instruction &I) {
  const MDNode *Part = I.getMetadata(PartKind);
  if (!Part)
    return std::nullopt;
  return CopyPart{
      cast<MDNode>(Part->getOperand(0)),
      mdconst::extract<ConstantInt>(Part->getOperand(1))->getZExtValue()};
}

MDNode *Copies::nodeFor(const MemTransferInst &Copy, MDNode *Domain,
                        Metadata *Words) {
  MDNode *Node =
      MDNode::getDistinct(Copy.getContext(), {nullptr, Domain, Words});
  Node->replaceOperandWith(0, Node);
  Whole[Node] = {Copy.getRawSource(), Copy.getRawDest(), copyPartOf(Copy)};
  return Node;
}

/// How far behind `From` the pointer is; none: nobody knows.
static std::optional<uint64_t> distance(const Value *From, const Value *To,
                                        const DataLayout &DL) {
  APInt Start(DL.getIndexTypeSizeInBits(From->getType()), 0);
  APInt End = Start;
  if (From->stripAndAccumulateConstantOffsets(DL, Start, true) !=
      To->stripAndAccumulateConstantOffsets(DL, End, true))
    return std::nullopt;
  return (End - Start).getZExtValue();
}

/// How far behind the begin of the copy the part is.
static std::optional<uint64_t> offsetIn(const Value *Source,
                                        const Value *Destination,
                                        const Instruction &Part) {
  const DataLayout &DL = Part.getDataLayout();
  const auto Between = [&](const Value *From, const Value *To) {
    return From && To ? distance(From, To, DL) : std::nullopt;
  };
  if (auto *Copy = dyn_cast<MemTransferInst>(&Part)) {
    // One of both sides is another variable than before.
    const auto Read = Between(Source, Copy->getRawSource());
    return Read ? Read : Between(Destination, Copy->getRawDest());
  }
  return Between(isa<LoadInst>(Part) ? Source : Destination,
                 getLoadStorePointerOperand(&Part));
}

void Copies::markPart(Instruction &I, const MDNode *Node) const {
  const auto Found = Whole.find(Node);
  if (Found == Whole.end())
    return;
  const Copied &Of = Found->second;
  auto Offset = offsetIn(Of.Source, Of.Destination, I);
  if (!Offset)
    return;
  if (Of.Within) {
    Node = Of.Within->Copy;
    *Offset += Of.Within->Offset;
  }
  LLVMContext &C = I.getContext();
  I.setMetadata(PartKind,
                MDNode::get(C, {const_cast<MDNode *>(Node),
                                ConstantAsMetadata::get(ConstantInt::get(
                                    Type::getInt64Ty(C), *Offset))}));
}

} // namespace atsan
