//===- Intervals.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The picture of a history: a lane for each process, a bar for each operation
// from its call to its return.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_INTERVALS_H
#define ATSAN_REPORT_INTERVALS_H

#include "lib/report/Parts.h"

namespace atsan::report {

/// SVG. A bar links to the place "Prefix-oN" of its operation, N from 1 on.
std::string drawIntervals(const Finding &R, const std::string &Prefix);

} // namespace atsan::report

#endif
