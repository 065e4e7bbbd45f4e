//===- DueRead.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable tells whether the read is due: from the load on, until it was told
// or control came to a barrier. Beside each value that may depend on the load
// stands whether it does: where control comes together (phi) and at a select,
// that depends on what was chosen. Variables are allocas first, and are then
// promoted to registers. A vector has a truth value for each lane.
//
//===----------------------------------------------------------------------===//

#include "pass/reads/DueRead.h"

#include "pass/reads/ChosenBehind.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace atsan {

DueRead::DueRead(Instruction &Load, const UnknownLoads &Loads,
                 const LoadedBytes &Loaded, const Bytes &Part, AAResults &AA,
                 DominatorTree &DT, LoopInfo &Loops,
                 const TargetLibraryInfo &TLI)
    : Load(Load), Loaded(Loaded), Part(Part),
      Flow(Load, Loaded, Part, Loads, AA, DT, TLI), AA(AA), DT(DT),
      Loops(Loops), Pairs(Loaded.lanes(), Loaded.lanesOf(Part)),
      Inserter([this](Instruction *I) {
        markAsOurs(*I);
        Made.push_back(I);
      }) {
  Type *Ty = Pairs.typeOfLoad(Load.getContext());
  Yes = Constant::getAllOnesValue(Ty);
  No = Constant::getNullValue(Ty);
}

void DueRead::addTo(Instruction &At, Instruction &Value, Place::Kind Why) {
  auto *P = find_if(Places, [&](const Place &P) { return P.At == &At; });
  if (P == Places.end()) {
    Places.push_back({&At, {}});
    P = &Places.back();
  }
  for (Place::Reason &R : P->Reasons)
    if (R.Value == &Value) {
      R.Why = std::max(R.Why, Why);
      return;
    }
  P->Reasons.push_back({&Value, Why});
}

/// A value that a loop begins with, and that matters there, is told before the
/// loop, if what later rounds have depends on the load by this value alone: a
/// loop in which nothing is told now and then can be told as a whole.
bool DueRead::tellBeforeLoop(PHINode &V) {
  Loop *L = Loops.getLoopFor(V.getParent());
  if (!L || L->getHeader() != V.getParent() || !L->getLoopPredecessor())
    return false;
  for (unsigned I = 0; I != V.getNumIncomingValues(); ++I) {
    auto *Again = dyn_cast<Instruction>(V.getIncomingValue(I));
    if (L->contains(V.getIncomingBlock(I)) && Again && Again != &V &&
        Dependent.contains(Again))
      return false;
  }
  BasicBlock *Entry = L->getLoopPreheader();
  if (!Entry)
    Entry = InsertPreheaderForLoop(L, &DT, &Loops, /*MSSAU=*/nullptr,
                                   /*PreserveLCSSA=*/false);
  if (!Entry)
    return false;
  auto *First = dyn_cast<Instruction>(V.getIncomingValueForBlock(Entry));
  if (First && Dependent.contains(First))
    addTo(*Entry->getTerminator(), *First, Place::Used);
  return true;
}

/// Finds the places where the read is told: where values come together and the
/// outcome matters on all ways from there, it is followed no further.
void DueRead::findPlaces() {
  SmallVector<PHINode *, 4> Phis;
  Dependent.insert(&Load);
  for (size_t I = 0; I != Dependent.size(); ++I) {
    Instruction &V = *Dependent[I];
    bool IsChoice = isa<PHINode, SelectInst>(V) || absorbingValue(V);
    if (IsChoice && Flow.surelyMatters(V)) {
      if (auto *Phi = dyn_cast<PHINode>(&V))
        Phis.push_back(Phi);
      else
        addTo(*V.getNextNode(), V, Place::Used);
      continue;
    }
    for (const Use &U : V.uses()) {
      auto *User = cast<Instruction>(U.getUser());
      Effect E = Flow.effectOf(U);
      // The next execution of the load forgets this one.
      if (User == &Load)
        addTo(Load, V, Place::Used);
      else if (E == Effect::PassedOn)
        Dependent.insert(User);
      else if (E != Effect::None)
        addTo(*User, V, E == Effect::Masked ? Place::Masked : Place::Used);
    }
  }
  for (PHINode *Phi : Phis)
    if (!tellBeforeLoop(*Phi))
      addTo(*Phi->getParent()->getFirstNonPHIIt(), *Phi, Place::Used);
}

