//===- Barrier.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/accesses/Barrier.h"

#include "pass/accesses/Effect.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace atsan {

/// The memory that a store or a memory intrinsic writes that is no visible
/// point.
static std::optional<MemoryLocation> plainlyWritten(const Instruction &I) {
  auto *Store = dyn_cast<StoreInst>(&I);
  if (Store && Store->isSimple())
    return MemoryLocation::get(Store);
  auto *Memory = dyn_cast<MemIntrinsic>(&I);
  if (Memory && !Memory->isVolatile())
    return MemoryLocation::getForDest(Memory);
  return std::nullopt;
}

/// True if the call writes through its arguments only, and through none to the
/// location. What a callee does to an argument by value, it does to a copy.
static bool isNoWriteTo(const MemoryLocation &Location, const CallBase &Call,
                        AAResults &AA, const TargetLibraryInfo &TLI) {
  return AA.getMemoryEffects(&Call)
             .getWithoutLoc(IRMemLocation::ArgMem)
             .onlyReadsMemory() &&
         none_of(Call.args(), [&](const Use &Argument) {
           const unsigned N = Call.getArgOperandNo(&Argument);
           return Argument->getType()->isPtrOrPtrVectorTy() &&
                  !Call.isByValArgument(N) && !Call.onlyReadsMemory(N) &&
                  !AA.isNoAlias(Location,
                                MemoryLocation::getForArgument(&Call, N, &TLI));
         });
}

bool isBarrier(const Instruction &I,
               const std::optional<MemoryLocation> &Location, AAResults &AA,
               const TargetLibraryInfo &TLI) {
  if (!I.mayWriteToMemory() || isNoWrite(I))
    return false;
  if (auto Written = plainlyWritten(I))
    return Location && AA.alias(*Location, *Written) > AliasResult::MayAlias;
  if (isWeak(I))
    return !Location || !AA.isNoAlias(*Location, MemoryLocation::get(&I));
  if (auto *Call = dyn_cast<CallBase>(&I))
    if (Location && isNoWriteTo(*Location, *Call, AA, TLI))
      return false;
  return isModSet(AA.getModRefInfo(&I, Location));
}

} // namespace atsan
