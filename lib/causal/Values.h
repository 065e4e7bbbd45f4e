//===- Values.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data is dropped, but not all of it: what decides who may enter a critical
// section often is a few small variables, as in Dekker's algorithm. CAV'06 has
// places for their values, too (section 5). Kept are the values of small `sync`
// variables, and what threads know of them in small variables of their own.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CAUSAL_VALUES_H
#define ATSAN_CAUSAL_VALUES_H

#include "lib/model/Moves.h"

namespace atsan::causal {

using model::Edge;
using model::Move;
using model::Program;
using model::ThreadId;

/// The variables, and variables of threads, whose values are kept. Empty: none.
struct KeptValues {
  std::vector<bool> Variables;
  std::vector<std::vector<bool>> Locals; ///< By thread of the program.

  bool keeps(uint32_t Object) const {
    return Object < Variables.size() && Variables[Object];
  }
};

/// A variable is small if it has at most so many values.
constexpr int64_t MaxKeptValues = 8;

KeptValues keptValues(const Program &P);

/// What a replica knows of its own variables.
using Locals = std::vector<std::optional<model::Value>>;

Locals firstLocals(const Program &P, const KeptValues &K, ThreadId T);

/// One of the ways in which an edge can be taken.
struct Outcome {
  Move Made;
  Locals Then;
  bool DependsOnData = false; ///< On data that was dropped.
};

/// All ways in which a replica can take an edge; none if it tests what is
/// false. A thread waits with the last read of an assume. A read of a kept
/// variable is one for each value that it may find.
std::vector<Outcome> outcomesOf(const Program &P, const KeptValues &K,
                                ThreadId T, const Locals &Now, const Edge &E);

} // namespace atsan::causal

#endif
