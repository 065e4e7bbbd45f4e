//===- LoadedBytes.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedBytes.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace atsan {

/// True for what only chooses between values.
/// True if the user's value may be the operand's, each byte in its place.
static bool isPassedOnWhole(const Use &U) {
  return isa<PHINode, FreezeInst>(U.getUser()) ||
         (isa<SelectInst>(U.getUser()) && U.getOperandNo() != 0);
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
  Values Same;
  Same.insert(&Load);
  for (size_t I = 0; I != Same.size(); ++I)
    for (const Use &U : Same[I]->uses()) {
      Looks[&U] = bytesOf(U, Demanded);
      if (isPassedOnWhole(U))
        Same.insert(cast<Instruction>(U.getUser()));
    }
  // A choice may also depend on bytes of which something was computed: for the
  // choice, or for one that is chosen.
  Same.remove(&Load);
  SmallVector<std::pair<const Use *, const Instruction *>, 8> Ways;
  if (!Same.empty())
    for (const auto &[U, Look] : Looks)
      if (!isPassedOnWhole(*U))
        for (const Instruction *Behind : valuesBehind(*U))
          if (Same.contains(Behind))
            Ways.push_back({U, Behind});
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (auto [U, Behind] : Ways)
      Changed |= addLook(*Behind, Bytes(Looks[U]));
  }
}

/// Adds the bytes to what all uses of the value look at.
bool LoadedBytes::addLook(const Instruction &Value, const Bytes &Look) {
  bool Changed = false;
  for (const Use &U : Value.uses()) {
    Bytes &Of = Looks[&U];
    Changed |= Look.test(Of);
    Of |= Look;
  }
  return Changed;
}

/// The values that depend on what the user makes of the load's bytes. The next
/// execution of the load forgets them.
LoadedBytes::Values LoadedBytes::valuesBehind(const Use &U) const {
  Values Found;
  auto Add = [&](const User *I) {
    if (I != &Load)
      Found.insert(cast<Instruction>(I));
  };
  Add(U.getUser());
  for (size_t I = 0; I != Found.size(); ++I)
    for (const User *Next : Found[I]->users())
      Add(Next);
  return Found;
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
