//===- CycleOfTrace.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is a reported cycle one? Looked at edge by edge in the oracle's record.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_CHECK_CYCLEOFTRACE_H
#define ATSAN_UNIT_CHECK_CYCLEOFTRACE_H

#include "RandomTrace.h"
#include "test/unit/Oracle.h"
#include <set>

namespace atsan_test {

/// What is wrong with the finding, or an empty string. \p O has seen the steps
/// up to those of the closing event.
std::string wrongInCycle(const RandomTrace &T, const Oracle &O,
                         const atsan::check::Finding &F);

/// Whom a finding is to blame (docs/report.md), by the numbers of the events
/// that their regions begin with: asked of the oracle. \p F is a cycle, and not
/// explained yet.
std::set<uint64_t> blamedBy(const RandomTrace &T, const Oracle &O,
                            const atsan::check::Finding &F);

} // namespace atsan_test

#endif // ATSAN_UNIT_CHECK_CYCLEOFTRACE_H
