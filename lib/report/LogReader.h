//===- LogReader.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads logs that programs wrote with report_format=json, and what `atsan check
// --json` wrote of traces, `atsan registers --json` of histories. Robust:
// whatever a file has in it, all whole reports are read, and each damaged line
// is named.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_LOGREADER_H
#define ATSAN_REPORT_LOGREADER_H

#include "lib/report/Parts.h"
#include <string_view>

namespace atsan::report {

/// What a process has checked (schema/atsan-process-1.schema.json).
struct Process {
  std::string Log;
  std::string Program;
  std::string LeftOpen; ///< A region that never ended; or empty.
  uint64_t Pid = 0;
  uint64_t Modules = 0;
  uint64_t Regions = 0;
  uint64_t Excluded = 0;
  uint64_t Places = 0;
  uint64_t Operations = 0; ///< How many calls of watched objects returned.
  bool Ended = false; ///< If not, it was killed after its record was begun.

  /// Has the process checked something for certain? One that is killed in its
  /// first region may have done nothing else.
  bool checkedSomething() const {
    return Operations || (Modules && Regions && Places);
  }
};

struct Logs {
  std::vector<Finding> Reports;
  std::vector<Process> Processes;
  /// How many traces `atsan check` has decided, and of how many events.
  size_t CheckedTraces = 0;
  uint64_t CheckedEvents = 0;
  size_t CheckedModels = 0; ///< How many models `atsan model` has decided.
  /// How many histories `atsan registers` has decided, of how many operations.
  size_t CheckedHistories = 0;
  uint64_t CheckedOperations = 0;
  /// What could not be read: "FILE:LINE: what is wrong; what to do".
  std::vector<std::string> Problems;
  /// How many lines are no reports: a log on stderr has what the program
  /// prints.
  size_t OtherLines = 0;
};

/// Adds what \p Text, the contents of the file \p Name, has.
void readLog(std::string_view Text, const std::string &Name, Logs &Out);

/// Adds what a file has, or all files of a folder.
void readLogs(const std::string &Path, Logs &Out);

/// Why no process has checked anything, and the remedy; empty if one has.
std::string whyNothingWasChecked(const Logs &Of);
/// Were there regions, all of which a list kept from beginning?
bool isAllExcluded(const Logs &Of);

} // namespace atsan::report

#endif
