//===- Statistics.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines and prints the counters.
//
//===----------------------------------------------------------------------===//

#include "pass/base/Statistics.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

#define DEBUG_TYPE "atsan"

namespace atsan::stats {

#define ATSAN_STATISTIC(ID, DESC)                                              \
  TrackingStatistic ID = {DEBUG_TYPE, #ID, DESC};
#include "pass/base/Statistics.def"

void print() {
  static const TrackingStatistic *const kAll[] = {
#define ATSAN_STATISTIC(ID, DESC) &ID,
#include "pass/base/Statistics.def"
  };
  for (const TrackingStatistic *S : kAll)
    if (S->getValue())
      errs() << format("%8u ", static_cast<unsigned>(S->getValue()))
             << S->getDebugType() << " - " << S->getDesc() << '\n';
}

} // namespace atsan::stats
