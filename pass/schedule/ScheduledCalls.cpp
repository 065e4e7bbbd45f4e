//===- ScheduledCalls.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/schedule/ScheduledCalls.h"

#include "pass/accesses/AtomicCalls.h"
#include "pass/base/DebugLocations.h"
#include "pass/schedule/SchedulePoints.h"
#include "pass/schedule/SingleBodies.h"
#include "pass/selection/FunctionSelection.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace atsan {

/// True for what the C and C++ libraries and the language keep out of line, and
/// what counts nothing: whatever waits there, waits by functions of libc.
static bool isOfLanguage(const Function &F) {
  const StringRef Name = F.getName();
  if (!F.isDeclaration() || Name.contains("random_device"))
    return false;
  return Name == "malloc" || Name == "calloc" || Name == "realloc" ||
         Name == "free" ||
         any_of(ArrayRef<StringRef>{"_ZNSt", "_ZNKSt", "_ZSt", "_Zn", "_Zd",
                                    "__cxa_", "_Unwind_", "__dynamic_cast"},
                [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// True for the processor's clocks and random numbers, which it gives to
/// whoever asks.
static bool asksProcessor(const IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::readcyclecounter:
  case Intrinsic::x86_rdtsc:
  case Intrinsic::x86_rdtscp:
  case Intrinsic::x86_rdrand_16:
  case Intrinsic::x86_rdrand_32:
  case Intrinsic::x86_rdrand_64:
  case Intrinsic::x86_rdseed_16:
  case Intrinsic::x86_rdseed_32:
  case Intrinsic::x86_rdseed_64:
  case Intrinsic::x86_rdpid:
    return true;
  default:
    return false;
  }
}

/// Assembler without results changes nothing, as `pause` does not. What it
/// writes to memory that a loop looks at, this sees.
static bool mayLeave(const CallBase &Call) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return asksProcessor(*Intrinsic);
  if (Call.isInlineAsm())
    return !Call.getType()->isVoidTy();
  if (atomicCall(Call) || Call.onlyReadsMemory() ||
      Call.onlyAccessesArgMemory())
    return false;
  const auto *F =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  return !F || !(isScheduledBody(*F) || isSingleBody(*F) || isOfLanguage(*F) ||
                 isReservedName(F->getName()) || isRegionBegin(F->getName()) ||
                 isRegionEnd(F->getName()));
}

void keepScheduledLibraryCalls(Function &Body, const TargetLibraryInfo &TLI) {
  for (Instruction &I : instructions(Body)) {
    auto *Call = dyn_cast<CallBase>(&I);
    LibFunc Unused;
    if (Call && TLI.getLibFunc(*Call, Unused) &&
        !Call->hasFnAttr(Attribute::AllocKind))
      Call->addFnAttr(Attribute::NoBuiltin);
  }
}

void addScheduleCalls(Function &Body, RuntimeHooks &Hooks) {
  SmallVector<CallBase *, 16> Leaving;
  for (Instruction &I : instructions(Body))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && mayLeave(*Call))
      Leaving.push_back(Call);
  for (CallBase *Call : Leaving) {
    IRBuilder<> IRB(Call);
    IRB.SetCurrentDebugLocation(locationOf(*Call, entryLocation(Body)));
    Value *Callee = Call->getCalledOperand();
    if (Call->isInlineAsm() || isa<IntrinsicInst>(Call))
      Callee = ConstantPointerNull::get(IRB.getPtrTy());
    Hooks.call(IRB, Hook::ScheduleCall, {Callee});
  }
}

} // namespace atsan
