//===- ValueFlow.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk from a load along all ways of the function. It starts by taking every
// dependent value for one that depends on this execution of the load for
// certain, and drops those that some way contradicts, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "pass/reads/ValueFlow.h"

#include "llvm/IR/CFG.h"

using namespace llvm;

namespace atsan {

Effect ValueFlow::effectOf(const Use &U) const {
  return Loaded.looksAt(U, Part) ? atsan::effectOf(U, TLI) : Effect::None;
}

ValueFlow::Values ValueFlow::dependents(Instruction &From) const {
  Values Found;
  Found.insert(&From);
  for (size_t I = 0; I != Found.size(); ++I)
    for (const Use &U : Found[I]->uses())
      if (effectOf(U) == Effect::PassedOn)
        Found.insert(cast<Instruction>(U.getUser()));
  return Found;
}

/// The blocks that control can get to from behind the instruction, without
/// passing through the block given as the border.
static SmallPtrSet<const BasicBlock *, 16>
blocksBehind(const Instruction &I, const BasicBlock *Border) {
  SmallPtrSet<const BasicBlock *, 16> Found;
  SmallVector<const BasicBlock *, 16> Work(successors(I.getParent()));
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (BB != Border && Found.insert(BB).second)
      append_range(Work, successors(BB));
  }
  return Found;
}

bool ValueFlow::isReachedFrom(const Use &U, const Instruction &I) const {
  auto *User = cast<Instruction>(U.getUser());
  // The operand of a phi is used on the way to it.
  const bool IsPhi = isa<PHINode>(User);
  if (IsPhi)
    User = cast<PHINode>(User)->getIncomingBlock(U)->getTerminator();
  const BasicBlock *BB = User->getParent();
  if (BB == I.getParent() && (I.comesBefore(User) || (IsPhi && User == &I)))
    return true;
  auto *Value = cast<Instruction>(U.get());
  return blocksBehind(I, Value->getParent()).contains(BB);
}

bool ValueFlow::isReachedFrom(const Instruction &To, const Instruction &From,
                              const Instruction *Value) const {
  return (To.getParent() == From.getParent() && From.comesBefore(&To)) ||
         blocksBehind(From, Value ? Value->getParent() : nullptr)
             .contains(To.getParent());
}

bool ValueFlow::isLiveAcross(const Instruction &Value,
                             const Instruction &I) const {
  return DT.dominates(&Value, &I) && any_of(Value.uses(), [&](const Use &U) {
           return effectOf(U) != Effect::None && isReachedFrom(U, I);
         });
}

/// True if the value may be that of an earlier execution of From: it was
/// computed before, and there is a way on which it is not computed again.
bool ValueFlow::isOutdated(const Instruction &Value, const Instruction &From,
                           const Instruction &At) const {
  if (&Value == &From)
    return false;
  // Phis of a block are computed at the same time.
  const bool IsBefore = Value.getParent() == From.getParent()
                            ? isa<PHINode>(Value) || Value.comesBefore(&From)
                            : DT.dominates(&Value, &From);
  if (!IsBefore)
    return false;
  if (At.getParent() == From.getParent() && From.comesBefore(&At))
    return true;
  return blocksBehind(From, Value.getParent()).contains(At.getParent());
}

/// True if the instruction makes something of a value that matters. What the
/// load itself makes of it, its address, is forgotten with the next execution.
bool ValueFlow::isUsedUp(const Instruction &From, const Values &Certain,
                         const Instruction &I) const {
  return any_of(I.operands(), [&](const Use &U) {
    auto *Operand = dyn_cast<Instruction>(U.get());
    return Operand && Certain.contains(Operand) &&
           (certainEffectOf(U) == Effect::Matters || &I == &Load) &&
           !isOutdated(*Operand, From, I);
  });
}

void ValueFlow::keepCertain(Values &Candidates, const Instruction &From,
                            const Edges &Taken) const {
  auto IsCertain = [&](const Use &U, const Instruction &At) {
    auto *I = dyn_cast<Instruction>(U.get());
    return I && Candidates.contains(I) && certainEffectOf(U) != Effect::None &&
           !isOutdated(*I, From, At);
  };
  auto Holds = [&](const Instruction &I) {
    if (&I == &From)
      return true;
    if (auto *Phi = dyn_cast<PHINode>(&I))
      return all_of(Phi->incoming_values(), [&](const Use &U) {
        const BasicBlock *Pred = Phi->getIncomingBlock(U);
        return !Taken.contains({Pred, Phi->getParent()}) ||
               IsCertain(U, *Pred->getTerminator());
      });
    auto IsCertainHere = [&](const Use &U) { return IsCertain(U, I); };
    if (isa<SelectInst>(I))
      return IsCertainHere(I.getOperandUse(0)) ||
             (IsCertainHere(I.getOperandUse(1)) &&
              IsCertainHere(I.getOperandUse(2)));
    return absorbingValue(I) ? all_of(I.operands(), IsCertainHere)
                             : any_of(I.operands(), IsCertainHere);
  };
  while (Candidates.remove_if([&](Instruction *I) { return !Holds(*I); })) {
  }
}

