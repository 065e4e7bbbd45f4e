//===- LoadedBytes.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/reads/LoadedBytes.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace atsan {

/// True if the user's value may be the operand's, each byte in its place.
static bool isPassedOnWhole(const Use &U) {
  return isa<PHINode, FreezeInst>(U.getUser()) ||
         (isa<SelectInst>(U.getUser()) && U.getOperandNo() != 0);
}

/// True if a byte of the operand has no effect on lower ones of the user.
static bool isUpwards(const Use &U) {
  const auto *I = cast<Instruction>(U.getUser());
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return true;
  default:
    return isPassedOnWhole(U);
  }
}

/// Adds bytes to others; returns whether there were any new ones.
static bool add(Bytes &To, const Bytes &More) {
  const bool IsNew = More.test(To);
  To |= More;
  return IsNew;
}

/// How many of the lowest bits a comparison with a constant does not depend on.
static unsigned bitsIgnoredBy(const ICmpInst &Compare) {
  const APInt *Than;
  if (!match(Compare.getOperand(1), m_APInt(Than)) || Compare.isEquality())
    return 0;
  const bool IsLess = ICmpInst::isLT(Compare.getPredicate()) ||
                      ICmpInst::isGE(Compare.getPredicate());
  return std::min(IsLess ? Than->countr_zero() : Than->countr_one(),
                  Than->getBitWidth() - 1);
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
  if (Seen.any())
    Parts.push_back(Seen);
  for (const auto &[U, Look] : Looks)
    divideParts(Look);
  for (const auto &[U, Look] : InPlace)
    divideParts(Look);
}

/// Into what the look sees and what it does not.
void LoadedBytes::divideParts(const Bytes &Look) {
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
    for (const Use &U : Same[I]->uses())
      if (isPassedOnWhole(U)) {
        Looks[&U].resize(Size);
        Same.insert(cast<Instruction>(U.getUser()));
      } else {
        Looks[&U] = bytesOf(U, Demanded);
      }
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (auto &[U, Look] : Looks)
      if (isPassedOnWhole(*U))
        for (const Use &Next : U->getUser()->uses())
          Changed |= add(Look, Looks[&Next]);
  }
  Same.remove(&Load);
  Choices = Same;
  if (!Choices.empty())
    addLooksBehind();
}

/// A choice may also depend on bytes of which something was computed, for the
/// choice or for a value that is chosen: its uses look at these, too. Of a sum,
/// no byte depends on a higher one.
void LoadedBytes::addLooksBehind() {
  struct Way {
    const Use *From;
    const Instruction *To;
    bool IsUpwards;
  };
  SmallVector<Way, 8> Ways;
  for (const auto &[U, Look] : Looks)
    if (!isPassedOnWhole(*U))
      for (bool IsUpwards : {true, false})
        for (const Instruction *Behind : valuesBehind(*U, IsUpwards))
          if (Choices.contains(Behind))
            Ways.push_back({U, Behind, IsUpwards});
  InPlace = Looks;
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const Way &W : Ways)
      for (const Use &Next : W.To->uses()) {
        Bytes More = Looks[W.From];
        if (W.IsUpwards)
          More.reset(InPlace.lookup(&Next).find_last() + 1, Size);
        Changed |= add(Looks[&Next], More);
      }
  }
}

/// The values that depend on what the user makes of the load's bytes: those on
/// which no byte has an effect on a lower one, or those where it may. The next
/// execution of the load forgets them.
LoadedBytes::Values LoadedBytes::valuesBehind(const Use &U,
                                              bool Upwards) const {
  Values Up, Any;
  auto Add = [&](const Use &Of, bool IsUpwards) {
    auto *User = cast<Instruction>(Of.getUser());
    if (User != &Load)
      (IsUpwards && isUpwards(Of) ? Up : Any).insert(User);
  };
  Add(U, true);
  for (size_t I = 0; I != Up.size(); ++I)
    for (const Use &Next : Up[I]->uses())
      Add(Next, true);
  for (size_t I = 0; I != Any.size(); ++I)
    for (const Use &Next : Any[I]->uses())
      Add(Next, false);
  return Upwards ? Up : Any;
}

Bytes LoadedBytes::bytesOf(const Use &U, DemandedBits &Demanded) const {
  auto *Integer = dyn_cast<IntegerType>(Load.getType());
  if (!Integer || Integer->getBitWidth() != Size * 8 ||
      !U.getUser()->getType()->isIntOrIntVectorTy())
    return Bytes(Size, true);
  APInt Bits = Demanded.getDemandedBits(const_cast<Use *>(&U));
  if (auto *Compare = dyn_cast<ICmpInst>(U.getUser()))
    Bits.clearLowBits(bitsIgnoredBy(*Compare));
  Bytes Look(Size);
  for (unsigned Byte = 0; Byte != Size; ++Byte)
    if (Bits.extractBits(8, Byte * 8) != 0)
      Look.set(Byte);
  return Look;
}

bool LoadedBytes::looksInPlace(const Use &U, const Bytes &Part) const {
  auto It = InPlace.find(&U);
  return It == InPlace.end() ? looksAt(U, Part) : It->second.anyCommon(Part);
}

bool LoadedBytes::looksAt(const Use &U, const Bytes &Part) const {
  auto It = Looks.find(&U);
  return It == Looks.end() || It->second.anyCommon(Part);
}

} // namespace atsan
