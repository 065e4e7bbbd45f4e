//===-- Minimize.h ---------------------------------------------*- C++ -*--===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a failing schedule small (delta debugging).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_MINIMIZE_H
#define ATSAN_UNIT_MINIMIZE_H

#include "Schedule.h"
#include <functional>

namespace atsan_test {

// Drops and simplifies events of `S` while `Fails` holds, which it does for
// `S`.
Schedule minimize(Schedule S,
                  const std::function<bool(const Schedule &)> &Fails);

} // namespace atsan_test

#endif // ATSAN_UNIT_MINIMIZE_H
