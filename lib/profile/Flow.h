//===- Flow.h -------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread of a model where data is dropped: what can follow on what. Calls are
// kept: a procedure is there once for each set of locks that it is called with,
// inside and outside of regions, and not for each call.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PROFILE_FLOW_H
#define ATSAN_PROFILE_FLOW_H

#include "lib/check/Limits.h"
#include "lib/model/Moves.h"

namespace atsan::profile {

struct FlowEdge {
  const model::Edge *Of = nullptr;
  model::Move Made;
  uint32_t To = 0;
  /// For a call: the state in which the procedure ends. The edge leads from the
  /// call to behind it.
  uint32_t Exit = None;

  static constexpr uint32_t None = UINT32_MAX;
};

struct FlowState {
  uint32_t Context = 0; ///< The call that the state is in; 0: the thread.
  uint32_t Node = 0;
  bool InRegion = false;
  std::vector<uint32_t> Held; ///< Locks, in the order in which they were taken.
  std::vector<FlowEdge> Out;
  /// For a call: the states in which procedures begin.
  std::vector<uint32_t> Enters;
};

struct Flow {
  std::vector<FlowState> States; ///< Begins at the first one.
  uint32_t Contexts = 0;
  /// A release of a lock that is not the last one taken; null: there is none.
  const model::Edge *NotNested = nullptr;
};

/// \p WithLocks: a thread does not get past the acquisition of a lock that it
/// has, nor past the release of one that it has not. Else these operations do
/// nothing. Incomplete once the limit is reached.
Flow makeFlow(const model::Program &P, model::ThreadId T, bool WithLocks,
              check::Limits &Limit);

} // namespace atsan::profile

#endif
