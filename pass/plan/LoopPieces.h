//===- LoopPieces.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop with accesses under conditions is reported in pieces. Whenever it gets
// to such an access, it is cut: what every iteration makes and what the loop
// has made since the last cut is reported first, as a whole loop is; then the
// access with its own hook. The last piece is reported behind the loop.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_PLAN_LOOPPIECES_H
#define ATSAN_PASS_PLAN_LOOPPIECES_H

#include "pass/plan/LoopPlan.h"

namespace atsan {

struct Segment;

/// Each of them gets a copy of the hooks for the whole loop.
constexpr size_t kMaxCuts = 3;
/// A loop with several cuts has at most so many streams: its hooks must be few.
constexpr size_t kMaxStreams = 3;

struct LoopCut {
  Segment *At = nullptr;
  /// How many accesses an iteration makes before it, of those it always makes.
  size_t Before = 0;
  /// 1 for all cuts with the smallest number Before, 2 for the next, ...
  unsigned Position = 0;
};

/// A counter as LoopPlan has it, known from the beginning of an iteration on.
struct LoopCounter {
  llvm::PHINode *Phi = nullptr;
  int64_t Step = 0;
};

/// Finds the places where a loop must be cut that always gets to some segments
/// (given in program order) and sometimes to others.
llvm::SmallVector<LoopCut, 4> findCuts(llvm::ArrayRef<Segment *> Always,
                                       llvm::ArrayRef<Segment *> Sometimes,
                                       const llvm::DominatorTree &DT);

/// The group of an access, given how many an iteration makes before it.
unsigned groupOf(size_t Before, llvm::ArrayRef<LoopCut> Cuts);

/// Gives each cut its piece of the loop, and makes the plan that of the piece
/// behind the loop.
void cutLoop(LoopPlan &Plan, const LoopCounter &Counter,
             llvm::ArrayRef<LoopCut> Cuts, llvm::BasicBlock *Exit);

} // namespace atsan

#endif // ATSAN_PASS_PLAN_LOOPPIECES_H
