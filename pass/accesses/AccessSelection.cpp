//===- AccessSelection.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules by which accesses are skipped, and the footprint of the others.
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/AccessSelection.h"

#include "pass/accesses/AtomicUpdates.h"
#include "pass/accesses/TargetAccess.h"
#include "pass/base/Compat.h"
#include "pass/base/Statistics.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace atsan {

/// True for a variable that the source does not have: a counter of clang's
/// profiling or coverage, which changes without synchronization by design, or
/// a guard.
static bool isOfCompiler(const Value *Ptr) {
  using namespace PatternMatch;
  const Value *Object = getUnderlyingObject(Ptr);
  // Counters that the run moves have an offset added to their address.
  const Value *Base;
  if (match(Object, m_IntToPtr(m_c_Add(m_PtrToInt(m_Value(Base)), m_Value()))))
    Object = getUnderlyingObject(Base);
  auto *GV = dyn_cast<GlobalVariable>(Object);
  if (!GV)
    return false;
  StringRef Section = GV->getSection();
  StringRef Name = GV->getName();
  return Section.starts_with("__llvm_prf_") ||
         Section.starts_with("__sancov_") || Name.starts_with("__llvm_gcov") ||
         Name.starts_with("__llvm_gcda") || isStaticGuard(GV) ||
         Name == "__tls_guard";
}

bool isStaticGuard(const Value *Ptr) {
  const Value *Object = getUnderlyingObject(Ptr);
  return isa<GlobalVariable>(Object) && Object->getName().starts_with("_ZGV");
}

bool isConstantMemory(const Value *Ptr) {
  const Value *Object = getUnderlyingObject(Ptr);
  if (auto *GV = dyn_cast<GlobalVariable>(Object))
    return GV->isConstant();
  // What a vtable pointer points to never changes. The pointer itself is data.
  if (auto *Load = dyn_cast<LoadInst>(Object))
    if (MDNode *Tag = Load->getMetadata(LLVMContext::MD_tbaa))
      return Tag->isTBAAVtableAccess();
  return false;
}

bool isInvisible(const IntrinsicInst &II) {
  if (II.doesNotAccessMemory() || isa<AnyMemIntrinsic>(II))
    return true;
  Event Unused;
  if (describeVectorAccess(const_cast<IntrinsicInst &>(II),
                           II.getModule()->getDataLayout(), Unused))
    return true;
  return II.hasFnAttr(Attribute::NoSync) && II.hasFnAttr(Attribute::NoCallback);
}

bool AccessSelection::isSkipped(const Instruction &I, const Value *Ptr,
                                EventKind Kind) const {
  if (I.hasMetadata(LLVMContext::MD_nosanitize)) {
    ++stats::SkippedNoSanitize;
    return true;
  }
  if (Ptr->getType()->getScalarType()->getPointerAddressSpace() != 0) {
    ++stats::SkippedAddressSpace;
    return true;
  }
  if (Ptr->isSwiftError()) {
    ++stats::SkippedSwiftError;
    return true;
  }
  // Sound: no other thread has the address, so there is no conflict.
  if (Private.contains(Ptr)) {
    ++stats::SkippedPrivate;
    return true;
  }
  // Sound: no other thread has the address, whatever callees do to the object.
  if (Private.isConfined(Ptr)) {
    ++stats::SkippedConfined;
    return true;
  }
  if (Ptr->getType()->isVectorTy())
    return false;
  // Sound: nobody writes, so there is no conflict.
  if (Kind == EventKind::Read &&
      (I.hasMetadata(LLVMContext::MD_invariant_load) ||
       isConstantMemory(Ptr))) {
    ++stats::SkippedConstant;
    return true;
  }
  if (isOfCompiler(Ptr)) {
    ++stats::SkippedOfCompiler;
    return true;
  }
  return false;
}

void AccessSelection::add(Event E, EventList &Events) const {
  if (E.Size != 0 && !isSkipped(*E.At, E.Ptr, E.Kind))
    Events.push_back(E);
}

