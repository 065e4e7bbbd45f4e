//===- LoopPlan.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops whose accesses are reported behind the loop, in one step: which loops,
// and what is to be known of each to report the same accesses. Inserts no hook.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_PLAN_LOOPPLAN_H
#define ATSAN_PASS_PLAN_LOOPPLAN_H

#include "pass/base/Event.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include <optional>

namespace atsan {

/// A loop of so few iterations is not worth the hooks for whole loops.
constexpr uint64_t kFewIterations = 4;

/// What is known of a function's loops, up to date until hooks are inserted.
struct LoopAnalyses {
  LoopAnalyses(llvm::Function &F, llvm::TargetLibraryInfo &TLI)
      : DT(F), LI(DT), AC(F), SE(F, TLI, AC, DT, LI) {}

  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  llvm::AssumptionCache AC;
  llvm::ScalarEvolution SE;
};

/// An access that every iteration makes once.
struct LoopAccess {
  Event E;
  /// The address grows by this much from one iteration to the next.
  const llvm::SCEV *Stride = nullptr;
  /// How many cuts at different places are before the access in an iteration.
  unsigned Group = 0;
};

/// Accesses of the same kind, at the same place in the source, to adjacent
/// memory: what unrolling and vectorizing made of one access.
struct LoopStream {
  LoopAccess Lowest;
  uint64_t Size = 0;  // Bytes in one iteration, without gaps.
  uint64_t Unit = 0;  // Bytes of one access of the source.
  uint64_t Ahead = 0; // How many iterations the furthest access is ahead.

  /// Whether there are no gaps between iterations.
  bool isContiguous() const;
  /// Whether each iteration makes several accesses of the source, with a gap
  /// behind them.
  bool isRows() const {
    return Size != Unit && !Lowest.Stride->isZero() && !isContiguous();
  }
};

/// What a loop did between two cuts, see LoopPieces.h. A cut of position P
/// stands behind groups 0 to P - 1 in an iteration, and before the others.
struct LoopPiece {
  /// The cut that begins the piece: how far the counter had come from its first
  /// value when that iteration was over (0: there was no cut), and its
  /// position.
  llvm::Value *Since = nullptr, *SincePosition = nullptr;
  /// How far the counter had come at the cut that ends the piece, and that
  /// cut's position; null behind the loop.
  llvm::Value *Until = nullptr;
  unsigned UntilPosition = 0;
  uint64_t Step = 0; // The step of that counter, without its sign.
};

struct LoopPlan {
  const llvm::Loop *L = nullptr;

  /// A value that grows by Step from one iteration to the next and does not
  /// come round to its first value again.
  llvm::Value *Counter = nullptr;
  int64_t Step = 0; // Never 0.

  /// Set where the loop has cuts: then the plan is about a part of the
  /// iterations.
  std::optional<LoopPiece> Piece;

  /// All accesses, in program order.
  llvm::SmallVector<LoopAccess, 4> Accesses;
  /// All accesses once more, for where the order does not matter.
  llvm::SmallVector<LoopStream, 4> Streams;
  /// Whether something was left out of the streams, or moved.
  bool IsRearranged = false;

  /// Whether one hook tells all accesses, in program order.
  bool isOneStream() const {
    return Streams.size() == 1 && !IsRearranged && !Streams.front().isRows();
  }

  /// Whether no cut divides an iteration.
  bool isOneGroup() const {
    return Accesses.front().Group == Accesses.back().Group;
  }
  /// Whether no address changes.
  bool isInvariant() const;
  /// Whether no address changes and all accesses are to the same bytes.
  bool isOneLocation() const;
};

/// Adds the next access in program order to a stream, or makes a new one of it.
void addToStreams(LoopPlan &Plan, const LoopAccess &Access,
                  llvm::ScalarEvolution &SE);

struct FunctionPlan;

/// Takes the accesses of suitable loops out of the plan's segments and puts
/// them into the segments behind the loops.
void planLoops(llvm::Function &F, LoopAnalyses &Analyses, FunctionPlan &Plan);

} // namespace atsan

#endif // ATSAN_PASS_PLAN_LOOPPLAN_H