/// Moves a plain store behind what follows in its block and has nothing to do
/// with its memory: the optimizer may have moved it in front of loads by which
/// the source decides whether it reads what the store overwrites.
static void sink(StoreInst &Store, AAResults &AA) {
  const MemoryLocation Location = MemoryLocation::get(&Store);
  Instruction *Next = Store.getNextNode();
  auto IsPassed = [&] {
    auto *Other = dyn_cast<StoreInst>(Next);
    return !Next->isTerminator() &&
           isGuaranteedToTransferExecutionToSuccessor(Next) &&
           (!Next->mayWriteToMemory() || (Other && Other->isSimple())) &&
           !isModOrRefSet(AA.getModRefInfo(Next, Location));
  };
  while (IsPassed())
    Next = Next->getNextNode();
  Store.moveBefore(*Next->getParent(), Next->getIterator());
}

/// The first barriers on all ways from the load, the load itself among them.
/// What may matter behind them is told before them.
void DueRead::findBarriers() {
  ValueFlow::Edges Taken;
  SmallPtrSet<const BasicBlock *, 16> Visited;
  SmallVector<BasicBlock::iterator, 16> Work;
  Work.push_back(std::next(Load.getIterator()));
  while (!Work.empty()) {
    BasicBlock::iterator It = Work.pop_back_val();
    BasicBlock *BB = It->getParent();
    while (It != BB->end() && &*It != &Load && !Flow.isBarrier(*It))
      ++It;
    if (It != BB->end()) {
      auto *Store = dyn_cast<StoreInst>(It);
      if (Store && Store->isSimple())
        sink(*Store, AA);
      if (!is_contained(Barriers, &*It))
        Barriers.push_back(&*It);
      continue;
    }
    for (BasicBlock *Next : successors(BB)) {
      Taken.insert({BB, Next});
      if (Visited.insert(Next).second)
        Work.push_back(Next->begin());
    }
  }
  Certain = Dependent;
  Flow.keepCertain(Certain, Load, Taken);
  for (Instruction *Barrier : Barriers)
    for (Instruction *V : Dependent)
      if (Flow.isLiveAcross(*V, *Barrier))
        addTo(*Barrier, *V, Place::Kept);
}

AllocaInst *DueRead::makeVariable(Type *Ty) {
  BasicBlock &Entry = Load.getFunction()->getEntryBlock();
  auto *Variable = new AllocaInst(Ty, 0, "", Entry.begin());
  new StoreInst(Constant::getNullValue(Ty), Variable,
                std::next(Variable->getIterator()));
  Variables.push_back(Variable);
  return Variable;
}

StoreInst *DueRead::set(AllocaInst *Variable, Value *To, Instruction &Before) {
  return new StoreInst(To, Variable, Before.getIterator());
}

/// A read that was told is not due any more.
void DueRead::computeAt(const Place &P) {
  Value *Depends = No;
  for (const auto &[V, Why] : P.Reasons) {
    Value *Truth = dependenceAt(V, By::Any, *P.At);
    Builder IRB(*this, *P.At);
    if (Why == Place::Masked)
      Truth = IRB.CreateAnd(Truth, Pairs.ofValue(IRB, maskOf(*P.At), *V));
    if (Why == Place::Kept)
      Truth = IRB.CreateAnd(
          Truth,
          Pairs.ofValue(IRB, ChosenBehind(IRB, *P.At, *V, Flow, DT).get(), *V));
    Depends = IRB.CreateOr(Depends, Pairs.ofLoad(IRB, Truth, *V));
  }
  Builder IRB(*this, *P.At);
  Value *IsDue = IRB.CreateLoad(Yes->getType(), Due);
  Value *IsTold = IRB.CreateAnd(IsDue, Depends);
  IRB.CreateStore(IRB.CreateAnd(IsDue, IRB.CreateNot(Depends)), Due);
  Value *Pointer = getLoadStorePointerOperand(&Load);
  if (Pointer && isa<Instruction>(Pointer) && !DT.dominates(&Load, P.At))
    Pointer = IRB.CreateLoad(Pointer->getType(), Address);
  Results.push_back({P.At, IsTold, Pointer});
}

