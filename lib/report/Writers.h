//===- Writers.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms in which findings are written. Each is a string: nothing is written
// half.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_WRITERS_H
#define ATSAN_REPORT_WRITERS_H

#include "lib/report/Findings.h"
#include "lib/report/Parts.h"

namespace atsan::report {

struct Summary {
  std::vector<Group> Findings;
  /// What is wrong with logs that could not be read whole.
  std::vector<std::string> Problems;
  size_t Reports = 0;
  bool HasBaseline = false;
  size_t NotFound = 0; ///< Entries of the baseline that no report is about.

  bool FailOnPotential = false;

  size_t newFindings() const;
  /// Does the finding fail the run?
  bool fails(const Group &F) const;
  size_t failing() const;
};

/// Text for people.
std::string writeText(const Summary &S, const Places &P);
/// SARIF 2.1.0, for code scanning services and editors.
std::string writeSarif(const Summary &S, const Places &P,
                       const std::string &ToolVersion);
/// JUnit's XML for CI servers: each finding is a failed test, one that does not
/// fail the run a skipped test.
std::string writeJUnit(const Summary &S, const Places &P);
/// One HTML page without scripts and without anything from elsewhere.
std::string writeHtml(const Summary &S, const Places &P);

} // namespace atsan::report

#endif
