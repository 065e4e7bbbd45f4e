//===- VectorAccess.cpp --------------------------------------------------===//
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

#include "AccessSelection.h"

#include "llvm/IR/DerivedTypes.h"

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

} // namespace

bool describeVectorAccess(IntrinsicInst &II, const DataLayout &DL, Event &E) {
  Type *ValueTy = nullptr;
  unsigned PtrOperand = 0;
  bool HasLength = false, HasStride = false;
  switch (II.getIntrinsicID()) {
  case Intrinsic::masked_load:
    E.Shape = Footprint::Lanes;
    break;
  case Intrinsic::masked_gather:
    E.Shape = Footprint::Scatter;
    break;
  case Intrinsic::masked_expandload:
    E.Shape = Footprint::Packed;
    break;
  case Intrinsic::masked_store:
    E.Shape = Footprint::Lanes;
    PtrOperand = 1;
    break;
  case Intrinsic::masked_scatter:
    E.Shape = Footprint::Scatter;
    PtrOperand = 1;
    break;
  case Intrinsic::masked_compressstore:
    E.Shape = Footprint::Packed;
    PtrOperand = 1;
    break;
  case Intrinsic::vp_load:
    E.Shape = Footprint::Lanes;
    HasLength = true;
    break;
  case Intrinsic::vp_gather:
    E.Shape = Footprint::Scatter;
    HasLength = true;
    break;
  case Intrinsic::experimental_vp_strided_load:
    E.Shape = Footprint::Lanes;
    HasLength = HasStride = true;
    break;
  case Intrinsic::vp_store:
    E.Shape = Footprint::Lanes;
    PtrOperand = 1;
    HasLength = true;
    break;
  case Intrinsic::vp_scatter:
    E.Shape = Footprint::Scatter;
    PtrOperand = 1;
    HasLength = true;
    break;
  case Intrinsic::experimental_vp_strided_store:
    E.Shape = Footprint::Lanes;
    PtrOperand = 1;
    HasLength = HasStride = true;
    break;
  default:
    return false;
  }
  bool IsStore = PtrOperand == 1;
  ValueTy = IsStore ? II.getArgOperand(0)->getType() : II.getType();
  E.Kind = IsStore ? EventKind::Write : EventKind::Read;
  E.Ptr = II.getArgOperand(PtrOperand);
  E.Mask = maskFrom(II, PtrOperand + 1);
  if (HasLength)
    E.VectorLength = II.getArgOperand(II.arg_size() - 1);
  if (HasStride)
    E.Stride = II.getArgOperand(PtrOperand + 1);
  setLanes(E, ValueTy, DL);
  return true;
}

} // namespace atsan