/// Folds what promotion made constant.
void DueRead::simplify() {
  const SimplifyQuery Query(Load.getModule()->getDataLayout());
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (WeakVH &Handle : Made) {
      auto *I = cast_or_null<Instruction>(Handle);
      Value *Simple = I && !I->mayReadOrWriteMemory()
                          ? simplifyInstruction(I, Query)
                          : nullptr;
      if (!Simple || Simple == I)
        continue;
      I->replaceAllUsesWith(Simple);
      I->eraseFromParent();
      Changed = true;
    }
  }
}

/// Neighbouring bytes are one event.
void DueRead::addEvents(Instruction &At, Value *IsTold, Value *Pointer,
                        const Event &OfLoad, AddEvent Add) {
  Event E = OfLoad;
  E.At = &At;
  E.From = &Load;
  if (Pointer)
    E.Ptr = Pointer;
  else if (IsTold == Yes && !Loaded.isByLane())
    return Add(At, E);
  if ((IsTold != Yes || !Pointer) && Loaded.isByLane() &&
      (OfLoad.Mask || IsTold->getType()->isVectorTy())) {
    if (Pointer) {
      E.Shape = Footprint::Lanes;
      E.Lanes = Loaded.lanes().count();
      E.Size = OfLoad.Size / E.Lanes;
    }
    Builder IRB(*this, At);
    E.Mask = Pairs.ofAllLanes(IRB, IsTold);
    if (OfLoad.Mask)
      E.Mask = IRB.CreateAnd(E.Mask, OfLoad.Mask);
    return Add(At, E);
  }
  if (IsTold != Yes) {
    Builder IRB(*this, At);
    E.Count = IRB.CreateZExt(IsTold, IRB.getInt64Ty());
  }
  uint64_t End = OfLoad.Offset + OfLoad.Size;
  for (uint64_t Byte = OfLoad.Offset; Byte != End;) {
    uint64_t First = Byte;
    while (Byte != End && Part.test(Byte))
      ++Byte;
    E.Offset = First;
    E.Size = Byte - First;
    E.Alignment = commonAlignment(OfLoad.Alignment, First - OfLoad.Offset);
    if (E.Size)
      Add(At, E);
    else
      ++Byte;
  }
}

void DueRead::tellAtOnce(ArrayRef<Event> OfLoad, AddEvent Add) {
  for (const Event &E : OfLoad)
    addEvents(Load, Yes, getLoadStorePointerOperand(&Load), E, Add);
}

void DueRead::putOff(ArrayRef<Event> OfLoad, AddEvent Add) {
  Value *Pointer = getLoadStorePointerOperand(&Load);
  findPlaces();
  findBarriers();
  // The operands of an intrinsic are not carried along. What is known of later
  // choices where it stands counts there.
  const bool ByLane = Loaded.isByLane();
  if (!Pointer && (!ByLane || any_of(Places, [&](const Place &P) {
        return !DT.dominates(&Load, P.At);
      }))) {
    Instruction &Next = *Load.getNextNode();
    Builder IRB(*this, Next);
    Value *IsChosen =
        ByLane ? Pairs.ofValue(
                     IRB, ChosenBehind(IRB, Load, Load, Flow, DT).get(), Load)
               : Yes;
    WeakTrackingVH IsTold = IsChosen;
    simplify();
    for (const Event &E : OfLoad)
      addEvents(Next, IsTold, Pointer, E, Add);
    return;
  }
  Due = makeVariable(Yes->getType());
  if (Pointer)
    Address = makeVariable(Pointer->getType());
  for (const Place &P : Places)
    computeAt(P);
  for (Instruction *Barrier : Barriers)
    set(Due, No, *Barrier);
  // Set behind the load, and behind what was inserted for values before it.
  set(Due, Yes, *Load.getNextNode());
  if (Pointer)
    set(Address, Pointer, *Load.getNextNode());
  PromoteMemToReg(Variables, DT);
  simplify();
  for (const Result &R : Results)
    if (R.IsTold != No)
      for (const Event &E : OfLoad)
        addEvents(*R.At, R.IsTold, R.Pointer, E, Add);
}

} // namespace atsan
