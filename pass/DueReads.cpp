//===- DueReads.cpp ------------------------------------------------------===//
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

#include "DueReads.h"

#include "EarlyConditions.h"
#include "Statistics.h"
#include "UnknownLoads.h"
#include "ValueFlow.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace atsan {

/// A masked load that becomes a plain one keeps the mark of a masked one.
static const char *sourceMarkOf(const Instruction &I) {
  return isa<LoadInst>(I) ? "atsan.source" : "atsan.source.masked";
}

/// A load, or a vector access that reads and whose lanes have a mask.
static bool isRead(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return maskOf(I) && I.getType()->isVectorTy();
}

void markSourceLoads(Function &F) {
  MDNode *Mark = MDNode::get(F.getContext(), {});
  for (Instruction &I : instructions(F))
    if (isRead(I))
      I.setMetadata(sourceMarkOf(I), Mark);
}

namespace {

/// Where a due read is told if one of the values depends on it.
struct Place {
  enum Kind {
    Kept,   // It is kept for what comes behind.
    Masked, // It matters there, as far as the instruction's mask says.
    Used    // It matters there.
  };
  struct Reason {
    Instruction *Value;
    Kind Why;
  };
  Instruction *At;
  SmallVector<Reason, 2> Reasons;
};

/// Finds the places for a part of one load, and computes there whether it is
/// due.
class DueRead {
public:
  using AddEvent = function_ref<void(Instruction &At, const Event &)>;

  DueRead(Instruction &Load, const UnknownLoads &Loads,
          const LoadedBytes &Loaded, const Bytes &Part, AAResults &AA,
          DominatorTree &DT, const TargetLibraryInfo &TLI);

  bool isToldAtOnce() const { return Flow.surelyMatters(Load); }

  /// Hand over what is to be told, and at which instruction: changed copies of
  /// the load's own events.
  void tellAtOnce(ArrayRef<Event> OfLoad, AddEvent Add);
  void putOff(ArrayRef<Event> OfLoad, AddEvent Add);

private:
  void findPlaces();
  void findBarriers();
  void addTo(Instruction &At, Instruction &Value, Place::Kind Why);
  AllocaInst *makeVariable(Type *Ty);
  StoreInst *set(AllocaInst *Variable, Value *To, Instruction &Before);
  void computeAt(const Place &P);
  /// How far a value is followed to what chooses it, behind a barrier.
  static constexpr unsigned kMaxUses = 4, kMostUses = 64;
  unsigned UsesSeen = 0;
  Value *chosenBehind(IRBuilderBase &IRB, const Instruction &V,
                      const Instruction &At, unsigned Depth);
  void simplify();
  void addEvents(Instruction &At, Value *IsTold, Value *Pointer,
                 const Event &OfLoad, AddEvent Add);

  Value *dependence(Instruction &V);
  Value *dependenceOf(Instruction &V, IRBuilderBase &IRB);
  Value *dependenceAt(Value *Operand, Instruction &At);
  /// Of a value: by the load's lanes, or else by its own.
  Type *truthTypeOf(const Value &V) const {
    auto *Vector = dyn_cast<FixedVectorType>(V.getType());
    return Lanes || !Vector
               ? Yes->getType()
               : FixedVectorType::get(Yes->getType(), Vector->getNumElements());
  }
  Value *fit(IRBuilderBase &IRB, Value *Truth, Type *To) const {
    if (Truth->getType() == To)
      return Truth;
    if (Truth->getType()->isVectorTy())
      Truth = IRB.CreateOrReduce(Truth);
    auto *Vector = dyn_cast<FixedVectorType>(To);
    return Vector ? IRB.CreateVectorSplat(Vector->getNumElements(), Truth)
                  : Truth;
  }
  Value *ofLoad(IRBuilderBase &IRB, Value *Truth, const Value &V, Type *To);

  Instruction &Load;
  const UnknownLoads &Loads;
  const LoadedBytes &Loaded;
  const Bytes &Part;
  ValueFlow Flow;
  DominatorTree &DT;
  unsigned Lanes = 0; // Of a vector that is told by lane.
  Constant *Yes, *No;

  /// Values that may depend on the load, and those of them that do for certain.
  ValueFlow::Values Dependent, Certain;
  SmallVector<Place, 4> Places;
  SmallVector<Instruction *, 4> Barriers;

