//===- VectorAccess.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Masked and vector-predicated memory intrinsics.
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/AccessSelection.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace atsan {

namespace {

bool isMaskType(const Type *Ty) {
  auto *Vec = dyn_cast<VectorType>(Ty);
  return Vec && Vec->getElementType()->isIntegerTy(1);
}

/// The operand that is the mask: the first vector of i1 from the given one on.
/// LLVM 22 dropped the alignment operand, so that its position differs.
Value *maskFrom(IntrinsicInst &II, unsigned First) {
  for (unsigned I = First, N = II.arg_size(); I != N; ++I)
    if (isMaskType(II.getArgOperand(I)->getType()))
      return II.getArgOperand(I);
  return nullptr;
}

/// Fills in the lanes of a vector type; leaves the size 0 where a lane is not
/// made of whole bytes or their number is not known.
void setLanes(Event &E, Type *Ty, const DataLayout &DL) {
  auto *Vec = dyn_cast<FixedVectorType>(Ty);
  if (!Vec || DL.getTypeSizeInBits(Vec->getElementType()) % 8 != 0)
    return;
  E.Lanes = Vec->getNumElements();
  E.Size = DL.getTypeStoreSize(Vec->getElementType()).getFixedValue();
}

/// The bytes of an element that an instruction pmov of x86 stores. \p Name is
/// what follows "pmov" and has the element's type before and after in it.
uint64_t truncatedSize(StringRef Name) {
  switch (Name.split(".mem.").first.back()) {
  case 'b':
    return 1;
  case 'w':
    return 2;
  default: // 'd'
    return 4;
  }
}

/// An intrinsic of LLVM's, and what it accesses.
struct VectorForm {
  Intrinsic::ID Id;
  Footprint Shape;
  bool IsStore = false;
  bool HasLength = false; ///< The last operand says how many lanes.
  bool HasStride = false; ///< The operand behind the pointer.
};

constexpr bool Load = false, Store = true, Length = true, Stride = true;

constexpr VectorForm VectorForms[] = {
    {Intrinsic::masked_load, Footprint::Lanes, Load},
    {Intrinsic::masked_gather, Footprint::Scatter, Load},
    {Intrinsic::masked_expandload, Footprint::Packed, Load},
    {Intrinsic::masked_store, Footprint::Lanes, Store},
    {Intrinsic::masked_scatter, Footprint::Scatter, Store},
    {Intrinsic::masked_compressstore, Footprint::Packed, Store},
    {Intrinsic::vp_load, Footprint::Lanes, Load, Length},
    {Intrinsic::vp_gather, Footprint::Scatter, Load, Length},
    {Intrinsic::vp_store, Footprint::Lanes, Store, Length},
    {Intrinsic::vp_scatter, Footprint::Scatter, Store, Length},
    {Intrinsic::experimental_vp_strided_load, Footprint::Lanes, Load, Length,
     Stride},
    {Intrinsic::experimental_vp_strided_store, Footprint::Lanes, Store, Length,
     Stride},
};

} // namespace

/// Masked loads and stores, gathers, scatters and stores of truncated elements
/// as x86's own intrinsics have them. What is which operand follows from its
/// type.
static bool describeX86Access(IntrinsicInst &II, const DataLayout &DL,
                              Event &E) {
  StringRef Name = Intrinsic::getBaseName(II.getIntrinsicID());
  if (!Name.consume_front("llvm.x86."))
    return false;
  bool IsGather = Name.starts_with("avx2.gather.") ||
                  Name.starts_with("avx512.mask.gather") ||
                  Name.starts_with("avx512.gather");
  bool IsScatter = Name.starts_with("avx512.mask.scatter") ||
                   Name.starts_with("avx512.scatter");
  bool IsLoad =
      Name.starts_with("avx.maskload.") || Name.starts_with("avx2.maskload.");
  bool IsStore =
      Name.starts_with("avx.maskstore.") || Name.starts_with("avx2.maskstore.");
  bool IsByteStore = Name == "sse2.maskmov.dqu" || Name == "mmx.maskmovq";
  // For example, "avx512.mask.pmovs.db.mem.128" truncates 4 bytes to 1.
  bool IsTruncation =
      Name.consume_front("avx512.mask.pmov") && Name.contains(".mem.");
  unsigned Last = II.arg_size() - 1;
  unsigned Value = 0;
  if (IsLoad) { // (pointer, mask)
    E.Ptr = II.getArgOperand(0);
    E.Mask = II.getArgOperand(1);
  } else if (IsStore) { // (pointer, mask, value)
    E.Ptr = II.getArgOperand(0);
    E.Mask = II.getArgOperand(1);
    Value = 2;
  } else if (IsByteStore) { // (value, mask, pointer)
    E.Mask = II.getArgOperand(1);
    E.Ptr = II.getArgOperand(2);
  } else if (IsTruncation) { // (pointer, value, mask)
    E.Ptr = II.getArgOperand(0);
    E.Mask = II.getArgOperand(2);
    Value = 1;
  } else if (IsGather) { // (otherwise, pointer, indices, mask, scale)
    E.Ptr = II.getArgOperand(1);
    E.Indices = II.getArgOperand(2);
    E.Mask = II.getArgOperand(3);
  } else if (IsScatter) { // (pointer, mask, indices, value, scale)
    E.Ptr = II.getArgOperand(0);
    E.Mask = II.getArgOperand(1);
    E.Indices = II.getArgOperand(2);
    Value = 3;
  } else {
    return false;
  }
  bool Writes = IsStore || IsByteStore || IsScatter || IsTruncation;
  E.Kind = Writes ? EventKind::Write : EventKind::Read;
  E.Shape = E.Indices ? Footprint::Indexed : Footprint::Lanes;
  // A mask of neither i1 nor an integer tells active lanes by their signs.
  E.MaskIsSign =
      !isMaskType(E.Mask->getType()) && !E.Mask->getType()->isIntegerTy();
  setLanes(E, Writes ? II.getArgOperand(Value)->getType() : II.getType(), DL);
  if (Name == "mmx.maskmovq") {
    E.Lanes = 8;
    E.Size = 1;
  }
  if (IsTruncation)
    E.Size = truncatedSize(Name);
  if (E.Indices) {
    E.Scale = II.getArgOperand(Last);
    auto *IndicesTy = cast<FixedVectorType>(E.Indices->getType());
    E.Lanes = std::min(E.Lanes, IndicesTy->getNumElements());
  }
  return true;
}

void setMaskVector(Event &E) {
  if (!E.Mask)
    return;
  // A register of MMX is a vector of one element since LLVM 20.
  if (auto *Ty = dyn_cast<FixedVectorType>(E.Mask->getType());
      Ty && (Ty->getNumElements() != 1 || E.Lanes == 1))
    return;
  IRBuilder<> IRB(E.At);
  // The builder would not fold the cast of a constant mask to a vector.
  if (auto *Bits = dyn_cast<ConstantInt>(E.Mask)) {
    SmallVector<Constant *, 16> Lanes;
    for (unsigned I = 0; I != E.Lanes; ++I)
      Lanes.push_back(IRB.getInt1(Bits->getValue()[I]));
    E.Mask = ConstantVector::get(Lanes);
    return;
  }
  unsigned Bits = E.Mask->getType()->getPrimitiveSizeInBits().getFixedValue();
  Type *LaneTy = E.MaskIsSign ? IRB.getInt8Ty() : IRB.getInt1Ty();
  unsigned Lanes = Bits / LaneTy->getPrimitiveSizeInBits();
  E.Mask = IRB.CreateBitCast(E.Mask, FixedVectorType::get(LaneTy, Lanes));
}

bool describeVectorAccess(IntrinsicInst &II, const DataLayout &DL, Event &E) {
  const auto *Form = llvm::find_if(VectorForms, [&](const VectorForm &F) {
    return F.Id == II.getIntrinsicID();
  });
  if (Form == std::end(VectorForms))
    return describeX86Access(II, DL, E);
  // (pointer...) or (value, pointer...).
  const unsigned PtrOperand = Form->IsStore ? 1 : 0;
  E.Shape = Form->Shape;
  E.Kind = Form->IsStore ? EventKind::Write : EventKind::Read;
  E.Ptr = II.getArgOperand(PtrOperand);
  E.Mask = maskFrom(II, PtrOperand + 1);
  if (Form->HasLength)
    E.VectorLength = II.getArgOperand(II.arg_size() - 1);
  if (Form->HasStride)
    E.Stride = II.getArgOperand(PtrOperand + 1);
  setLanes(E, Form->IsStore ? II.getArgOperand(0)->getType() : II.getType(),
           DL);
  return true;
}

} // namespace atsan
