//===- trace.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan trace`: the table of its own sub-commands; how traces are opened.
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/trace.h"
#include <CLI/CLI.hpp>
#include <sys/stat.h>

namespace atsan::tool {

void TraceInput::declare(CLI::App &App, const std::string &Help) {
  App.add_option("FILE", File, Help)->required();
  App.add_flag("--lenient", Std.Lenient,
               "Accept STD text that no run can have made, such as the "
               "release of a lock that is not held");
}

std::unique_ptr<trace::Source> TraceInput::open() const {
  std::string Error;
  std::unique_ptr<trace::Source> Result = trace::open(File, Error, Std);
  if (!Result)
    throw InputError(Error);
  return Result;
}

std::unique_ptr<trace::Source> TraceInput::openFirst() const {
  struct stat Status;
  const bool IsStandard = File == "-";
  if (IsStandard || (!stat(File.c_str(), &Status) && S_ISFIFO(Status.st_mode)))
    throw InputError((IsStandard ? "<standard input>" : File) +
                     ": the trace is read twice, which a pipe does not allow; "
                     "write it to a file first");
  return open();
}

Action declareTrace(CLI::App &App) {
  static const struct {
    const char *Name;
    const char *Summary;
    DeclareFunction Declare;
  } Commands[] = {
      {"print", "Print events, all or some, a line each", declareTracePrint},
      {"convert", "Write a trace in another format", declareTraceConvert},
      {"stats", "Count events, threads, variables, regions, locks",
       declareTraceStats},
  };
  App.require_subcommand(1);
  App.footer("'atsan trace COMMAND --help' says more.\n"
             "Exit codes: 0 done, 2 bad usage or input. A damaged trace is "
             "read up to the damage.");
  std::vector<std::pair<CLI::App *, Action>> Declared;
  for (const auto &C : Commands) {
    CLI::App *Own = App.add_subcommand(C.Name, C.Summary);
    Declared.emplace_back(Own, C.Declare(*Own));
  }
  return [Declared] {
    for (const auto &[Own, Act] : Declared)
      if (Own->parsed())
        return Act();
    return static_cast<int>(ExitBadInput); // CLI11 has asked for one.
  };
}

} // namespace atsan::tool
