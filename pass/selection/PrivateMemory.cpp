//===- PrivateMemory.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows an object's address through the whole function. LLVM's own capture
// analysis answers another question: it trusts `nocapture` parameters, but our
// interceptors and instrumented callees observe accesses through those as well.
// An object must be observed by all or by none: one that is observed without
// its birth having been announced would inherit the past of the stack slot.
//
// Where in the function the address escapes makes no difference: an access that
// comes before that may still be one end of a conflict.
//
//===----------------------------------------------------------------------===//

#include "pass/selection/PrivateMemory.h"
#include "pass/base/Options.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace atsan {

namespace {

UseKind classifyIntrinsic(const IntrinsicInst &II, const Use &U) {
  switch (II.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::assume:
  case Intrinsic::objectsize:
  case Intrinsic::var_annotation:
  case Intrinsic::prefetch:
  // These access a va_list itself; what it lists was passed by value.
  case Intrinsic::vastart:
  case Intrinsic::vaend:
  case Intrinsic::vacopy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memset_inline:
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
    return UseKind::Access;
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
    return UseKind::Derives;
  case Intrinsic::ptr_annotation:
    return U.getOperandNo() == 0 ? UseKind::Derives : UseKind::Access;
  default:
    return UseKind::Escapes;
  }
}

} // namespace

UseKind classifyUse(const Use &U) {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return UseKind::Escapes;
  switch (I->getOpcode()) {
  case Instruction::Load:
  case Instruction::ICmp:
  case Instruction::VAArg:
    return UseKind::Access;
  case Instruction::Store:
    return U.getOperandNo() == StoreInst::getPointerOperandIndex()
               ? UseKind::Access
               : UseKind::Escapes;
  case Instruction::AtomicRMW:
    return U.getOperandNo() == AtomicRMWInst::getPointerOperandIndex()
               ? UseKind::Access
               : UseKind::Escapes;
  case Instruction::AtomicCmpXchg:
    return U.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex()
               ? UseKind::Access
               : UseKind::Escapes;
  case Instruction::GetElementPtr:
    return I->getType()->isPointerTy() ? UseKind::Derives : UseKind::Escapes;
  case Instruction::BitCast:
  case Instruction::Freeze:
  case Instruction::PHI:
  case Instruction::Select:
    return UseKind::Derives;
  case Instruction::Call:
    if (auto *II = dyn_cast<IntrinsicInst>(I))
      return classifyIntrinsic(*II, U);
    return UseKind::Escapes;
  default:
    return UseKind::Escapes;
  }
}

namespace {

bool pointsNowhere(const Value *V) {
  return isa<ConstantPointerNull>(V) || isa<UndefValue>(V);
}

/// A pointer chosen among several is private only if all of them point into
/// the same object, because its accesses are observed or not for all of them.
bool isMixed(const Value *V, const SmallPtrSetImpl<const Value *> &Derived) {
  auto Foreign = [&](const Value *Op) {
    return !Derived.contains(Op) && !pointsNowhere(Op);
  };
  if (auto *Phi = dyn_cast<PHINode>(V))
    return any_of(Phi->incoming_values(), Foreign);
  if (auto *Sel = dyn_cast<SelectInst>(V))
    return Foreign(Sel->getTrueValue()) || Foreign(Sel->getFalseValue());
  return false;
}

/// The object and the pointers that the function derives from it, from Buffers
/// as well; and whether its address goes elsewhere, too.
struct Pointers {
  Pointers(const Value *Object, const SmallPtrSetImpl<const Value *> &Buffers) {
    SmallSetVector<const Value *, 16> Derived;
    Derived.insert(Object);
    for (unsigned I = 0; I != Derived.size(); ++I)
      for (const Use &U : Derived[I]->uses()) {
        UseKind Kind = classifyUse(U);
        Escape |= Kind == UseKind::Escapes;
        if (Kind == UseKind::Derives || Buffers.contains(U.getUser()))
          Derived.insert(U.getUser());
      }
    Pure.insert(Derived.begin(), Derived.end());
    SmallVector<const Value *, 4> Mixed;
    copy_if(Derived, std::back_inserter(Mixed),
            [&](const Value *V) { return isMixed(V, Pure); });
    AreMixed = !Mixed.empty();
    // What is derived from a mixed pointer is mixed, too.
    while (!Mixed.empty()) {
      const Value *V = Mixed.pop_back_val();
      if (!Pure.erase(V))
        continue;
      copy_if(V->users(), std::back_inserter(Mixed),
              [&](const User *U) { return Pure.contains(U); });
    }
  }

  /// The pointers that certainly point to the object.
  SmallPtrSet<const Value *, 16> Pure;
  bool AreMixed = false;
  bool Escape = false;
};

} // namespace

/// Makes all pointers into the object private, if they can be.
bool PrivateMemory::claim(const Value *Object) {
  if (!FindPrivateMemory)
    return false;
  Pointers Found(Object, SmallPtrSet<const Value *, 1>());
  if (Found.Escape || Found.AreMixed)
    return false;
  PrivatePointers.insert(Found.Pure.begin(), Found.Pure.end());
  return true;
}

/// Confines the pointers that the function derives from the object or from its
/// buffers. Other pointers, from calls or read from memory, stay observed.
void PrivateMemory::confine(AllocaInst &Object, ConfinedMemory &Confined) {
  SmallPtrSet<const Value *, 8> Buffers;
  if (!FindPrivateMemory || !Confined.contains(Object, Buffers))
    return;
  Pointers Found(&Object, Buffers);
  ConfinedPointers.insert(Found.Pure.begin(), Found.Pure.end());
}

PrivateMemory::PrivateMemory(Function &F, ConfinedMemory &Confined) {
  for (Argument &Arg : F.args())
    if (Arg.hasByValAttr() && !claim(&Arg))
      Copies.push_back(&Arg);
  for (Instruction &I : instructions(F)) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (!Alloca || Alloca->isSwiftError())
      continue;
    if (Alloca->isUsedWithInAlloca() || !claim(Alloca)) {
      Allocas.push_back(Alloca);
      confine(*Alloca, Confined);
    }
  }
}

} // namespace atsan
