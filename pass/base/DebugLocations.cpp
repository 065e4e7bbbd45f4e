//===- DebugLocations.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/base/DebugLocations.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace atsan {

DebugLoc locationOf(const Instruction &I, DebugLoc Otherwise) {
  if (I.getDebugLoc())
    return I.getDebugLoc();
  constexpr unsigned Most = 32; // Values that are looked at.
  SmallSetVector<const Instruction *, 8> Values;
  Values.insert(&I);
  DebugLoc First;
  for (unsigned Next = 0; Next != Values.size() && Next != Most; ++Next)
    for (const User *U : Values[Next]->users()) {
      const auto *By = dyn_cast<Instruction>(U);
      if (!By)
        continue;
      const DebugLoc &Loc = By->getDebugLoc();
      if (!Loc || !Loc.getLine())
        Values.insert(By);
      else if (!First || Loc.getLine() < First.getLine())
        First = Loc;
    }
  return First ? First : Otherwise;
}

} // namespace atsan
