//===- DebugLocations.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/base/DebugLocations.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace atsan {

/// Calls Do with what uses the value of a load, or with what makes the value of
/// a store.
template <class Action>
static void forEachNext(const Instruction &I, bool IsLoad, const Action &Do) {
  const auto Look = [&](const Value *V) {
    if (const auto *Next = dyn_cast<Instruction>(V))
      Do(*Next);
  };
  if (IsLoad)
    for (const User *U : I.users())
      Look(U);
  else if (const auto *Store = dyn_cast<StoreInst>(&I))
    Look(Store->getValueOperand());
  else
    for (const Value *V : I.operands())
      Look(V);
}

/// The first line that has to do with the value of a load or store.
static DebugLoc firstLine(const Instruction &I) {
  constexpr unsigned Most = 32; // Instructions that are looked at.
  const bool IsLoad = !isa<StoreInst>(I);
  SmallSetVector<const Instruction *, 8> Seen;
  Seen.insert(&I);
  DebugLoc First;
  for (unsigned At = 0; At != Seen.size() && At != Most; ++At)
    forEachNext(*Seen[At], IsLoad, [&](const Instruction &Next) {
      const DebugLoc &Loc = Next.getDebugLoc();
      if (!Loc || !Loc.getLine())
        Seen.insert(&Next);
      else if (!First || Loc.getLine() < First.getLine())
        First = Loc;
    });
  return First;
}

DebugLoc locationOf(const Instruction &I, DebugLoc Otherwise) {
  const DebugLoc &Own = I.getDebugLoc();
  if (Own && Own.getLine())
    return Own;
  if (DebugLoc First = firstLine(I))
    return First;
  return Own ? Own : Otherwise;
}

} // namespace atsan
