//===- Skeleton.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of a thread where data is dropped: the steps that others may
// notice, and between them nothing. What only the thread itself notices is
// joined with the next step, which changes no verdict: such an edge reads no
// token of another thread, so it has the colour of the edge before it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CAUSAL_SKELETON_H
#define ATSAN_CAUSAL_SKELETON_H

#include "lib/causal/Values.h"

namespace atsan::causal {

using model::Automaton;

/// An edge of an automaton, and which of its moves it makes.
struct EdgeRef {
  uint32_t Node = 0;
  uint32_t Edge = 0;
  Move Made;
};

struct Step {
  enum class Kind : uint8_t {
    Access, ///< All of Moves at once.
    Begin,  ///< A region begins that is checked.
    End,    ///< It ends.
    Restart ///< All regions that are open end and begin again.
  };
  Kind Is = Kind::Access;
  uint32_t Depth =
      0; ///< For Begin and End: how many regions are open, with it.
  uint32_t Region = 0;        ///< For Begin and End.
  uint32_t To = 0;            ///< The next state.
  std::vector<Move> Moves;    ///< Sorted, each object once.
  std::vector<EdgeRef> Path;  ///< The edges of the automaton, in order.
  bool DependsOnData = false; ///< Does one of them?
};

struct SkeletonState {
  std::vector<Step> Out;
  /// The regions that are open here, from the outermost one.
  std::vector<uint32_t> Open;
};

struct Skeleton {
  ThreadId Of;
  std::vector<SkeletonState> States; ///< Begins at the first one.
  /// States that allow the same steps to the same classes are one class, as the
  /// head of a loop when it is reached from above and from its end. The first
  /// state is in the first class.
  std::vector<uint32_t> ClassOf;
  /// Steps of the classes; To is a class, and Path empty.
  std::vector<SkeletonState> Classes;

  /// The step of \p State that is \p Label between classes.
  const Step &stepAs(uint32_t State, const Step &Label) const;

  /// Equal texts mean equal skeletons but for places in the source and for
  /// which regions begin.
  std::string shape() const;
};

/// \p IsChecked says of each region whether its begin and end are steps. Locks
/// that a thread has are part of its state: it waits for ever for one that it
/// has, and does not release one that it has not. Throws model::ModelError if a
/// step of the program accesses too many objects; TooManyStates.
Skeleton makeSkeleton(const Program &P, const KeptValues &K, ThreadId T,
                      const std::vector<bool> &IsChecked);

/// Thrown if a thread has more than MaxStates states, and values are kept:
/// without them there are fewer.
struct TooManyStates {};
constexpr size_t MaxStates = 1 << 14;

/// How many objects one step may access.
constexpr size_t MaxMoves = 5;

} // namespace atsan::causal

#endif
