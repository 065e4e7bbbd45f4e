//===- ScheduledFunctions.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/schedule/ScheduledFunctions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace atsan {

namespace {

/// True for `atsan::unscheduled::f`, `atsan::detail::unscheduled::C::f() const`
/// and what is local to such functions, as the Itanium ABI has their names.
bool isUnscheduled(const Function &F) {
  StringRef Name = F.getName();
  if (!Name.consume_front("_Z"))
    return false;
  Name = Name.ltrim('Z'); // It is local to a function.
  if (!Name.consume_front("N"))
    return false;
  Name.consume_front("K"); // It is const.
  return Name.consume_front("5atsan") &&
         (Name.consume_front("6detail"), Name.starts_with("11unscheduled"));
}

/// True if it may be called from elsewhere than by calls of the module.
bool isRoot(const Function &F) {
  return !F.isDiscardableIfUnused() ||
         F.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                           /*IgnoreAssumeLikeCalls=*/true,
                           /*IgnoreLLVMUsed=*/true);
}

} // namespace

DenseSet<const Function *> scheduledFunctions(Module &M) {
  DenseSet<const Function *> Found;
  SmallVector<const Function *, 64> Left;
  const auto Add = [&](const Function &F) {
    if (!F.isDeclaration() && !isUnscheduled(F) && Found.insert(&F).second)
      Left.push_back(&F);
  };
  for (const Function &F : M)
    if (isRoot(F))
      Add(F);
  while (!Left.empty())
    for (const Instruction &I : instructions(*Left.pop_back_val()))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction())
          Add(*Callee);
  return Found;
}

} // namespace atsan
