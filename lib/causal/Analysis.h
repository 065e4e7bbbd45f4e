//===- Analysis.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A. Farzan, P. Madhusudan: Causal Atomicity (CAV'06). For each block that is
// meant to be atomic: does no run of the program's control have an event of
// another thread causally behind the begin of the block, and before another
// event in it?
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CAUSAL_ANALYSIS_H
#define ATSAN_CAUSAL_ANALYSIS_H

#include "lib/causal/ColouredNet.h"
#include "lib/causal/Schedule.h"
#include "lib/net/Unfolding.h"

namespace atsan::causal {

/// Explicit searches the paper's net, for few threads. For Unfolding each
/// thread has places of its own, and their number is fixed; for the others
/// there are counters of threads that are alike.
using net::Engine;

struct BlockVerdict {
  uint32_t Region = 0;
  net::Verdict What = net::Verdict::GaveUp; ///< Coverable: not atomic.
  std::string Why;           ///< The reason, as net::Answer has it.
  bool ForAnyNumber = false; ///< Atomic for every number of each thread.
  /// If not atomic: the run, what its replay has found, how many threads are in
  /// it, and whether data was dropped that could forbid it.
  Schedule Run;
  Replayed Shown;
  size_t Threads = 0;
  bool IsMay = false;
};

struct CausalResult {
  std::vector<BlockVerdict> Blocks;
  KeptValues Kept; ///< What the runs were decided with.
  /// The net of all blocks, and what --engine=unfolding made of it.
  ColouredNet Net;
  net::Prefix Prefix;
};

/// Threads of \p P that are alike, put together.
std::vector<ThreadClass> classesOf(const Program &P, const KeptValues &K,
                                   const std::vector<bool> &IsChecked);

/// Decides all blocks. Throws model::ModelError for models that are too large.
CausalResult analyse(const Program &P, Engine E, net::Budget &B);

} // namespace atsan::causal

#endif
