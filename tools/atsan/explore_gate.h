//===- explore_gate.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan explore --gate`: findings that a baseline has fail nothing. The file
// is that of `atsan report --baseline`.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_GATE_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_GATE_H

#include "lib/report/Findings.h"
#include "tools/atsan/explore_findings.h"

namespace atsan::tool {

/// Not thread-safe.
class ExploreGate {
public:
  /// \p File: the baseline, which is missing on the first day; empty: nothing
  /// is known. \p NewFile: where to write one that has all of it; empty:
  /// nowhere. Throws InputError if a file is no baseline.
  ExploreGate(const std::string &File, std::string NewFile);

  /// Takes a finding of a test (empty: of the only one). False: the baseline
  /// has it.
  bool take(const std::string &Test, const RunFinding &F);
  /// How many of the findings so far are new.
  uint64_t news() const { return New; }
  /// Writes the new baseline, if one is wanted. Is there a finding that fails
  /// the run?
  bool finish();

private:
  report::Baseline Known;
  const std::string NewFile;
  report::Baseline Accepted;
  uint64_t New = 0;
};

} // namespace atsan::tool

#endif