  AllocaInst *Due = nullptr, *Address = nullptr;
  SmallVector<AllocaInst *, 4> Variables;
  DenseMap<Instruction *, Value *> Truths;
  DenseMap<Instruction *, AllocaInst *> TruthVariables;
  struct Result {
    Instruction *At;
    WeakTrackingVH IsTold, Pointer;
  };
  SmallVector<Result, 4> Results;
  SmallVector<WeakVH, 16> Made;
  IRBuilderCallbackInserter Inserter;
  /// Inserts before an instruction, and keeps note of what it inserted.
  struct Builder : IRBuilder<ConstantFolder, IRBuilderCallbackInserter> {
    Builder(DueRead &Owner, Instruction &Before)
        : IRBuilder(Before.getContext(), ConstantFolder(), Owner.Inserter) {
      SetInsertPoint(&Before);
    }
  };
};

DueRead::DueRead(Instruction &Load, const UnknownLoads &Loads,
                 const LoadedBytes &Loaded, const Bytes &Part, AAResults &AA,
                 DominatorTree &DT, const TargetLibraryInfo &TLI)
    : Load(Load), Loads(Loads), Loaded(Loaded), Part(Part),
      Flow(Load, Loaded, Part, AA, DT, TLI), DT(DT),
      Inserter([this](Instruction *I) { Made.push_back(I); }) {
  if (Loaded.lanes())
    Lanes = cast<FixedVectorType>(Load.getType())->getNumElements();
  Type *Ty = Type::getInt1Ty(Load.getContext());
  if (Lanes)
    Ty = FixedVectorType::get(Ty, Lanes);
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

/// Where values come together and the outcome matters on all ways from there,
/// the read is told there, and followed no further.
void DueRead::findPlaces() {
  Dependent.insert(&Load);
  for (size_t I = 0; I != Dependent.size(); ++I) {
    Instruction &V = *Dependent[I];
    bool IsChoice = isa<PHINode, SelectInst>(V) || isLogical(V);
    if (IsChoice && Flow.surelyMatters(V)) {
      BasicBlock *BB = V.getParent();
      addTo(isa<PHINode>(V) ? *BB->getFirstNonPHI() : *V.getNextNode(), V,
            Place::Used);
      continue;
    }
    for (const Use &U : V.uses()) {
      auto *User = cast<Instruction>(U.getUser());
      Effect E = Flow.effectOf(U);
      // From where the next execution loads: it forgets this one.
      if (User == &Load)
        addTo(Load, V, Place::Used);
      else if (E == Effect::PassedOn)
        Dependent.insert(User);
      else if (E != Effect::None)
        addTo(*User, V, E == Effect::Masked ? Place::Masked : Place::Used);
    }
  }
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
  Flow.keepCertain(Certain, {Load, std::next(Load.getIterator())}, Taken);
  for (Instruction *Barrier : Barriers)
    for (Instruction *V : Dependent)
      if (Flow.isLiveAcross(*V, *Barrier))
        addTo(*Barrier, *V, Place::Kept);
}

AllocaInst *DueRead::makeVariable(Type *Ty) {
  BasicBlock &Entry = Load.getFunction()->getEntryBlock();
  auto *Variable = new AllocaInst(Ty, 0, "", Entry.begin());
  new StoreInst(Constant::getNullValue(Ty), Variable, Variable->getNextNode());
  Variables.push_back(Variable);
  return Variable;
}

StoreInst *DueRead::set(AllocaInst *Variable, Value *To, Instruction &Before) {
  return new StoreInst(To, Variable, &Before);
}

/// Whether a value depends on the load, computed behind the value.
Value *DueRead::dependence(Instruction &V) {
  if (&V == &Load)
    return Constant::getAllOnesValue(truthTypeOf(V));
  // Of a vector that a scalar went into, lanes are looked at.
  if (Certain.contains(&V) && truthTypeOf(V) == Yes->getType())
    return Yes;
  if (Value *Known = Truths.lookup(&V))
    return Known;
  if (auto *Phi = dyn_cast<PHINode>(&V)) {
    PHINode *Truth = Builder(*this, *Phi)
                         .CreatePHI(truthTypeOf(V), Phi->getNumIncomingValues(),
                                    "atsan.depends");
    Truths[&V] = Truth;
    for (unsigned I = 0; I != Phi->getNumIncomingValues(); ++I) {
      BasicBlock *Pred = Phi->getIncomingBlock(I);
      // A block may come twice, with the same value.
      int Before = Truth->getBasicBlockIndex(Pred);
      Truth->addIncoming(Before >= 0 ? Truth->getIncomingValue(Before)
                                     : dependenceAt(Phi->getIncomingValue(I),
                                                    *Pred->getTerminator()),
                         Pred);
    }
    return Truth;
  }
  Builder IRB(*this, *V.getNextNode());
  Value *Truth = dependenceOf(V, IRB);
  Truths[&V] = Truth;
  return Truth;
}

/// For each lane of the result, whether one of the given lanes is true.
static Value *gather(IRBuilderBase &IRB, Value *Truth,
                     ArrayRef<SmallVector<int, 2>> Lanes) {
  auto *Vector = dyn_cast<FixedVectorType>(Truth->getType());
  if (!Vector)
    Truth = IRB.CreateVectorSplat(1, Truth);
  const int Count = Vector ? Vector->getNumElements() : 1;
  Value *None = Constant::getNullValue(Truth->getType()), *Result = nullptr;
  size_t Most = 1;
  for (const auto &From : Lanes)
    Most = std::max(Most, From.size());
  for (size_t I = 0; I != Most; ++I) {
    SmallVector<int, 16> Mask;
    for (const auto &From : Lanes)
      Mask.push_back(I < From.size() ? From[I] : Count);
    bool IsSame = int(Mask.size()) == Count &&
                  ShuffleVectorInst::isIdentityMask(Mask, Count);
    Value *More = IsSame ? Truth : IRB.CreateShuffleVector(Truth, None, Mask);
    Result = Result ? IRB.CreateOr(Result, More) : More;
  }
  return Result;
}

/// What holds for each lane of a dependent value, for the load's lanes in it.
Value *DueRead::ofLoad(IRBuilderBase &IRB, Value *Truth, const Value &V,
                       Type *To) {
  auto *Vector = dyn_cast<FixedVectorType>(Truth->getType());
  if (!Lanes || !Vector)
    return fit(IRB, Truth, To);
  auto It = Loaded.lanes()->values().find(&V);
  if (It == Loaded.lanes()->values().end() ||
      It->second.size() != Vector->getNumElements())
    return fit(IRB, Truth, To);
  SmallVector<SmallVector<int, 2>> From(Lanes);
  for (const auto &[Lane, OfLoad] : enumerate(It->second))
    for (unsigned Loaded : OfLoad.set_bits())
      From[Loaded].push_back(Lane);
  return gather(IRB, Truth, From);
}

/// What holds for each lane of the user, for the lanes of the value it takes.
static Value *ofOperand(IRBuilderBase &IRB, Value *Truth, const Use &U) {
  auto *Vector = dyn_cast<FixedVectorType>(U->getType());
  if (!Vector && !Truth->getType()->isVectorTy())
    return Truth;
  SmallVector<SmallVector<int, 2>> From(Vector ? Vector->getNumElements() : 1);
  forEachTaken(U,
               [&](unsigned Lane, unsigned To) { From[Lane].push_back(To); });
  Value *Result = gather(IRB, Truth, From);
  return Vector ? Result : IRB.CreateExtractElement(Result, uint64_t(0));
}

Value *DueRead::dependenceOf(Instruction &V, IRBuilderBase &IRB) {
  Type *Ty = truthTypeOf(V);
  auto Of = [&](Value *Operand) { return dependenceAt(Operand, V); };
  if (auto *Select = dyn_cast<SelectInst>(&V)) {
    Value *Chosen = Select->getCondition();
    Value *True = Select->getTrueValue(), *False = Select->getFalseValue();
    Value *IsTrue = ofLoad(IRB, Chosen, *True, Ty);
    Value *IsFalse = ofLoad(IRB, IRB.CreateNot(Chosen), *False, Ty);
    Value *Either = IRB.CreateOr(IRB.CreateAnd(Of(True), IsTrue),
                                 IRB.CreateAnd(Of(False), IsFalse));
    return IRB.CreateOr(fit(IRB, Of(Chosen), Ty), Either);
  }
  Value *A = V.getOperand(0);
  if (isLogical(V)) {
    // One operand counts if the other does not decide alone.
    Value *B = V.getOperand(1);
    auto IfOpen = [&](Value *Operand, Value *Other) {
      Value *Truth = fit(IRB, Of(Operand), Ty);
      if (!Loads.isKnownBefore(*Other, Load))
        return Truth;
      bool IsAnd = V.getOpcode() == Instruction::And;
      Value *Open = IsAnd ? Other : IRB.CreateNot(Other);
      return IRB.CreateAnd(Truth, ofLoad(IRB, Open, *Operand, Ty));
    };
    return IRB.CreateOr(IfOpen(A, B), IfOpen(B, A));
  }
  if (!Lanes) {
    if (auto *Insert = dyn_cast<InsertElementInst>(&V))
      return IRB.CreateInsertElement(Of(A), Of(V.getOperand(1)),
                                     Insert->getOperand(2));
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&V))
      return IRB.CreateShuffleVector(Of(A), Of(V.getOperand(1)),
                                     Shuffle->getShuffleMask());
    if (isa<ExtractElementInst>(V))
      return IRB.CreateExtractElement(Of(A), V.getOperand(1));
  }
  Value *Any = Constant::getNullValue(Ty);
  for (const Use &U : V.operands())
    if (Flow.effectOf(U) != Effect::None)
      Any = IRB.CreateOr(Any, fit(IRB, Of(U.get()), Ty));
  return Any;
}

