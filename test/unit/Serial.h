//===-- Serial.h -----------------------------------------------*- C++ -*--===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is a tiny run serializable, by the definitions and not by a graph? Tries all
// that can be reached by swaps of neighbouring independent events (CAV'08,
// Definitions 2 and 3). The second opinion that the oracle is tested against.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_SERIAL_H
#define ATSAN_UNIT_SERIAL_H

#include "Schedule.h"

namespace atsan_test {

// Without lock events. Exponential in the number of events.
bool isSerializable(const Schedule &S);

} // namespace atsan_test

#endif // ATSAN_UNIT_SERIAL_H
