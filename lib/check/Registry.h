//===- Registry.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithms of `atsan check`, by name.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_REGISTRY_H
#define ATSAN_CHECK_REGISTRY_H

#include "lib/check/Analysis.h"

namespace atsan::check {

struct Algorithm {
  const char *Name;
  const char *Summary; ///< One line for --help.
  std::unique_ptr<Analysis> (*Create)(const Options &);
  /// Whether there is nothing to decide without a region.
  bool IsAboutRegions = false;
  // Whether these options mean something to the algorithm.
  bool HasLockEdges = false, HasImprovements = false, HasLevels = false;
  /// The limit where the command line names none, since some searches are
  /// exponential and nobody should wait for ever without a word. 0: none.
  double MaxSeconds = 0;
};

/// All algorithms; the first is the default.
const std::vector<Algorithm> &algorithms();
/// Null if there is none by this name.
const Algorithm *findAlgorithm(const std::string &Name);

} // namespace atsan::check

#endif // ATSAN_CHECK_REGISTRY_H
