//===- refine_run.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One run of the command of `atsan refine`, and the reports that its processes
// write. They lie beside the list until they were taken over: if we are killed,
// the next call finds them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_REFINE_RUN_H
#define ATSAN_TOOLS_ATSAN_REFINE_RUN_H

#include "lib/report/LogReader.h"
#include "tools/atsan/child_process.h"
#include <string>
#include <vector>

namespace atsan::tool {

class ReportDirectory {
public:
  /// Makes a folder for the list in file \p List. Throws InputError, also if
  /// another process uses the list.
  explicit ReportDirectory(const std::string &List);
  ~ReportDirectory();
  ReportDirectory(const ReportDirectory &) = delete;
  ReportDirectory &operator=(const ReportDirectory &) = delete;

  const std::string &path() const { return Path; }
  /// Reads the reports that are there now.
  report::Logs read() const;
  /// Empties the folder after its contents were taken over.
  void clear();

private:
  std::string Path;
  int Lock = -1;
};

/// Runs \p Command so that its reports go to \p Reports, without the regions of
/// the file \p List. Throws InputError if it cannot be started.
RunResult runCommand(const std::vector<std::string> &Command,
                     const ReportDirectory &Reports, const std::string &List);

} // namespace atsan::tool

#endif
