//===- refine.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan refine`: runs a command until no region that it checks is found not to
// be atomic. Of each cycle, the region that it closes in is moved to a list of
// exclusions: without that region, this cycle cannot come about.
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Words.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/interruption.h"
#include "tools/atsan/refine_list.h"
#include "tools/atsan/refine_run.h"
#include <cstring>
#include <iostream>
#include <memory>

namespace atsan::tool {

namespace {

struct Options {
  std::string Exclude = "atomicity-exclude.txt";
  unsigned MaxRuns = 20;
  unsigned CleanRuns = 1;
  std::vector<std::string> Command;
};

using finding::counted;

std::ostream &say() { return std::cerr << "atsan refine: "; }

/// Adds the regions that the reports blame to the list, once each. \p Problem
/// gets why that is not possible for one of them.
size_t exclude(const std::vector<finding::Finding> &Reports,
               ExclusionList &List, std::string &Problem) {
  std::vector<Exclusion> New;
  for (const finding::Finding &R : Reports) {
    Exclusion E;
    try {
      E = exclusionFor(R);
    } catch (const InputError &Error) {
      Problem = Error.what();
      continue;
    }
    bool Known = List.has(E.Pattern);
    for (const Exclusion &Other : New)
      Known |= Other.Pattern == E.Pattern;
    if (!Known)
      New.push_back(std::move(E));
  }
  if (New.empty())
    return 0;
  List.add(New);
  for (const Exclusion &E : New)
    say() << "excluded " << E.Pattern << '\n';
  return New.size();
}

std::string howItEnded(const RunResult &Result) {
  if (Result.Signal)
    return std::string("was ended by signal ") + std::to_string(Result.Signal) +
           " (" + strsignal(Result.Signal) + ")";
  return "ended with exit code " + std::to_string(Result.ExitCode);
}

[[noreturn]] void endInterrupted(int Signal) {
  say() << "interrupted; the list has all that was found so far, and the same "
           "command goes on from there\n";
  endBy(Signal);
}

/// A run without a report has to be a success, and to have checked something.
/// \p HasAdded: what the list excludes was found to be other than atomic here.
void checkCleanRun(const RunResult &Result, unsigned Run,
                   const report::Logs &Found, bool HasAdded) {
  if (Result.Signal || Result.ExitCode)
    throw InputError(
        "the command " + howItEnded(Result) + " without a report in run " +
        std::to_string(Run) +
        (Result.ExitCode == ExitFinding
             ? "; does it hand ATSAN_OPTIONS on to the program?"
             : "; that is a failure of its own, which has to be mended first"));
  if (HasAdded && report::isAllExcluded(Found))
    say() << "warning: every region of these tests is in the list, so that "
             "nothing is left to check\n";
  else if (const std::string Why = report::whyNothingWasChecked(Found);
           !Why.empty())
    throw InputError("run " + std::to_string(Run) + ": " + Why);
}

int run(const Options &O) {
  if (O.CleanRuns > O.MaxRuns)
    throw InputError("--clean-runs=" + std::to_string(O.CleanRuns) +
                     " is more than --max-runs=" + std::to_string(O.MaxRuns) +
                     "; allow more runs");
  ExclusionList List(O.Exclude);
  int Signal = 0;
  {
    ReportDirectory Reports(List.path());
    const auto TakeOver = [&] {
      report::Logs Found = Reports.read();
      std::string Problem;
      const size_t New = exclude(Found.Reports, List, Problem);
      Reports.clear();
      if (!Problem.empty())
        throw InputError(Problem);
      if (!Found.Reports.empty() && !New)
        throw InputError(
            "regions are reported that the list has; is the program "
            "linked with the runtime of this version?");
      return Found;
    };

    bool HasAdded = false; // Whether the list has grown.
    if (const size_t Left = TakeOver().Reports.size()) {
      HasAdded = true;
      say() << "took over " << counted(Left, "report")
            << " of a run that was killed\n";
    }
    unsigned Clean = 0; // Clean runs in a row.
    for (unsigned Run = 1; Run <= O.MaxRuns && !Signal; ++Run) {
      const RunResult Result = runCommand(O.Command, Reports, List.path());
      const report::Logs Logs = TakeOver();
      const size_t Found = Logs.Reports.size();
      Signal = Result.Interrupted;
      if (Signal)
        break;
      if (Found) {
        Clean = 0;
        HasAdded = true;
        say() << "run " << Run << ": " << counted(Found, "report") << '\n';
        continue;
      }
      checkCleanRun(Result, Run, Logs, HasAdded);
      say() << "run " << Run << " is clean; " << List.path() << " has "
            << counted(List.size(), "entry", "entries") << '\n';
      if (++Clean == O.CleanRuns)
        return ExitNothingFound;
    }
  }
  if (Signal)
    endInterrupted(Signal);
  say() << (O.CleanRuns == 1
                ? std::string("still reports")
                : "no " + std::to_string(O.CleanRuns) + " clean runs in a row")
        << " after " << counted(O.MaxRuns, "run")
        << "; the same command goes on from there\n";
  return ExitFinding;
}

} // namespace

Action declareRefine(CLI::App &App) {
  auto O = std::make_shared<Options>();
  App.add_option("--exclude", O->Exclude,
                 "The list: what it has is excluded and stays, what is found "
                 "is added, with the reasons")
      ->type_name("FILE")
      ->capture_default_str();
  declarePositive(App, "--max-runs", O->MaxRuns, "Give up after so many runs");
  declarePositive(
      App, "--clean-runs", O->CleanRuns,
      "Go on until so many runs in a row report nothing: other runs "
      "may have other interleavings");
  App.add_option("COMMAND", O->Command,
                 "After '--': the tests, which run a program with regions")
      ->required();
  App.footer("Exit codes: 0 the last runs were clean, 66 there are still "
             "reports, 2 bad usage or input,\nor the command failed for "
             "another reason.");
  return [O] { return run(*O); };
}

} // namespace atsan::tool
