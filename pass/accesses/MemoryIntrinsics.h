//===- MemoryIntrinsics.h -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory intrinsics become code whose accesses are seen exactly once.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_MEMORYINTRINSICS_H
#define ATSAN_PASS_ACCESSES_MEMORYINTRINSICS_H

#include "pass/base/RuntimeHooks.h"

namespace atsan {

/// Left to code generation, an intrinsic may or may not become a call of libc's
/// memcpy, which the runtime intercepts, so that its accesses would be seen
/// twice or once. Small constant sizes become the flavour that never is a call
/// (and then are accesses like others), all others a call of the runtime.
void lowerMemoryIntrinsics(llvm::Function &F, RuntimeHooks &Hooks);

/// In an opted-out function, a copy or an initialization of constant size, such
/// as that of an object, is an access of its own: it becomes no call that is
/// intercepted.
void hideMemoryIntrinsics(llvm::Function &F, RuntimeHooks &Hooks);

/// True for what makes a memory intrinsic a call. It writes the range that its
/// first argument points to, and nothing else of the program.
bool isMemoryHook(const llvm::CallBase &Call);

/// Keeps passes that run from now on, at the link step of LTO, too, from making
/// calls of library functions of loops, stores and comparisons: such calls are
/// intercepted, and would tell as one access what the program makes by several,
/// or what was told.
void forbidMadeCalls(llvm::Function &F);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_MEMORYINTRINSICS_H
