//===- ArithmeticCalls.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of sqrt and its like, which change nothing but errno.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_ARITHMETICCALLS_H
#define ATSAN_PASS_ACCESSES_ARITHMETICCALLS_H

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"

namespace atsan {

/// A function of the C library that takes and returns floating-point numbers
/// only, such as sqrt. The one thing beside that it may change is errno, which
/// is the thread's own.
bool isArithmetic(const llvm::CallBase &Call,
                  const llvm::TargetLibraryInfo &TLI);

/// Loads of pointers that a loop repeats for nothing but such a call are moved
/// in front of the loop. LLVM leaves them where they are because it does not
/// know what kind of object the call changes.
void hoistPointers(llvm::Function &F, llvm::AAResults &AA,
                   const llvm::TargetLibraryInfo &TLI);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_ARITHMETICCALLS_H