/// A first-class aggregate is accessed field by field, without the padding.
void AccessSelection::addFields(const Event &E, Type *Ty,
                                EventList &Events) const {
  Event Field = E;
  if (auto *Struct = dyn_cast<StructType>(Ty)) {
    const StructLayout *Layout = DL.getStructLayout(Struct);
    for (unsigned I = 0, N = Struct->getNumElements(); I != N; ++I) {
      Field.Offset = E.Offset + Layout->getElementOffset(I).getFixedValue();
      addFields(Field, Struct->getElementType(I), Events);
    }
    return;
  }
  if (auto *Array = dyn_cast<ArrayType>(Ty)) {
    Type *ElementTy = Array->getElementType();
    if (ElementTy->isAggregateType()) {
      uint64_t Step = DL.getTypeAllocSize(ElementTy).getFixedValue();
      for (uint64_t I = 0, N = Array->getNumElements(); I != N; ++I) {
        Field.Offset = E.Offset + I * Step;
        addFields(Field, ElementTy, Events);
      }
      return;
    }
  }
  Field.Alignment = commonAlignment(E.Alignment, Field.Offset);
  Field.Size = DL.getTypeStoreSize(Ty).getFixedValue();
  Events.push_back(Field);
}

void AccessSelection::describeTyped(Instruction &I, EventKind Kind, Value *Ptr,
                                    Type *Ty, Align Alignment,
                                    EventList &Events) const {
  Event E;
  E.Kind = Kind;
  E.At = &I;
  E.Ptr = Ptr;
  E.Alignment = Alignment;
  if (isSkipped(I, Ptr, Kind))
    return;
  // Vectors of unknown length exist only on targets that we do not support.
  if (DL.getTypeStoreSize(Ty).isScalable()) {
    ++stats::SkippedUnknown;
    return;
  }
  addFields(E, Ty, Events);
}

void AccessSelection::describe(Instruction &I, EventList &Events) const {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return describeTyped(I, EventKind::Read, Load->getPointerOperand(),
                         Load->getType(), Load->getAlign(), Events);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return describeTyped(I, EventKind::Write, Store->getPointerOperand(),
                         Store->getValueOperand()->getType(), Store->getAlign(),
                         Events);
  // Clang makes loads and stores of va_arg.
  if (isa<VAArgInst>(I)) {
    ++stats::SkippedVaArg;
    return;
  }
  if (auto *II = dyn_cast<IntrinsicInst>(&I))
    return describeIntrinsic(*II, Events);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return describeCall(*Call, Events);
}

void AccessSelection::describeCall(CallBase &Call, EventList &Events) const {
  // An operand in memory says what the assembly may access, not what it does:
  // `asm("" : "+m"(x))` is a common barrier. To report it might be an error.
  if (Call.isInlineAsm()) {
    for (unsigned I = 0, N = Call.arg_size(); I != N; ++I)
      if (Call.getParamElementType(I))
        ++stats::SkippedAsm;
    return;
  }
  // The call itself reads a byval argument, to copy it for the callee.
  for (unsigned I = 0, N = Call.arg_size(); I != N; ++I) {
    if (!Call.isByValArgument(I))
      continue;
    Event E;
    E.At = &Call;
    E.Ptr = Call.getArgOperand(I);
    E.Size = DL.getTypeStoreSize(Call.getParamByValType(I)).getFixedValue();
    E.Alignment = Call.getParamAlign(I).valueOrOne();
    size_t Before = Events.size();
    add(E, Events);
    stats::ByValReads += Events.size() - Before;
  }
}

void AccessSelection::describeIntrinsic(IntrinsicInst &II,
                                        EventList &Events) const {
  if (auto *MI = dyn_cast<AnyMemIntrinsic>(&II))
    return describeMemory(*MI, Events);
  Event E;
  E.At = &II;
  if (describeVectorAccess(II, DL, E)) {
    if (E.Size == 0) {
      ++stats::SkippedUnknown;
    } else {
      setMaskVector(E);
      add(E, Events);
    }
    return;
  }
  if (describeArgumentList(II, Events))
    return;
  if (II.doesNotAccessMemory() || II.isAssumeLikeIntrinsic())
    return;
  SmallVector<Event, 2> Accesses;
  switch (describeTargetAccess(II, Accesses)) {
  case TargetAccess::Described:
    for (const Event &Access : Accesses)
      add(Access, Events);
    return;
  case TargetAccess::None:
    return;
  case TargetAccess::Unknown:
    break;
  }
  // Target intrinsics with a portable meaning do not get here: LLVM has turned
  // them into what is described above.
  bool HasPointer = any_of(
      II.args(), [](const Use &Arg) { return Arg->getType()->isPointerTy(); });
  if (II.onlyAccessesArgMemory() ||
      (II.getCalledFunction()->isTargetIntrinsic() && HasPointer))
    ++stats::SkippedUnknown;
}

