//===- SingleBodies.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/schedule/SingleBodies.h"

#include "pass/accesses/MemoryIntrinsics.h"
#include "pass/schedule/BodyCopy.h"
#include "pass/schedule/SchedulePoints.h"
#include "pass/selection/FunctionSelection.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace atsan {

/// On a function that cannot have two bodies.
static constexpr const char *kSingleBodyAttribute = "atsan-single-body";

bool takesCopies(const Function &F) {
  return any_of(F.args(), [](const Argument &A) {
    return A.hasPassPointeeByValueCopyAttr();
  });
}

bool hasSingleBody(const Function &F) {
  return F.isPresplitCoroutine() || !canCopyBody(F) ||
         (F.isVarArg() && takesCopies(F));
}

void keepSingleBody(Function &F) {
  F.addFnAttr(kSingleBodyAttribute);
  F.removeFnAttr(Attribute::AlwaysInline);
  F.addFnAttr(Attribute::NoInline);
}

bool isSingleBody(const Function &F) {
  return F.hasFnAttribute(kSingleBodyAttribute);
}

/// Makes a test in front of the point: outside of explorations, and, where it
/// also tells of the access, of regions, it has nothing to say.
static void guard(CallInst &Point, bool TellsAccess, RuntimeHooks &Hooks) {
  IRBuilder<> IRB(&Point);
  Value *IsNeeded = Hooks.testScheduled(IRB);
  if (TellsAccess)
    IsNeeded = IRB.CreateOr(IsNeeded, Hooks.testGate(IRB));
  Instruction *Then = SplitBlockAndInsertIfThen(
      IsNeeded, Point.getIterator(), /*Unreachable=*/false,
      MDBuilder(Point.getContext()).createUnlikelyBranchWeights());
  Point.moveBefore(*Then->getParent(), Then->getIterator());
}

/// On an opted-out function that runs while schedules are controlled.
static constexpr const char *kSchedulesAtomicsAttribute =
    "atsan-schedules-atomics";

void keepAtomicPoints(Function &F) { F.addFnAttr(kSchedulesAtomicsAttribute); }

void scheduleAtomics(Function &F, ConfinedMemory &Confined,
                     RuntimeHooks &Hooks) {
  if (!F.hasFnAttribute(kSchedulesAtomicsAttribute) || F.isPresplitCoroutine())
    return;
  for (CallInst *Point : addAtomicSchedulePoints(F, Confined, Hooks))
    guard(*Point, /*TellsAccess=*/false, Hooks);
}

void scheduleSingleBody(Function &F, ConfinedMemory &Confined,
                        RuntimeHooks &Hooks) {
  if (!isSingleBody(F) || F.isPresplitCoroutine())
    return;
  F.addFnAttr(kScheduledAttribute);
  lowerMemoryIntrinsics(F, Hooks);
  for (CallInst *Point : addSchedulePoints(F, F.getName(), Confined, Hooks))
    guard(*Point, /*TellsAccess=*/true, Hooks);
}

} // namespace atsan
