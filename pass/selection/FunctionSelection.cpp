//===- FunctionSelection.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reasons to leave a whole function alone.
//
//===----------------------------------------------------------------------===//

#include "pass/selection/FunctionSelection.h"

#include "pass/base/RuntimeHooks.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace atsan {

bool isInstrumentable(const Module &M) {
  Triple T(M.getTargetTriple());
  return !T.isNVPTX() && !T.isAMDGPU() && !T.isSPIRV() && !T.isBPF();
}

FunctionSelection::FunctionSelection(const Module &M) {
  for (const GlobalIFunc &G : M.ifuncs())
    if (const Function *Resolver = G.getResolverFunction())
      IFuncResolvers.insert(Resolver);
}

bool FunctionSelection::contains(const Function &F) const {
  if (F.isDeclaration())
    return false;
  // The code that runs is another module's, which instruments it.
  if (F.hasAvailableExternallyLinkage())
    return false;
  if (F.hasFnAttribute(kNoSanitizeAttribute) ||
      F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation))
    return false;
  // No frame to call from.
  if (F.hasFnAttribute(Attribute::Naked))
    return false;
  // A coroutine is split into functions that the pass sees instead. In a
  // pipeline that does not split, splitting later must find it as it was.
  if (F.isPresplitCoroutine())
    return false;
  if (isReservedName(F.getName()))
    return false;
  // Runs while its module is being relocated: the hooks are not bound yet.
  if (IFuncResolvers.contains(&F))
    return false;
  // Hooks would need operand bundles; such code does not run on Linux.
  if (F.hasPersonalityFn() &&
      isScopedEHPersonality(classifyEHPersonality(F.getPersonalityFn())))
    return false;
  return true;
}

} // namespace atsan
