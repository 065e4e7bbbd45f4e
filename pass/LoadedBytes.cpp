//===- LoadedBytes.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedBytes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace atsan {

/// True for what only chooses between values.
static bool isChoice(const User *U) {
  return isa<PHINode, SelectInst, FreezeInst>(U);
}

/// Returns the bytes of one lane of the loaded vector, or 0 if its lanes are no
/// whole bytes, or it is no vector.
static unsigned laneWidthOf(const Instruction &Load, unsigned Size) {
  auto *Vector = dyn_cast<FixedVectorType>(Load.getType());
  return Vector && Size % Vector->getNumElements() == 0
             ? Size / Vector->getNumElements()
             : 0;
}

LoadedBytes::LoadedBytes(Instruction &Load, DemandedBits &Demanded)
    : Load(Load), Size(Load.getModule()
                           ->getDataLayout()
                           .getTypeStoreSize(Load.getType())
                           .getFixedValue()),
      Width(laneWidthOf(Load, Size)), Lanes(Load, isByLane()) {
  if (isByLane())
    addLooksOfLanes();
  else
    addLooksOfBytes(Demanded);
  Bytes Seen(Size);
  for (const auto &[U, Look] : Looks)
    Seen |= Look;
  // Each look divides the parts into what it sees and what it does not.
  if (Seen.any())
    Parts.push_back(Seen);
  for (const auto &[U, Look] : Looks)
    for (size_t I = 0, N = Parts.size(); I != N; ++I) {
      Bytes Rest = Parts[I];
      Rest.reset(Look);
      if (Rest.none() || Rest == Parts[I])
        continue;
      Parts[I] &= Look;
      Parts.push_back(Rest);
    }
}

LoadedLanes::Set LoadedBytes::lanesOf(const Bytes &Part) const {
  LoadedLanes::Set Result(Lanes.count(), !isByLane());
  if (isByLane())
    for (unsigned Byte : Part.set_bits())
      Result.set(Byte / Width);
  return Result;
}

void LoadedBytes::addLooksOfLanes() {
  for (const auto &[Value, Sets] : Lanes.values())
    for (const Use &U : Value->uses()) {
      Bytes &Look = Looks[&U];
      Look.resize(Size);
      LoadedLanes::Set Taken = Lanes.takenBy(U);
      for (unsigned Lane : Taken.set_bits())
        Look.set(Lane * Width, (Lane + 1) * Width);
    }
}

void LoadedBytes::addLooksOfBytes(DemandedBits &Demanded) {
  SmallSetVector<const Value *, 8> Same;
  Same.insert(&Load);
  for (size_t I = 0; I != Same.size(); ++I)
    for (const Use &U : Same[I]->uses()) {
      bool IsCondition = isa<SelectInst>(U.getUser()) && U.getOperandNo() == 0;
      if (isChoice(U.getUser()) && !IsCondition)
        Same.insert(U.getUser());
      else
        Looks[&U] = bytesOf(U, Demanded);
    }
}

Bytes LoadedBytes::bytesOf(const Use &U, DemandedBits &Demanded) const {
  auto *Integer = dyn_cast<IntegerType>(Load.getType());
  if (!Integer || Integer->getBitWidth() != Size * 8 ||
      !U.getUser()->getType()->isIntOrIntVectorTy())
    return Bytes(Size, true);
  APInt Bits = Demanded.getDemandedBits(const_cast<Use *>(&U));
  Bytes Look(Size);
  for (unsigned Byte = 0; Byte != Size; ++Byte)
    if (Bits.extractBits(8, Byte * 8) != 0)
      Look.set(Byte);
  return Look;
}

bool LoadedBytes::looksAt(const Use &U, const Bytes &Part) const {
  auto It = Looks.find(&U);
  return It == Looks.end() || It->second.anyCommon(Part);
}

} // namespace atsan
