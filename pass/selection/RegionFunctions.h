//===- RegionFunctions.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that are atomic as a whole (ATSAN_ATOMIC).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SELECTION_REGIONFUNCTIONS_H
#define ATSAN_PASS_SELECTION_REGIONFUNCTIONS_H

#include "llvm/IR/Function.h"

namespace atsan {

/// Begins a region named after the function at its entry and ends it at every
/// exit, by return or by exception. Warns where that is impossible.
void makeRegion(llvm::Function &F);

} // namespace atsan

#endif // ATSAN_PASS_SELECTION_REGIONFUNCTIONS_H