/// True if the value is chosen, or used otherwise, on all ways behind the
/// instruction: by a select only if that depends on the load for certain.
bool ValueFlow::isChosenFrom(const Instruction &Value, const Instruction &From,
                             const Values &Certain, Chosen &Known) const {
  constexpr size_t kMostValues = 64;
  auto IsChosenBy = [&](const Instruction &User) {
    if ((isa<SelectInst>(User) || absorbingValue(User)) &&
        !Certain.contains(const_cast<Instruction *>(&User)))
      return false;
    // A way that goes round for ever is none.
    if (auto [It, IsNew] = Known.try_emplace(&User, true); !IsNew)
      return It->second;
    const Instruction &Last =
        isa<PHINode>(User) ? *std::prev(User.getParent()->getFirstNonPHIIt())
                           : User;
    bool Result =
        Known.size() < kMostValues && isChosenFrom(User, Last, Certain, Known);
    return Known[&User] = Result;
  };
  auto IsUsedBy = [&](const Instruction &I) {
    return any_of(I.operands(), [&](const Use &U) {
      if (U.get() != &Value)
        return false;
      const Effect E = certainEffectOf(U);
      return E == Effect::PassedOn ? IsChosenBy(I) : E != Effect::None;
    });
  };
  SmallPtrSet<const BasicBlock *, 16> Visited;
  SmallVector<std::pair<const BasicBlock *, BasicBlock::const_iterator>, 16>
      Work;
  Work.push_back({From.getParent(), std::next(From.getIterator())});
  while (!Work.empty()) {
    const BasicBlock *BB = Work.back().first;
    BasicBlock::const_iterator It = Work.pop_back_val().second;
    while (It != BB->end() && !IsUsedBy(*It))
      ++It;
    if (It != BB->end() || isa<UnreachableInst>(BB->getTerminator()))
      continue;
    if (succ_empty(BB))
      return false;
    for (const BasicBlock *Next : successors(BB)) {
      bool IsUsed = any_of(Next->phis(), [&](const PHINode &Phi) {
        const Use &U = Phi.getOperandUse(Phi.getBasicBlockIndex(BB));
        return U.get() == &Value && certainEffectOf(U) != Effect::None &&
               IsChosenBy(Phi);
      });
      if (IsUsed)
        continue;
      // The value is computed anew there.
      if (Next == Value.getParent())
        return false;
      if (Visited.insert(Next).second)
        Work.push_back({Next, Next->getFirstNonPHIIt()});
    }
  }
  return true;
}

static void addEdgesBehind(const Instruction &I, ValueFlow::Edges &To) {
  SmallVector<const BasicBlock *, 16> Work = {I.getParent()};
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    for (const BasicBlock *Next : successors(BB))
      if (To.insert({BB, Next}).second)
        Work.push_back(Next);
  }
}

/// True if one of the values is used up, or kept, on every way. Adds the edges
/// of the ways.
bool ValueFlow::walk(const Instruction &From, const Values &Certain,
                     Edges &Taken) const {
  SmallPtrSet<const BasicBlock *, 16> Visited;
  SmallVector<BasicBlock::const_iterator, 16> Work;
  Work.push_back(std::next(From.getIterator()));
  auto IsKept = [&](const Instruction &I) {
    return any_of(Certain, [&](const Instruction *Value) {
      Chosen Known;
      return !isOutdated(*Value, From, I) && DT.dominates(Value, &I) &&
             isChosenFrom(*Value, I, Certain, Known);
    });
  };
  while (!Work.empty()) {
    BasicBlock::const_iterator It = Work.pop_back_val();
    const BasicBlock *BB = It->getParent();
    for (; It != BB->end(); ++It) {
      if (isUsedUp(From, Certain, *It))
        break;
      // The next execution forgets this one.
      if (&*It != &Load && &*It != &From && !isBarrier(*It))
        continue;
      if (!IsKept(*It))
        return false;
      // A choice behind this depends on all ways from there.
      addEdgesBehind(*It, Taken);
      break;
    }
    if (It != BB->end() || isa<UnreachableInst>(BB->getTerminator()))
      continue;
    if (succ_empty(BB))
      return false;
    for (const BasicBlock *Next : successors(BB)) {
      Taken.insert({BB, Next});
      // The values of phis are chosen on the way to their block.
      if (isa<PHINode>(From) && Next == From.getParent()) {
        if (!IsKept(*BB->getTerminator()))
          return false;
      } else if (Visited.insert(Next).second)
        Work.push_back(Next->begin());
    }
  }
  return true;
}

bool ValueFlow::surelyMatters(Instruction &From) const {
  Values Certain = dependents(From);
  while (true) {
    Edges Taken;
    if (!walk(From, Certain, Taken))
      return false;
    size_t Before = Certain.size();
    keepCertain(Certain, From, Taken);
    if (Certain.size() == Before)
      return true;
  }
}

} // namespace atsan
