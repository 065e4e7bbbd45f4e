//===- Checked.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether logs prove that something was checked: a gate that checked nothing is
// not green.
//
//===----------------------------------------------------------------------===//

#include "lib/report/LogReader.h"
#include "lib/report/Parts.h"

namespace atsan::report {

bool isAllExcluded(const Logs &Of) {
  bool Any = false;
  for (const Process &P : Of.Processes) {
    if (P.Regions)
      return false;
    Any |= P.Excluded != 0;
  }
  return Any;
}

std::string whyNothingWasChecked(const Logs &Of) {
  uint64_t Modules = 0, Regions = 0;
  bool Killed = false; // Was a process killed in a region?
  for (const Process &P : Of.Processes) {
    if (P.checkedSomething())
      return "";
    Killed |= P.Regions && !P.Ended;
    Modules += P.Modules;
    Regions += P.Regions;
  }
  // A process that reports has checked; logs of stderr have no records.
  if (!Of.Reports.empty() || Of.CheckedTraces || Of.CheckedModels ||
      Of.CheckedHistories)
    return "";
  const std::string Them =
      Of.Processes.size() == 1
          ? "the one process"
          : "any of " + std::to_string(Of.Processes.size()) + " processes";
  if (Of.Processes.empty())
    return "nothing was checked: no process with AtomicitySanitizer has left "
           "its record; compile and link the tests with -fsanitize=atomicity, "
           "and run them with "
           "ATSAN_OPTIONS=report_format=json:log_path=DIR/log";
  if (!Modules)
    return "nothing was checked: no code of " + Them +
           " was compiled with -fsanitize=atomicity; give the option to the "
           "compiler, too, not to the linker only";
  if (isAllExcluded(Of))
    return "nothing was checked: every region of " + Them +
           " is excluded by a list";
  if (!Regions)
    return "nothing was checked: no region was entered by " + Them +
           "; mark some, or compile with -fatomicity-regions=exported";
  if (Killed)
    return "nothing was checked for certain: none of " +
           counted(Of.Processes.size(), "process", "processes") +
           " is known to have accessed memory in a region, and those that "
           "were killed, or replaced by exec, left no final record; let the "
           "tests end by themselves";
  return "nothing was checked: the regions of " + Them +
         " have no access in code that was compiled with "
         "-fsanitize=atomicity";
}

} // namespace atsan::report
