//===- Writers.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outcome of `atsan check`, for people and for programs.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_WRITERS_H
#define ATSAN_CHECK_WRITERS_H

#include "lib/check/Words.h"

namespace atsan::check {

struct Outcome {
  std::string Trace; ///< The name of the file.
  std::string Algorithm;
  std::string Decided; ///< The notion, in a sentence.
  Options Given;
  std::string Seen = "observed"; ///< Where violations were seen, in words.
  std::string Locks;     ///< How locks count in atsan predict; else empty.
  bool HasLevel = false; ///< Does Given.Level mean something?
  std::vector<Finding> Findings;
  uint64_t Events = 0; ///< How many events were read.
  std::string Damage;  ///< Empty: read to the end, or as far as needed.
  std::string GaveUp;
  bool LacksRegions = false; ///< Then there was nothing to decide.
  std::vector<std::pair<std::string, uint64_t>> Statistics; ///< For --stats.

  size_t count(Notion N) const;
  /// The outcome in a word: "violation", "potential", "nothing found",
  /// "undecided".
  const char *verdict() const;
};

/// Text in the layout of the in-process report (docs/report.md).
std::string writeText(const Outcome &O, Words &W);
/// The findings alone, without what was decided and the verdict.
std::string writeFindings(const Outcome &O, Words &W);
/// JSON by schema/atsan-check-2.schema.json.
std::string writeJson(const Outcome &O, Words &W,
                      const std::string &ToolVersion);

} // namespace atsan::check

#endif // ATSAN_CHECK_WRITERS_H
