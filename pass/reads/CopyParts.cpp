//===- CopyParts.cpp
//-------------------------------------------------------===//
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

#include "pass/reads/CopyParts.h"

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

MDNode *Copies::nodeFor(const MemTransferInst &Copy, Metadata *Words) {
  MDNode *Node = MDNode::getDistinct(Copy.getContext(), Words);
  Pointers[Node] = {Copy.getRawSource(), Copy.getRawDest()};
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

void Copies::markPart(Instruction &I, const MDNode *Node) const {
  const auto Found = Pointers.find(Node);
  if (Found == Pointers.end())
    return;
  const Value *Begin =
      isa<LoadInst>(I) ? Found->second.Source : Found->second.Destination;
  const Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Begin || !Pointer)
    return;
  const auto Offset = distance(Begin, Pointer, I.getDataLayout());
  if (!Offset)
    return;
  LLVMContext &C = I.getContext();
  I.setMetadata(PartKind,
                MDNode::get(C, {const_cast<MDNode *>(Node),
                                ConstantAsMetadata::get(ConstantInt::get(
                                    Type::getInt64Ty(C), *Offset))}));
}

} // namespace atsan
