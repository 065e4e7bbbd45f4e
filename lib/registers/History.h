//===- History.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A history: the operations of each register. Registers are independent of each
// other: the whole is linearizable if each of them is (Herlihy and Wing, 1990,
// theorem 1).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_HISTORY_H
#define ATSAN_REGISTERS_HISTORY_H

#include "lib/registers/Names.h"
#include <vector>

namespace atsan::registers {

struct Register {
  std::string Key; ///< Empty: the history has one register without a name.
  Value Initial = 0;
  /// In the order of their calls (see sortByCall).
  std::vector<Operation> Operations;
};

struct History {
  /// What a compare-and-swap was to do that tells what it found instead.
  struct RefusedCas {
    Value Expected, New;
  };

  std::vector<Register> Registers;
  std::vector<RefusedCas> Refused;
  Names Processes;
  Values Known;
  /// What was left out, since it says nothing of the registers.
  uint64_t Failed = 0;
  uint64_t ReadsWithoutResult = 0;

  size_t operations() const {
    size_t Sum = 0;
    for (const Register &R : Registers)
      Sum += R.Operations.size();
    return Sum;
  }
};

/// Puts operations in the order of their calls. Takes no further memory; quick
/// where they nearly are in order.
void sortByCall(std::vector<Operation> &Operations);

/// The operation for people: "cas 1 2 -> true".
std::string describe(const Operation &O, const History &In);

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_HISTORY_H
