//===- report.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan report`: the options, and which files are read and written. The work
// is in lib/report.
//
//===----------------------------------------------------------------------===//

#include "lib/report/Files.h"
#include "lib/report/LogReader.h"
#include "lib/report/Writers.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/baseline_file.h"
#include "tools/atsan/output_file.h"
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <set>

using namespace atsan::report;

namespace atsan::tool {

namespace {

struct Options {
  std::vector<std::string> Logs;
  std::string Sarif, JUnit, Html;
  std::string Baseline, NewBaseline;
  std::string SourceRoot = ".";
  bool FailOnPotential = false;
  bool AllowEmpty = false;
};

void write(const std::string &Name, const std::string &Text) {
  if (Name.empty())
    return;
  checkReplaceable(Name, std::string_view(Text).substr(0, 14));
  if (!writeFile(Name, Text))
    throw InputError(Name + ": the file cannot be written (" +
                     std::strerror(errno) + "); name another one");
}

/// Tells what the processes have checked, and what was surely not meant.
void tellProcesses(const std::vector<Process> &Processes) {
  uint64_t Regions = 0, Operations = 0, Killed = 0;
  std::set<std::string> Warnings;
  for (const Process &P : Processes) {
    Regions += P.Regions;
    Operations += P.Operations;
    Killed += !P.Ended;
    if (!P.LeftOpen.empty())
      Warnings.insert(P.Program + ": " + P.LeftOpen);
  }
  if (!Processes.empty())
    std::cout << counted(Processes.size(), "process", "processes")
              << " entered " << counted(Regions, "region");
  if (Operations)
    std::cout << ", and made " << counted(Operations, "operation")
              << " on watched objects";
  if (Killed)
    std::cout << "; " << Killed
              << " of them did not end by themselves, so that of these only "
                 "the first region is known";
  if (!Processes.empty())
    std::cout << '\n';
  for (const std::string &Warning : Warnings)
    std::cerr << "atsan report: warning: " << Warning << '\n';
}

int run(const Options &O) {
  Baseline Known = readBaseline(O.Baseline, "report", !O.NewBaseline.empty());
  checkNewBaseline(O.NewBaseline);

  Logs Read;
  for (const std::string &Log : O.Logs)
    readLogs(Log, Read);

  Summary S;
  S.Findings = collectFindings(Read.Reports);
  S.Problems = Read.Problems;
  if (const std::string Why = whyNothingWasChecked(Read);
      !Why.empty() && !O.AllowEmpty && S.Problems.empty())
    S.Problems.push_back(Why + " (--allow-empty: no error)");
  S.Reports = Read.Reports.size();
  S.HasBaseline = !O.Baseline.empty();
  S.FailOnPotential = O.FailOnPotential;
  S.NotFound = compareWithBaseline(Known, S.Findings);

  const Places P(O.SourceRoot);
  std::cout << writeText(S, P);
  tellProcesses(Read.Processes);
  if (Read.CheckedTraces)
    std::cout << "atsan check has decided "
              << counted(Read.CheckedTraces, "trace") << " of "
              << counted(Read.CheckedEvents, "event") << '\n';
  if (Read.CheckedModels)
    std::cout << "atsan model has decided "
              << counted(Read.CheckedModels, "model") << '\n';
  if (Read.CheckedHistories)
    std::cout << "atsan registers has decided "
              << counted(Read.CheckedHistories, "history", "histories")
              << " of " << counted(Read.CheckedOperations, "operation") << '\n';
  if (Read.OtherLines)
    std::cout << counted(Read.OtherLines, "line is no report",
                         "lines are no reports")
              << " and passed over\n";
  std::cout.flush();
  for (const std::string &Problem : S.Problems)
    std::cerr << "atsan report: error: " << Problem << '\n';

  write(O.Sarif, writeSarif(S, P, ATSAN_VERSION));
  write(O.JUnit, writeJUnit(S, P));
  write(O.Html, writeHtml(S, P));
  if (!S.Problems.empty()) {
    if (!O.NewBaseline.empty())
      throw InputError(O.NewBaseline + ": not written, since not all reports "
                                       "could be read");
    return ExitBadInput;
  }
  if (!O.NewBaseline.empty()) {
    addToBaseline(S.Findings, Known);
    writeWhole(O.NewBaseline, formatBaseline(Known), /*Replace=*/true);
    return ExitNothingFound;
  }
  return S.failing() ? ExitFinding : ExitNothingFound;
}

} // namespace

Action declareReport(CLI::App &App) {
  auto O = std::make_shared<Options>();
  App.add_option(
         "LOG", O->Logs,
         "Files that programs wrote with "
         "ATSAN_OPTIONS=report_format=json:log_path=..., or atsan check "
         "or atsan registers with --json, or folders of such files")
      ->required();
  App.add_option("--baseline", O->Baseline,
                 "Findings in FILE are known: only others fail the run")
      ->type_name("FILE");
  App.add_option("--write-baseline", O->NewBaseline,
                 "Write what was found, and what --baseline has, to FILE; then "
                 "nothing fails the run")
      ->type_name("FILE");
  declareFailOn(App, O->FailOnPotential);
  App.add_flag("--allow-empty", O->AllowEmpty,
               "It is no error if nothing was checked: no process, no region");
  App.add_option("--sarif", O->Sarif, "Write SARIF 2.1.0 to FILE")
      ->type_name("FILE");
  App.add_option("--junit", O->JUnit, "Write JUnit XML to FILE")
      ->type_name("FILE");
  App.add_option("--html", O->Html,
                 "Write a page with a picture of each finding to FILE")
      ->type_name("FILE");
  App.add_option("--source-root", O->SourceRoot,
                 "Files below DIR are named relative to it (default: the "
                 "current directory)")
      ->type_name("DIR");
  App.footer("Exit codes: 0 nothing new that fails the run, 66 there is, 2 a "
             "log could not be read whole (what could be read is reported), or "
             "nothing was checked.");
  return [O] { return run(*O); };
}

} // namespace atsan::tool
