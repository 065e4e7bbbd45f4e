//===- explore_gate.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_gate.h"
#include "lib/report/Files.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/output_file.h"
#include <cerrno>
#include <cstring>
#include <iostream>

namespace atsan::tool {

ExploreGate::ExploreGate(const std::string &File, std::string NewFile)
    : NewFile(std::move(NewFile)) {
  std::string Text;
  if (File.empty())
    return;
  if (!report::readFile(File, Text)) {
    if (errno != ENOENT)
      throw InputError(File + ": the baseline cannot be read (" +
                       std::strerror(errno) +
                       "); write it with --write-baseline");
    // If the path is wrong, too much is reported, not too little.
    std::cerr << "atsan explore: warning: " << File
              << ": there is no such baseline, so that all findings are new; "
                 "to accept them, use --write-baseline="
              << File << '\n';
    return;
  }
  try {
    Known = report::parseBaseline(Text, File);
  } catch (const std::runtime_error &Error) {
    throw InputError(Error.what());
  }
  Accepted = Known;
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
  OutputFile Out(NewFile, /*Replace=*/true);
  Out.write(report::formatBaseline(Accepted));
  Out.commit();
  return false;
}

} // namespace atsan::tool
