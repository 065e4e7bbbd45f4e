//===- Schedule.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule that shows that a block is not causally atomic, and its replay by
// an interpreter of the program that knows no net and no colours.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CAUSAL_SCHEDULE_H
#define ATSAN_CAUSAL_SCHEDULE_H

#include "lib/causal/Skeleton.h"
#include <optional>
#include <string>

namespace atsan::causal {

struct ScheduleStep {
  ThreadId Thread;
  std::vector<EdgeRef> Path;
  /// The region, if its block that begins with the last edge is the chosen one.
  std::optional<uint32_t> Chooses;
  bool DependsOnData = false; ///< Was data dropped that could forbid it?
};

using Schedule = std::vector<ScheduleStep>;

/// Does the order of two moves of different threads matter? Locks count, too.
inline bool conflicts(const Move &A, const Move &B) {
  return A.Object == B.Object &&
         (A.Is != Move::Kind::Read || B.Is != Move::Kind::Read);
}

/// What a replay has found; steps are counted from 0.
struct Replayed {
  std::string Problem;  ///< Why the schedule is none; empty if it is one.
  uint32_t Region = 0;  ///< The block that begins at Begin.
  size_t Begin = 0;     ///< The step in which it begins,
  size_t Between = 0;   ///< a step of another thread that comes behind it,
  size_t Back = 0;      ///< and one in the block that comes behind that one.
  bool IsShown = false; ///< Are there such steps?
  bool ByLockOrder = false;   ///< Without the order of lock operations not.
  std::vector<bool> IsNeeded; ///< Must a step be before Back?
};

/// Executes the steps one by one, with data dropped, and looks for Definition 3
/// of CAV'06 in the order of what has happened.
Replayed replay(const Program &P, const KeptValues &K, const Schedule &S);

/// Only the steps that must have happened for the last one.
Schedule neededPart(const Schedule &S, const Replayed &R);

} // namespace atsan::causal

#endif
