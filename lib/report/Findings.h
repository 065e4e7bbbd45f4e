//===- Findings.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports with one fingerprint are one finding. Also what findings are compared
// with: a baseline, the findings that are known already.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_FINDINGS_H
#define ATSAN_REPORT_FINDINGS_H

#include "lib/report/Parts.h"
#include <map>
#include <string_view>

namespace atsan::report {

/// A finding, and how often it was reported.
struct Group {
  Finding Shown; ///< The report with the shortest cycle.
  size_t Reports = 0;
  size_t Processes = 0;
  bool Known = false; ///< Whether the baseline has it.
};

/// Groups reports by their fingerprints, sorted by place: the order of logs and
/// reports does not matter.
std::vector<Group> collectFindings(const std::vector<Finding> &Reports);

/// Fingerprints, and a word for people on each.
using Baseline = std::map<std::string, std::string>;
inline constexpr char BaselineSchema[] = "atsan-baseline-1";

/// Reads a baseline. Throws std::runtime_error, with a message for the user.
Baseline parseBaseline(std::string_view Text, const std::string &Name);
std::string formatBaseline(const Baseline &Of);

/// Adds the findings to \p To.
void addToBaseline(const std::vector<Group> &Findings, Baseline &To);
/// Sets Known in the findings, and moves new ones to the front; returns how
/// many entries of the baseline were not found.
size_t compareWithBaseline(const Baseline &With, std::vector<Group> &Findings);

} // namespace atsan::report

#endif
