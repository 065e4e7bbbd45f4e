//===- Statistics.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counters of Statistics.def. They count in every build of LLVM, also where
// `-stats` prints nothing; `-atsan-print-stats` prints them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_BASE_STATISTICS_H
#define ATSAN_PASS_BASE_STATISTICS_H

#include "llvm/ADT/Statistic.h"

namespace atsan::stats {

#define ATSAN_STATISTIC(ID, DESC) extern llvm::TrackingStatistic ID;
#include "pass/base/Statistics.def"

/// Prints every counter that is not zero to stderr, one a line.
void print();

} // namespace atsan::stats

#endif // ATSAN_PASS_BASE_STATISTICS_H
