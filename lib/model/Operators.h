//===- Operators.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How operators are written, and how tightly they bind: for the parser, and for
// the printer, which writes what the parser reads.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_OPERATORS_H
#define ATSAN_MODEL_OPERATORS_H

#include "lib/model/Syntax.h"
#include <array>

namespace atsan::model {

struct BinaryOperator {
  const char *Text;
  size_t Level; ///< The higher, the tighter it binds.
};

/// By Operator.
inline constexpr std::array<BinaryOperator, 13> BinaryOperators = {{
    {"||", 0},
    {"&&", 1},
    {"==", 2},
    {"!=", 2},
    {"<", 2},
    {"<=", 2},
    {">", 2},
    {">=", 2},
    {"+", 3},
    {"-", 3},
    {"*", 4},
    {"/", 4},
    {"%", 4},
}};
static_assert(BinaryOperators.size() == size_t(Operator::Modulo) + 1);

/// Comparisons do not chain.
inline constexpr size_t LevelOfComparisons = 2;
inline constexpr size_t LevelOfUnary = 5;

} // namespace atsan::model

#endif // ATSAN_MODEL_OPERATORS_H
