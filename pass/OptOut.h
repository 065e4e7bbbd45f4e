//===- OptOut.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that opt out of the sanitizer. An opt-out is about a function's own
// code: what it calls stays instrumented, and its callers too, at every
// optimization level. The optimizer would mix them (it keeps apart only
// functions with and without one of clang's own sanitizer attributes), so such
// a function is not inlined, and nothing is inlined into it, until the hooks
// are there. What the source says must be inlined (always_inline) into an
// opted-out function is part of it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_OPTOUT_H
#define ATSAN_PASS_OPTOUT_H

#include "pass/base/RuntimeHooks.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace atsan {

/// Opts these functions out, all of the module that do, before the optimizer
/// runs.
void optOut(llvm::ArrayRef<llvm::Function *> Functions);

/// Makes opted-out functions that must be inlined parts of their callers, which
/// have their hooks.
void inlineOptedOut(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                    RuntimeHooks &Hooks);

} // namespace atsan

#endif // ATSAN_PASS_OPTOUT_H