/// The bytes of a list of variable arguments that the function may begin.
static uint64_t argumentListSize(const Function &F) {
  return F.getCallingConv() == CallingConv::Win64 ? 8 : 24;
}

bool AccessSelection::describeArgumentList(IntrinsicInst &II,
                                           EventList &Events) const {
  Event E;
  E.At = &II;
  E.Size = argumentListSize(*II.getFunction());
  E.Alignment = Align(8);
  switch (II.getIntrinsicID()) {
  case Intrinsic::vaend: // Nothing happens.
    return true;
  case Intrinsic::vacopy:
    E.Ptr = II.getArgOperand(1);
    add(E, Events);
    [[fallthrough]];
  case Intrinsic::vastart:
    E.Kind = EventKind::Write;
    E.Ptr = II.getArgOperand(0);
    add(E, Events);
    return true;
  default:
    return false;
  }
}

void AccessSelection::describeMemory(AnyMemIntrinsic &MI,
                                     EventList &Events) const {
  // memcpy, memmove and memset are left to code generation; see
  // lowerMemoryIntrinsics.
  Intrinsic::ID ID = MI.getIntrinsicID();
  if (ID == Intrinsic::memcpy || ID == Intrinsic::memmove ||
      ID == Intrinsic::memset)
    return;
  Event E;
  E.At = &MI;
  E.Size = 1;
  if (auto *Size = dyn_cast<ConstantInt>(MI.getLength()))
    E.Size = Size->getZExtValue();
  else
    E.Count = MI.getLength();
  if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&MI)) {
    E.Kind = EventKind::Read;
    E.Ptr = Transfer->getRawSource();
    E.Alignment = Transfer->getSourceAlign().valueOrOne();
    add(E, Events);
  }
  E.Kind = EventKind::Write;
  E.Ptr = MI.getRawDest();
  E.Alignment = MI.getDestAlign().valueOrOne();
  add(E, Events);
}

bool AccessSelection::selectAtomic(Instruction &I, Event &E) const {
  Type *Ty = nullptr;
  E.At = &I;
  E.Kind = EventKind::Write;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (isOfAtomicUpdate(I))
      return false;
    E.Kind = EventKind::Read;
    E.Ptr = Load->getPointerOperand();
    Ty = Load->getType();
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    E.Ptr = Store->getPointerOperand();
    Ty = Store->getValueOperand()->getType();
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    E.Ptr = RMW->getPointerOperand();
    Ty = RMW->getValOperand()->getType();
  } else {
    auto &CmpXchg = cast<AtomicCmpXchgInst>(I);
    E.Ptr = CmpXchg.getPointerOperand();
    Ty = CmpXchg.getNewValOperand()->getType();
  }
  E.Size = DL.getTypeStoreSize(Ty).getFixedValue();
  return !isSkipped(I, E.Ptr, E.Kind);
}

bool AccessSelection::selectAtomicCall(CallBase &Call, const AtomicCall &C,
                                       Event &E, EventList &Before,
                                       EventList &Behind) const {
  if (C.Op == AtomicCall::Load && isOfAtomicUpdate(Call))
    return false;
  E.At = &Call;
  E.Size = C.Size;
  E.Kind = EventKind::Read;
  for (Value *Buffer : {C.In, C.Expected})
    if (Buffer) {
      E.Ptr = Buffer;
      add(E, Before);
    }
  E.Kind = EventKind::Write;
  if (C.Out) {
    E.Ptr = C.Out;
    add(E, Behind);
  }
  if (C.Expected && !isSkipped(Call, C.Expected, E.Kind)) {
    // A failed exchange writes Expected once, a successful one 0 times.
    IRBuilder<> IRB(Call.getNextNode());
    IRB.SetCurrentDebugLocation(Call.getDebugLoc());
    Event Write = E;
    Write.Count = IRB.CreateZExt(IRB.CreateIsNull(&Call),
                                 DL.getIntPtrType(Call.getContext()));
    Write.At = cast<Instruction>(Write.Count);
    Write.Ptr = C.Expected;
    add(Write, Behind);
  }
  E.Kind = C.Op == AtomicCall::Load ? EventKind::Read : EventKind::Write;
  E.Ptr = C.Object;
  if (C.Offset) {
    IRBuilder<> IRB(&Call);
    E.Ptr = IRB.CreateConstInBoundsGEP1_64(IRB.getInt8Ty(), E.Ptr, C.Offset);
  }
  return !isSkipped(Call, C.Object, E.Kind);
}

} // namespace atsan
