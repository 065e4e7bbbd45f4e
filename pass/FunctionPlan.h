//===- FunctionPlan.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that is to be emitted into one function.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_FUNCTIONPLAN_H
#define ATSAN_PASS_FUNCTIONPLAN_H

#include "Event.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace atsan {

/// Events with no visible point in between, reported together: one test of the
/// gate, then the hooks in program order.
struct Segment {
  llvm::SmallVector<Event, 4> Events;
  llvm::Instruction *InsertBefore = nullptr;
};

struct FunctionPlan {
  llvm::SmallVector<Segment, 16> Segments;
  llvm::SmallVector<Event, 4> Atomics;
  llvm::SmallVector<llvm::CallBase *, 1> SetJmps;

  bool empty() const {
    return Segments.empty() && Atomics.empty() && SetJmps.empty();
  }
};

/// Decides for a whole function; changes nothing in it.
FunctionPlan planFunction(llvm::Function &F);

} // namespace atsan

#endif // ATSAN_PASS_FUNCTIONPLAN_H
