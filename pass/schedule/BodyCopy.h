//===- BodyCopy.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A second copy of a function in its module. LLVM's CloneFunction looks, for
// each function, at all debug information that can be reached from it, every
// type of the program among it; this looks at the function only.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SCHEDULE_BODYCOPY_H
#define ATSAN_PASS_SCHEDULE_BODYCOPY_H

#include "llvm/IR/Function.h"

namespace atsan {

/// False if something outside of the function, such as a table for computed
/// gotos, has the addresses of its blocks: there are none for the copy's.
bool canCopyBody(const llvm::Function &F);

/// A function of that name that does the same, with the same lines and
/// variables in its debug information. Its linkage and attributes are those of
/// \p F; it is of no group.
llvm::Function *copyBody(llvm::Function &F, const llvm::Twine &Name);

} // namespace atsan

#endif // ATSAN_PASS_SCHEDULE_BODYCOPY_H
