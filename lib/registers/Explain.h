//===- Explain.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why a history is not linearizable: a few of its operations that contradict
// each other.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_EXPLAIN_H
#define ATSAN_REGISTERS_EXPLAIN_H

#include "lib/registers/Algorithms.h"

namespace atsan::registers {

struct Explanation {
  /// The operation by whose return no linearization is left, as an index.
  uint32_t Offending = 0;
  /// What the register can have held while it was open; empty: not known.
  std::vector<Value> Possible;
  bool HasMore = false; ///< May it have held other values, too?
  /// Operations that cannot be linearized among what the others wrote, as
  /// indices in the order of their calls. No result in there can be left out.
  std::vector<uint32_t> Core;
  bool IsMinimal = true; ///< False: there was no time to leave out more.
  /// The longest prefix that is linearizable: how many operations return in it.
  uint64_t PrefixReturns = 0;
};

/// Explains a violation that decide() has found. Takes \p MaxSeconds at most
/// to leave out operations (0: as long as it takes).
Explanation explain(const Register &R, Values &Known, const Decision &Found,
                    double MaxSeconds);

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_EXPLAIN_H
