//===- baseline_file.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/baseline_file.h"
#include "lib/report/Files.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/output_file.h"
#include <cerrno>
#include <cstring>
#include <iostream>

namespace atsan::tool {

report::Baseline readBaseline(const std::string &File, const char *Who,
                              bool IsWritten) {
  std::string Text;
  if (File.empty())
    return {};
  if (!report::readFile(File, Text)) {
    if (errno != ENOENT)
      throw InputError(File + ": the baseline cannot be read (" +
                       std::strerror(errno) +
                       "); write it with --write-baseline");
    // If the path is wrong, too much is reported, not too little.
    std::cerr << "atsan " << Who << ": warning: " << File
              << ": there is no such baseline, so that all findings are new";
    if (!IsWritten)
      std::cerr << "; to accept them, use --write-baseline=" << File;
    std::cerr << '\n';
    return {};
  }
  try {
    return report::parseBaseline(Text, File);
  } catch (const std::runtime_error &Error) {
    throw InputError(Error.what());
  }
}

void checkNewBaseline(const std::string &File) {
  std::string Text;
  if (File.empty())
    return;
  try {
    if (report::readFile(File, Text) && !Text.empty())
      report::parseBaseline(Text, File);
  } catch (const std::runtime_error &) {
    throw InputError(File + ": is there, and is no baseline; remove it, or "
                            "write the baseline to another file");
  }
  // A search is long: whether its result can be written is seen before.
  const OutputFile Probe(File, /*Replace=*/true);
}

} // namespace atsan::tool
