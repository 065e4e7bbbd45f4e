//===- FrameVariables.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A frame that says itself where its variables are (lib/base/FrameRecord.h).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_EMIT_FRAMEVARIABLES_H
#define ATSAN_PASS_EMIT_FRAMEVARIABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace atsan {

/// Puts a record of the variables into the frame, if debug information names
/// them and the frame may be realigned.
void recordVariables(llvm::Function &F,
                     llvm::ArrayRef<llvm::AllocaInst *> Variables);

} // namespace atsan

#endif // ATSAN_PASS_EMIT_FRAMEVARIABLES_H
