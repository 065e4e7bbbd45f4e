//===- Moves.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two runs of the accesses of a predicted cycle: the recorded one, where
// nothing was wrong, and the one that was forced. Which of them moved?
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_MOVES_H
#define ATSAN_REPORT_MOVES_H

#include "lib/finding/Finding.h"
#include <cstddef>
#include <string>
#include <vector>

namespace atsan::report {

struct Moves {
  std::vector<std::string> Steps; ///< In words, in the recorded order.
  std::vector<size_t> Forced;     ///< Their indices, in the forced order.
  /// By step: whether it is another thread's than the interrupted one, and came
  /// elsewhere among that one's steps.
  std::vector<bool> HasMoved;
};

/// Nothing in it: the finding was not predicted.
Moves movesOf(const finding::Finding &F);

/// "2 moved between 1 and 3": steps by their numbers, from 1 on.
std::string movesText(const Moves &M);

/// Both runs side by side, as SVG. The steps have their numbers only.
std::string drawMoves(const Moves &M);

} // namespace atsan::report

#endif // ATSAN_REPORT_MOVES_H
