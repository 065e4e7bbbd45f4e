//===- check.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan check`: the options, and how a trace goes through an algorithm. The
// algorithms, their words and the writers are in lib/check.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Registry.h"
#include "lib/predict/ChangedReads.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/check_run.h"
#include "tools/atsan/trace.h"
#include <iostream>
#include <memory>
#include <utility>

using namespace atsan::check;

namespace atsan::tool {

namespace {

struct CommandLine {
  TraceInput Input;
  std::string Algorithm = algorithms().front().Name;
  std::string Splits = "all";
  std::string Level;
  std::string Improvements;
  bool FailOnPotential = false;
  LimitOptions Limits;
  bool Json = false;
  bool Stats = false;
  check::Options Given;
};

[[noreturn]] void failMeaningless(const char *Option, const CommandLine &C,
                                  const char *Others) {
  throw InputError(std::string(Option) + " means nothing to " + C.Algorithm +
                   "; leave it out, or choose --algorithm=" + Others);
}

check::Options options(const CommandLine &C, const Algorithm &A) {
  if (C.Given.LockEdges && !A.HasLockEdges)
    failMeaningless("--lock-edges", C, "scg");
  if (!C.Improvements.empty() && !A.HasImprovements)
    failMeaningless("--improvements", C, "reduction");
  if (!C.Level.empty() && !A.HasLevels)
    failMeaningless("--level", C, "blocks");
  if (C.Given.Schedule && !A.HasLevels)
    failMeaningless("--schedule", C, "blocks");
  check::Options O = C.Given;
  if (!O.Splits.parse(C.Splits))
    throw InputError("--region-splits: '" + C.Splits +
                     "' is not known; give none, all, or some of start,join,"
                     "barrier,wait");
  if (!C.Improvements.empty() && !O.Improved.parse(C.Improvements))
    throw InputError("--improvements: '" + C.Improvements +
                     "' is not known; give none, all, or some of escape,"
                     "happens-before,multilocksets,acq-a-rel");
  C.Limits.apply(O, A.MaxSeconds);
  if (!C.Level.empty())
    O.Level = C.Level;
  return O;
}

int run(const CommandLine &C) {
  const Algorithm &A = *findAlgorithm(C.Algorithm);
  Outcome Result;
  Result.Trace = C.Input.File;
  Result.Algorithm = C.Algorithm;
  Result.Given = options(C, A);
  Result.HasLevel = A.HasLevels;

  // The trace is read again to explain what is found.
  std::unique_ptr<trace::Source> Trace = C.Input.openFirst();
  check::Options Given = Result.Given;
  Given.Names = &Trace->names();
  Given.Again = [&C] { return C.Input.open(); };
  std::unique_ptr<Analysis> Work = A.Create(Given);
  Result.Decided = Work->notion();
  analyse(*Trace, std::move(Work), A.IsAboutRegions, C.Stats, Result);

  if (!Result.Findings.empty()) {
    if (C.Json) // Text shows of an order its events only.
      predict::findChangedReads(Result.Findings, Given.Again);
    Trace = C.Input.open();
  }
  const Explanation Explained(Result.Findings, *Trace, Result.Given.Splits);
  Words W(Trace->names(), Explained);
  std::cout << (C.Json ? writeJson(Result, W, ATSAN_VERSION)
                       : writeText(Result, W));
  complain("check", Result);
  return exitCode(Result, C.FailOnPotential);
}

} // namespace

Action declareCheck(CLI::App &App) {
  auto C = std::make_shared<CommandLine>();
  C->Input.declare(App,
                   "A trace: binary (ATSAN_OPTIONS=trace=FILE) or STD text");
  declareAlgorithm(App, C->Algorithm, "What to decide, and how:", algorithms());
  App.add_flag("--lock-edges", C->Given.LockEdges,
               "A lock's release is before its next acquire (Velodrome's and "
               "AeroDrome's notion)");
  App.add_option("--region-splits", C->Splits,
                 "What divides a region: none, all, or some of "
                 "start,join,barrier,wait (default: all)")
      ->type_name("LIST");
  App.add_flag("--all", C->Given.All,
               "Report all findings, once for each region and closing place, "
               "not only the first");
  App.add_option("--level", C->Level,
                 "Of blocks: 1v, 2v or full (default: full)")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"1v", "2v", "full"}).description(""));
  App.add_flag("--schedule", C->Given.Schedule,
               "Of blocks: print the whole schedule of each finding");
  App.add_option(
         "--improvements", C->Improvements,
         "Of reduction, reduction-online, locksets and blocks: which of "
         "escape,happens-before,multilocksets,acq-a-rel to use, none, "
         "or all (default)")
      ->type_name("LIST");
  declareFailOn(App, C->FailOnPotential);
  C->Limits.declare(App, "300 for blocks, whose search is exponential, else 0");
  App.add_flag("--json", C->Json,
               "Print JSON (schema/atsan-check-2.schema.json)");
  App.add_flag("--stats", C->Stats, "Print the algorithm's figures, too");
  App.footer(
      "Exit codes: 0 nothing found that fails the run, 66 a finding that "
      "does, 2 the trace was not decided (damaged, without a region, or a "
      "limit was reached) or bad usage.");
  return [C] { return run(*C); };
}

} // namespace atsan::tool
