//===- DebugLocations.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source locations for inserted code. A report shows the location of the hook
// call, so a call without one would be a stack frame without a line; and calls
// without one are invalid in functions with debug information.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_BASE_DEBUGLOCATIONS_H
#define ATSAN_PASS_BASE_DEBUGLOCATIONS_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace atsan {

/// The function's own line, for what belongs to its entry; empty without debug
/// information.
inline llvm::DebugLoc entryLocation(const llvm::Function &F) {
  llvm::DISubprogram *SP = F.getSubprogram();
  if (!SP)
    return {};
  return llvm::DILocation::get(F.getContext(), SP->getScopeLine(), 0, SP);
}

/// The location of the instruction, or the given one where it has none. One
/// that the optimizer has made of several, or moved out of a loop, has no line:
/// then it is the first line that uses the value that it loads, or makes the
/// value that it stores.
llvm::DebugLoc locationOf(const llvm::Instruction &I, llvm::DebugLoc Otherwise);

} // namespace atsan

#endif // ATSAN_PASS_BASE_DEBUGLOCATIONS_H