/// A value that was computed before the load is executed again depends on an
/// earlier execution: it does not count until it is computed anew.
Value *DueRead::dependenceAt(Value *Operand, Instruction &At) {
  auto *V = dyn_cast<Instruction>(Operand);
  if (!V || !Dependent.contains(V))
    return Constant::getNullValue(truthTypeOf(*Operand));
  Type *Ty = truthTypeOf(*V);
  if (!DT.dominates(V, &Load))
    return dependence(*V);
  AllocaInst *Variable = TruthVariables.lookup(V);
  if (!Variable) {
    Variable = makeVariable(Ty);
    TruthVariables[V] = Variable;
    set(Variable, Constant::getNullValue(Ty), *Load.getNextNode());
    Value *Truth = dependence(*V);
    auto *Last = dyn_cast<Instruction>(Truth);
    if (!Last || Last->getParent() != V->getParent() || Last->comesBefore(V))
      Last = V;
    set(Variable, Truth,
        isa<PHINode>(Last) ? *Last->getParent()->getFirstNonPHI()
                           : *Last->getNextNode());
  }
  return Builder(*this, At).CreateLoad(Ty, Variable);
}

/// Whether a value that is kept over a barrier will be chosen, for each of its
/// lanes: the optimizer may have moved a select, for which the source read,
/// behind it, and what is computed from the value before the select.
Value *DueRead::chosenBehind(IRBuilderBase &IRB, const Instruction &V,
                             const Instruction &At, unsigned Depth) {
  Type *Ty = CmpInst::makeCmpResultType(V.getType());
  Value *IsChosen = Constant::getNullValue(Ty);
  for (const Use &U : V.uses()) {
    Effect E = Flow.effectOf(U);
    if (E == Effect::None || (Depth == kMaxUses && !Flow.isReachedFrom(U, At)))
      continue;
    auto *User = cast<Instruction>(U.getUser());
    if (E != Effect::PassedOn || isa<PHINode>(User) || Depth == 0 ||
        User->getType()->isAggregateType() || ++UsesSeen > kMostUses)
      return Constant::getAllOnesValue(Ty);
    // Gathering lanes takes many steps, and cannot be endless.
    const bool IsMoved = isa<InsertElementInst, ShuffleVectorInst>(User);
    Value *Behind = chosenBehind(IRB, *User, At, IsMoved ? Depth : Depth - 1);
    auto *Select = dyn_cast<SelectInst>(User);
    if (Select && U.getOperandNo() != 0) {
      const bool IfTrue = U.getOperandNo() == 1;
      Value *If = EarlyConditions(IRB, At, Flow, DT)
                      .get(Select->getCondition(), *User, IfTrue);
      If = fit(IRB, IfTrue ? If : IRB.CreateNot(If), Behind->getType());
      Behind = IRB.CreateAnd(Behind, If);
    }
    IsChosen = IRB.CreateOr(IsChosen, ofOperand(IRB, Behind, U));
  }
  return IsChosen;
}

