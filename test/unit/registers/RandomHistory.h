//===- RandomHistory.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small random histories: of a register that works, with a result or a stamp
// changed in some of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TEST_REGISTERS_RANDOMHISTORY_H
#define ATSAN_TEST_REGISTERS_RANDOMHISTORY_H

#include "lib/registers/History.h"
#include "test/unit/Setting.h"
#include <random>

namespace atsan::registers::test {

/// What a history may have in it.
struct Shape {
  unsigned Processes = 3;
  unsigned MostOperations = 7;
  bool OneWriter = false;
  bool UniqueValues = false;
  bool ReadsAndWrites = false;
};

/// How many histories a test looks at.
inline unsigned histories() {
  return atsan_test::setting("ATSAN_REGISTER_HISTORIES", 5000);
}

/// The operations are in the order of their calls.
Register randomHistory(std::mt19937_64 &Random, const Shape &Of);

/// For a test's output.
std::string text(const Register &R);

} // namespace atsan::registers::test

#endif // ATSAN_TEST_REGISTERS_RANDOMHISTORY_H
