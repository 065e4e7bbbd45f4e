//===-- RunSummary.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's own checker (runtime/core) on a recorded run.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BENCH_RUNSUMMARY_H
#define ATSAN_BENCH_RUNSUMMARY_H

#include "Entities.h"

namespace trace {

struct SummaryResult {
  size_t NumRecords;  // How far it came.
  uint64_t Violation; // The record that closes a cycle, from 1; or 0.
};
SummaryResult checkBySummary(const SharedRun &Run);

// The largest summary during the same run: transactions that are active, and
// pairs of them of which one reaches the other. Looked at some thousand times.
struct SummarySize {
  uint64_t Nodes = 0, Edges = 0;
};
SummarySize measureSummary(const SharedRun &Run, const SummaryResult &Result);

} // namespace trace

#endif // ATSAN_BENCH_RUNSUMMARY_H
