//===-- CycleCheck.h -------------------------------------------*- C++ -*--===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is a cycle that the checker reports really one, of the conflict graph that
// the oracle has? Looks at each edge and at how they join.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_CYCLECHECK_H
#define ATSAN_UNIT_CYCLECHECK_H

#include "CheckerRun.h"
#include "Oracle.h"

namespace atsan_test {

// Returns what is wrong with it, or an empty string. `O` has seen at least the
// events up to the finding's. With `ExactNames`, a thread may not change its
// slot, as it does when its indices run out.
std::string checkCycle(const Oracle &O, const Finding &F, __atsan::uptr Base,
                       bool ExactNames = true);

} // namespace atsan_test

#endif // ATSAN_UNIT_CYCLECHECK_H
