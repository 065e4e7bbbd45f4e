//===- MemoryIntrinsics.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is no inline flavour of memmove, so it always becomes a call. In a
// scheduled body all do: the hooks stop at points.
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/MemoryIntrinsics.h"

#include "pass/accesses/CopyParts.h"
#include "pass/base/DebugLocations.h"
#include "pass/base/Options.h"
#include "pass/base/Statistics.h"
#include "pass/selection/FunctionSelection.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace atsan {

namespace {

/// Sets the marker apart from the copy: what is known of the old intrinsic's
/// operands and aliases is as true of the new one.
void keepFacts(const MemIntrinsic &Old, CallInst &New) {
  New.copyMetadata(Old);
  New.setAttributes(Old.getAttributes());
  New.setTailCallKind(cast<CallInst>(Old).getTailCallKind());
}

bool makeInline(MemIntrinsic &MI) {
  auto *Size = dyn_cast<ConstantInt>(MI.getLength());
  // A part is told with the others of its copy, for which it has to stand here.
  const uint64_t Most = copyPartOf(MI) ? 8 * MaxInlineBytes : MaxInlineBytes;
  if (!Size || Size->getValue().ugt(Most) || isScheduledBody(*MI.getFunction()))
    return false;
  IRBuilder<> IRB(&MI);
  if (auto *Copy = dyn_cast<MemCpyInst>(&MI)) {
    keepFacts(MI, *IRB.CreateMemCpyInline(
                      Copy->getRawDest(), Copy->getDestAlign(),
                      Copy->getRawSource(), Copy->getSourceAlign(), Size,
                      Copy->isVolatile()));
  } else if (auto *Set = dyn_cast<MemSetInst>(&MI)) {
    keepFacts(MI, *IRB.CreateMemSetInline(Set->getRawDest(),
                                          Set->getDestAlign(), Set->getValue(),
                                          Size, Set->isVolatile()));
  } else {
    return false;
  }
  ++stats::MemInline;
  return true;
}

struct Calls {
  Hook Copy, Move, Set;
};
constexpr Calls Told = {Hook::MemCpy, Hook::MemMove, Hook::MemSet};
constexpr Calls Hidden = {Hook::HiddenMemCpy, Hook::HiddenMemMove,
                          Hook::HiddenMemSet};

void makeCall(MemIntrinsic &MI, RuntimeHooks &Hooks, const Calls &To) {
  IRBuilder<> IRB(&MI);
  IRB.SetCurrentDebugLocation(locationOf(MI, entryLocation(*MI.getFunction())));
  Value *Size = IRB.CreateZExtOrTrunc(MI.getLength(), Hooks.intPtrType());
  if (auto *Set = dyn_cast<MemSetInst>(&MI)) {
    Value *Byte = IRB.CreateZExt(Set->getValue(), IRB.getInt32Ty());
    Hooks.call(IRB, To.Set, {Set->getRawDest(), Byte, Size});
  } else {
    auto &Copy = cast<MemTransferInst>(MI);
    Hooks.call(IRB, isa<MemMoveInst>(MI) ? To.Move : To.Copy,
               {Copy.getRawDest(), Copy.getRawSource(), Size});
  }
  ++stats::MemCalls;
}

bool isLowered(const MemIntrinsic &MI) {
  switch (MI.getIntrinsicID()) {
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::memset:
    break;
  default: // Inline already.
    return false;
  }
  auto *Transfer = dyn_cast<MemTransferInst>(&MI);
  if (MI.getDestAddressSpace() != 0 ||
      (Transfer && Transfer->getSourceAddressSpace() != 0)) {
    ++stats::SkippedAddressSpace;
    return false;
  }
  return true;
}

} // namespace

bool isMemoryHook(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && RuntimeHooks::isMemory(Callee->getName());
}

static void lower(Function &F, RuntimeHooks &Hooks, bool IsOptedOut) {
  SmallVector<MemIntrinsic *, 16> Found;
  for (Instruction &I : instructions(F))
    if (auto *MI = dyn_cast<MemIntrinsic>(&I))
      if (isLowered(*MI))
        Found.push_back(MI);

  for (MemIntrinsic *MI : Found) {
    const bool IsMarked = MI->hasMetadata(LLVMContext::MD_nosanitize);
    stats::SkippedNoSanitize += IsMarked;
    const bool IsHidden = IsOptedOut || IsMarked;
    if (IsHidden && !isa<ConstantInt>(MI->getLength()))
      continue;
    if (!makeInline(*MI))
      makeCall(*MI, Hooks, IsHidden ? Hidden : Told);
    MI->eraseFromParent();
  }
}

void lowerMemoryIntrinsics(Function &F, RuntimeHooks &Hooks) {
  lower(F, Hooks, /*IsOptedOut=*/false);
}

void hideMemoryIntrinsics(Function &F, RuntimeHooks &Hooks) {
  lower(F, Hooks, /*IsOptedOut=*/true);
}

void forbidMadeCalls(Function &F) {
  for (StringRef Made :
       {"bcmp", "memcmp", "memcpy", "memmove", "memset", "strlen", "wcslen"})
    F.addFnAttr(("no-builtin-" + Made).str());
}

} // namespace atsan
