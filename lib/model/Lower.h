//===- Lower.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Syntax tree to program: names are looked up, types checked, expressions taken
// apart, calls expanded.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_LOWER_H
#define ATSAN_MODEL_LOWER_H

#include "lib/model/Program.h"

namespace atsan::model {

/// Values of a plain int.
constexpr Value PlainIntLow = -128, PlainIntHigh = 127;

constexpr size_t MaxNodes = 1 << 18;     ///< All automata together have.
constexpr size_t MaxVariables = 1 << 16; ///< Elements of arrays counted.
constexpr size_t MaxLocals = 1 << 12;    ///< One automaton has.
constexpr uint32_t MaxThreads = 1 << 20; ///< Replicas counted.

enum class Calls : uint8_t {
  Expand, ///< No Call edges; a recursive procedure is an error.
  /// Calls are Call edges, and arguments and results are left out: for analyses
  /// that drop data. What a call returns is any value.
  Keep,
};

/// Throws ModelError for what is wrong, also in procedures that nobody calls.
Program lower(const Model &M, Calls C);

/// The name of a procedure that can call itself; empty if there is none.
std::string recursiveProcedure(const Model &M);

} // namespace atsan::model

#endif // ATSAN_MODEL_LOWER_H
