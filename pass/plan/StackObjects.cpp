//===- StackObjects.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A birth is needed because stack memory is reused: without one, an object
// would inherit conflicts with what was at its address before. A death is for
// what uses the stack next and announces nothing: code without instrumentation,
// and variable arguments. So a birth is never left out, whereas deaths are left
// out for frames that an exception or a jump leaves without running code of
// theirs. Objects of variable size die together, by where the stack ends.
//
//===----------------------------------------------------------------------===//

#include "pass/plan/StackObjects.h"

#include "pass/base/Compat.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace atsan {

static Event as(EventKind Kind, Event E, Instruction *At = nullptr) {
  E.Kind = Kind;
  E.At = At;
  return E;
}

static bool isInFrame(const Event &E) {
  auto *Alloca = dyn_cast<AllocaInst>(E.Ptr);
  return Alloca && !mayBeOnCallersStack(*Alloca);
}

StackObjects::StackObjects(Function &F, const PrivateMemory &Private) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  for (Argument *Arg : Private.sharedCopies())
    addCopy(*Arg, DL);
  for (AllocaInst *Alloca : Private.sharedAllocas())
    addAlloca(*Alloca, DL);
  auto IsVariable = [](const auto &Entry) {
    return isa<AllocaInst>(Entry.first);
  };
  if (any_of(Marked, IsVariable)) {
    IRBuilder<> IRB(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    EntryEnd = IRB.CreateStackSave();
  }
  bool HasObject = !Marked.empty() || any_of(Entry, isInFrame);
  if (HasObject && canTellFrame(F))
    tellFrame(F);
}

/// Tells all births of objects that are born once in a call of the function by
/// one hook, and all deaths by another. To be one object throughout the call,
/// such an object must not share its memory with another: it loses its markers.
void StackObjects::tellFrame(Function &F) {
  Frame.emplace(F);
  DenseMap<const Value *, unsigned> BirthsOf;
  SmallVector<Instruction *, 8> Births;
  for (auto &[Marker, E] : Marked)
    if (E.Kind == EventKind::Birth) {
      ++BirthsOf[E.Ptr];
      Births.push_back(E.At);
    }
  const bool AtEntry = any_of(Entry, isInFrame);
  if (AtEntry)
    Births.push_back(&F.getEntryBlock().front());
  Instruction *First = Frame->chooseBirth(Births);
  if (!First)
    return Frame.reset();

  auto IsBornOnce = [&](const Event &E) {
    return BirthsOf.lookup(E.Ptr) == 1 && isInFrame(E) &&
           Frame->runsOnce(*E.At->getParent());
  };
  SmallPtrSet<const Value *, 8> Once;
  for (auto &[Marker, E] : Marked)
    if (E.Kind == EventKind::Birth && IsBornOnce(E))
      Once.insert(E.Ptr);
  for (auto &[Marker, E] : Marked)
    if (Once.contains(E.Ptr))
      Outdated.push_back(E.At);
  Marked.remove_if([&](const auto &Entry) {
    const Event &E = Entry.second;
    return E.Kind == EventKind::Birth ? Once.contains(E.Ptr)
                                      : !Frame->mayBeAbandonedBehind(*E.At);
  });
  erase_if(Entry, isInFrame);
  erase_if(Exit, isInFrame);

  Event Birth;
  Birth.Kind = EventKind::Birth;
  Birth.Shape = Footprint::Frame;
  if (AtEntry)
    return Entry.push_back(Birth);
  Birth.At = First;
  FrameBirth = Birth;
}

const Event *StackObjects::frameBirthAt(const Instruction &I) const {
  return FrameBirth && FrameBirth->At == &I ? &*FrameBirth : nullptr;
}

/// The caller makes the copy, but only the callee knows it as an object: there
/// it is born, and written.
void StackObjects::addCopy(Argument &Arg, const DataLayout &DL) {
  Event E;
  E.Ptr = &Arg;
  E.Size = DL.getTypeAllocSize(Arg.getParamByValType()).getFixedValue();
  if (E.Size == 0 || Arg.getType()->getPointerAddressSpace() != 0)
    return;
  Entry.push_back(as(EventKind::Birth, E));
  Entry.push_back(as(EventKind::Write, E));
  Exit.push_back(as(EventKind::Death, E));
}

/// If the object has lifetime markers, it lives between those only.
bool StackObjects::addLifetime(const Event &Object, AllocaInst &Alloca) {
  bool HasStart = false;
  for (User *U : Alloca.users()) {
    auto *Marker = dyn_cast<LifetimeIntrinsic>(U);
    if (!Marker || lifetimeObject(*Marker) != &Alloca)
      continue;
    bool IsStart = Marker->getIntrinsicID() == Intrinsic::lifetime_start;
    HasStart |= IsStart;
    Marked[Marker] =
        as(IsStart ? EventKind::Birth : EventKind::Death, Object, Marker);
  }
  return HasStart;
}

void StackObjects::addAlloca(AllocaInst &Alloca, const DataLayout &DL) {
  // Memory of another address space is no stack of ours; that of inalloca is
  // the callee's argument area.
  if (Alloca.getAddressSpace() != 0 || Alloca.isUsedWithInAlloca() ||
      Alloca.isSwiftError())
    return;
  TypeSize ElementSize = DL.getTypeAllocSize(Alloca.getAllocatedType());
  if (ElementSize.isScalable() || ElementSize.isZero())
    return;
  Event E;
  E.Ptr = &Alloca;
  E.Size = ElementSize.getFixedValue();
  if (auto *Count = dyn_cast<ConstantInt>(Alloca.getArraySize()))
    E.Size *= Count->getZExtValue();
  else
    E.Count = Alloca.getArraySize();
  if (E.Size == 0)
    return;

  if (addLifetime(E, Alloca))
    return;
  if (!Alloca.isStaticAlloca()) {
    Marked[&Alloca] = as(EventKind::Birth, E, &Alloca);
    return;
  }
  Entry.push_back(as(EventKind::Birth, E));
  Exit.push_back(as(EventKind::Death, E));
}

/// The death of the stack from its end up to what is above it.
static Event deathUpTo(Value *Above, Instruction &At) {
  IRBuilder<> IRB(&At);
  Event E;
  E.Kind = EventKind::Death;
  E.At = &At;
  E.Ptr = IRB.CreateStackSave();
  E.Size = 1;
  Type *IntPtrTy = IRB.getIntPtrTy(At.getModule()->getDataLayout());
  E.Count = IRB.CreateSub(IRB.CreatePtrToInt(Above, IntPtrTy),
                          IRB.CreatePtrToInt(E.Ptr, IntPtrTy));
  return E;
}

SmallVector<Event, 8> StackObjects::atExit(Instruction &I) const {
  SmallVector<Event, 8> Deaths;
  for (const Event &E : Exit)
    Deaths.push_back(as(EventKind::Death, E, &I));
  if (Frame && Frame->isBornBefore(*I.getParent())) {
    Event E;
    E.Shape = Footprint::Frame;
    Deaths.push_back(as(EventKind::Death, E, &I));
  }
  if (EntryEnd)
    Deaths.push_back(deathUpTo(EntryEnd, I));
  return Deaths;
}

std::optional<Event> StackObjects::atRestore(IntrinsicInst &I) const {
  if (!EntryEnd || I.getIntrinsicID() != Intrinsic::stackrestore)
    return std::nullopt;
  return deathUpTo(I.getArgOperand(0), I);
}

const Event *StackObjects::at(const Instruction &I) const {
  auto It = Marked.find(&I);
  return It == Marked.end() ? nullptr : &It->second;
}

} // namespace atsan
