//===- explore_gate.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_gate.h"
#include "tools/atsan/baseline_file.h"
#include "tools/atsan/output_file.h"

namespace atsan::tool {

ExploreGate::ExploreGate(const std::string &File, std::string NewFile)
    : Known(readBaseline(File, "explore", !NewFile.empty())),
      NewFile(std::move(NewFile)), Accepted(Known) {
  checkNewBaseline(this->NewFile);
}

/// The fingerprint of a report says where it is; that of other findings only
/// what it is.
static std::string fingerprintOf(const std::string &Test, const RunFinding &F) {
  return F.Kind == "atomicity-violation" ? F.Fingerprint
                                         : Test + ": " + keyOf(F);
}

bool ExploreGate::take(const std::string &Test, const RunFinding &F) {
  const std::string Fingerprint = fingerprintOf(Test, F);
  const bool IsKnown = Known.count(Fingerprint) != 0;
  New += !IsKnown;
  Accepted.emplace(Fingerprint, F.Headline);
  return !IsKnown;
}

bool ExploreGate::finish() {
  if (NewFile.empty())
    return New != 0;
  writeWhole(NewFile, report::formatBaseline(Accepted), /*Replace=*/true);
  return false;
}

} // namespace atsan::tool
