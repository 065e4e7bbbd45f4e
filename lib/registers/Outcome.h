//===- Outcome.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was decided of a whole history, and how it is written.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_OUTCOME_H
#define ATSAN_REGISTERS_OUTCOME_H

#include "lib/registers/Decide.h"
#include "lib/registers/Explain.h"

namespace atsan::registers {

/// What was decided of one register.
struct RegisterOutcome {
  const Register *Of = nullptr;
  Decision Decided;
  std::optional<Explanation> Why; ///< Only a violation has it.
};

struct Outcome {
  std::string File;
  const History *Of = nullptr;
  std::vector<RegisterOutcome> Registers;
  bool WantsOrder = false;

  size_t count(Verdict V) const;
  /// "linearizable", "violation" or "undecided".
  const char *verdict() const;
};

/// Decides all registers of a history, by an algorithm that is able to
/// (whyNot), and explains what is wrong.
Outcome decideAll(History &Of, const std::string &File,
                  const std::string &Algorithm, const Request &Wanted);

/// What is wrong, in a sentence.
std::string messageOf(const RegisterOutcome &R, const History &In);
/// Some operations around a violation, the core among them, for a picture.
std::vector<uint32_t> around(const RegisterOutcome &R);
/// "p1", or "process 3" where the history has a number.
std::string processName(const Operation &O, const History &In);

/// Text for people.
std::string writeText(const Outcome &O);
/// JSON (schema/atsan-registers-2.schema.json).
std::string writeJson(const Outcome &O, const std::string &ToolVersion);

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_OUTCOME_H
