//===- explore_search.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs schedules until there is a finding, or enough of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_SEARCH_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_SEARCH_H

#include "tools/atsan/explore_findings.h"
#include <functional>

namespace atsan::tool {

struct ExploreOptions {
  std::string Strategy = "predict";
  uint64_t Runs = 1000;
  double Seconds = 0; ///< 0: no limit.
  double Timeout = 60;
  uint64_t Seed = 1;
  unsigned Depth = 3;
  int Preemptions = -1; ///< -1: no bound.
  unsigned Jobs = 1;
  unsigned Shard = 0, Shards = 1;
  unsigned Replays = 20;
  bool All = false;
  bool Minimize = false;
  std::string Output = ".";
  std::vector<std::string> Command;
  std::string Name; ///< For files of findings; empty: the program's name.
};

/// Gets what has been seen so far, now and then, so that little is lost when
/// the process is killed.
using SaveExplored = std::function<void(const Explored &)>;

/// Throws InputError: the command cannot be run, fails by itself, or nothing
/// was checked.
Explored explore(const ExploreOptions &O, const SaveExplored &Save);

} // namespace atsan::tool

#endif
