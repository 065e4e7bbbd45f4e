//===- Permutations.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle: tries all orders of operations. Shares nothing with lib/registers
// but the type of an operation.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TEST_REGISTERS_PERMUTATIONS_H
#define ATSAN_TEST_REGISTERS_PERMUTATIONS_H

#include "lib/registers/History.h"

namespace atsan::registers::test {

/// Is some order of the operations, unknown ones left out or not, one in which
/// results fit and that keeps the order of time? For values that are numbers.
bool isLinearizable(const std::vector<Operation> &Operations, Value Initial);

/// The operation by whose return the history ceases to be linearizable; -1:
/// none. Operations that are open then have an unknown outcome.
int firstOffending(const std::vector<Operation> &Operations, Value Initial);

/// Can the register have held the value while the offending operation was open:
/// could that have been a read of it?
bool canHold(std::vector<Operation> Operations, Value Initial, int Offending,
             Value V);

/// Is the order one that isLinearizable() would accept?
bool isLinearization(const std::vector<Operation> &Operations, Value Initial,
                     const std::vector<uint32_t> &Order);

} // namespace atsan::registers::test

#endif // ATSAN_TEST_REGISTERS_PERMUTATIONS_H
