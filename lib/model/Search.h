//===- Search.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All runs of a program beside a property: breadth first, each state once. Runs
// that differ only in the order of independent steps are represented by one of
// them (persistent sets), and so are states that differ only in which of
// several identical threads is where.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_SEARCH_H
#define ATSAN_MODEL_SEARCH_H

#include "lib/check/Limits.h"
#include "lib/model/Machine.h"

namespace atsan::model {

struct SearchOptions {
  uint64_t MaxMemoryBytes = 0; ///< 0: no limit.
  double MaxSeconds = 0;       ///< 0: no limit.
  bool ReducesOrder = true;
  bool UsesSymmetry = true;
  size_t MaxStates = SIZE_MAX;
  bool EndsAtRegion = false; ///< Ends where a thread comes to a region.
};

struct SearchResult {
  /// A run that violates the property, or in which the model is mistaken:
  /// what happened from its begin. Empty: there is none.
  std::vector<Action> Run;
  Fault Error = Fault::None; ///< None: the property is violated.
  bool IsShortest = false;   ///< Has no other such run fewer steps?
  size_t Steps = 0;          ///< The run has so many.
  size_t States = 0;         ///< How many were found.
  size_t Bytes = 0;          ///< For these.
  std::string GaveUp;        ///< The limit that was reached; empty: none.
  Contents Reached;          ///< What threads came to in the runs looked at.

  /// Is the answer about all runs, and was nothing wrong in any of them?
  bool isProved() const { return !isBad() && GaveUp.empty(); }

  bool isBad() const { return !Run.empty(); }
};

/// Decides whether a run violates the property. Finds a run with the fewest
/// steps, if limits allow.
SearchResult search(const Program &P, const Sharing &Shared,
                    const Property &Asked, const SearchOptions &O);

/// Does no run of the program come to a region? Then what is said of its
/// regions is said of nothing. Looks at few states; false if there are more, or
/// if no search can have this program.
bool comesToNoRegion(const Program &P);

} // namespace atsan::model

#endif // ATSAN_MODEL_SEARCH_H
