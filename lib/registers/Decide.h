//===- Decide.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the algorithm for a register.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_DECIDE_H
#define ATSAN_REGISTERS_DECIDE_H

#include "lib/registers/Algorithms.h"

namespace atsan::registers {

struct AlgorithmInfo {
  const char *Name;
  const char *Summary;
};

/// The names that decide() knows, the usual one first.
const std::vector<AlgorithmInfo> &algorithms();

/// Why the algorithm of this name cannot decide the register; empty if it can.
std::string whyNot(const std::string &Algorithm, const Register &R,
                   const Values &Known);

/// Decides by the algorithm of this name, which must be able to.
Decision decide(const std::string &Algorithm, const Register &R, Values &Known,
                const Request &Wanted);

/// Decides by the quickest algorithm that can.
Decision decide(const Register &R, Values &Known, const Request &Wanted);

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_DECIDE_H