/// What was told is not due any more.
void DueRead::computeAt(const Place &P) {
  Value *Depends = No;
  for (const auto &[V, Why] : P.Reasons) {
    Value *Truth = dependenceAt(V, *P.At);
    Builder IRB(*this, *P.At);
    if (Why == Place::Masked)
      Truth = IRB.CreateAnd(Truth,
                            ofLoad(IRB, maskOf(*P.At), *V, Truth->getType()));
    UsesSeen = 0;
    if (Why == Place::Kept)
      Truth = IRB.CreateAnd(Truth,
                            ofLoad(IRB, chosenBehind(IRB, *V, *P.At, kMaxUses),
                                   *V, Truth->getType()));
    Depends = IRB.CreateOr(Depends, fit(IRB, Truth, Yes->getType()));
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
  else if (IsTold == Yes)
    return Add(At, E);
  if (IsTold != Yes && Lanes) {
    if (Pointer) {
      E.Shape = Footprint::Lanes;
      E.Lanes = Lanes;
      E.Size = OfLoad.Size / Lanes;
    }
    SmallVector<Constant *, 16> InPart;
    for (unsigned Lane = 0; Lane != Lanes; ++Lane)
      InPart.push_back(
          ConstantInt::getBool(Load.getContext(), Part.test(Lane * E.Size)));
    IRBuilder<> IRB(&At);
    E.Mask = IRB.CreateAnd(IsTold, ConstantVector::get(InPart));
    if (OfLoad.Mask)
      E.Mask = IRB.CreateAnd(E.Mask, OfLoad.Mask);
    return Add(At, E);
  }
  if (IsTold != Yes) {
    IRBuilder<> IRB(&At);
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
  if (!Pointer && (!Lanes || any_of(Places, [&](const Place &P) {
        return !DT.dominates(&Load, P.At);
      }))) {
    Instruction &Next = *Load.getNextNode();
    Builder IRB(*this, Next);
    Value *IsChosen = Lanes ? chosenBehind(IRB, Load, Load, kMaxUses) : Yes;
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
  // Behind what was inserted for values before the load.
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

} // namespace

DueReads::DueReads(Function &F, const AccessSelection &Selection, AAResults &AA,
                   const TargetLibraryInfo &TLI) {
  SmallVector<Instruction *, 16> Unknown;
  for (Instruction &I : instructions(F))
    if (isRead(I)) {
      if (!I.hasMetadata(sourceMarkOf(I)))
        Unknown.push_back(&I);
      I.setMetadata(sourceMarkOf(I), nullptr);
    }
  if (Unknown.empty())
    return;
  DominatorTree DT(F);
  AssumptionCache Assumptions(F);
  DemandedBits Demanded(F, Assumptions, DT);
  const UnknownLoads Loads(Unknown, DT);
  for (Instruction *Load : Unknown) {
    if (!DT.isReachableFromEntry(Load->getParent()) || Load->use_empty())
      continue;
    ++stats::LoadsOfTheOptimizer;
    LoadedBytes Loaded(*Load, Demanded);
    Bytes AtOnce(Loaded.size());
    SmallVector<const Bytes *, 4> Later;
    for (const Bytes &Part : Loaded.parts())
      if (DueRead(*Load, Loads, Loaded, Part, AA, DT, TLI).isToldAtOnce())
        AtOnce |= Part;
      else
        Later.push_back(&Part);
    if (AtOnce.all())
      continue;
    PutOff.insert(Load);
    SmallVector<Event, 2> OfLoad;
    Selection.describe(*Load, OfLoad);
    if (OfLoad.empty())
      continue;
    ++stats::DueReads;
    auto Add = [&](Instruction &At, const Event &E) {
      Events[&At].push_back(E);
    };
    if (AtOnce.any())
      DueRead(*Load, Loads, Loaded, AtOnce, AA, DT, TLI)
          .tellAtOnce(OfLoad, Add);
    for (const Bytes *Part : Later)
      DueRead(*Load, Loads, Loaded, *Part, AA, DT, TLI).putOff(OfLoad, Add);
  }
}

} // namespace atsan
