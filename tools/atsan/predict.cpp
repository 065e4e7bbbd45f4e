//===- predict.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan predict`: what other schedules of the events of a recorded run would
// not be serializable, with a witness for each. The algorithms are in
// lib/check, what is said of witnesses in lib/predict.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Blocks.h"
#include "lib/check/Profiles.h"
#include "lib/predict/ChangedReads.h"
#include "lib/predict/ChangedTries.h"
#include "lib/predict/Witnesses.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/check_run.h"
#include "tools/atsan/trace.h"
#include <cstdio>
#include <iostream>
#include <memory>
#include <utility>

using namespace atsan::check;

namespace atsan::tool {

namespace {

struct CommandLine {
  TraceInput Input;
  std::string Locks = "nested";
  std::string Format = "text";
  bool FailOnPotential = false;
  bool Stats = false;
  LimitOptions Limits;
  check::Options Given;
};

/// How long the exponential search of --locks=full may take.
constexpr double kMostSeconds = 300;

std::unique_ptr<Analysis> create(const std::string &Locks,
                                 const check::Options &O) {
  if (Locks == "none")
    return std::make_unique<Profiles>(O);
  if (Locks == "nested")
    return std::make_unique<Profiles>(O, /*WithLocks=*/true);
  return std::make_unique<Blocks>(O);
}

check::Options options(const CommandLine &C) {
  check::Options O = C.Given;
  O.All = true;
  C.Limits.apply(O, C.Locks == "full" ? kMostSeconds : 0);
  O.Again = [&C] { return C.Input.open(); };
  return O;
}

int run(const CommandLine &C) {
  std::unique_ptr<trace::Source> Trace = C.Input.openFirst();
  check::Options O = options(C);
  O.Names = &Trace->names();
  Outcome Result;
  Result.Trace = C.Input.File;
  Result.Algorithm = "predict";
  Result.Locks = C.Locks;
  Result.Given = O;
  Result.Given.All = O.Apart;
  std::unique_ptr<Analysis> Work = create(C.Locks, O);
  Result.Decided = Work->notion();
  analyse(*Trace, std::move(Work), /*IsAboutRegions=*/true, C.Stats, Result);

  if (!Result.Findings.empty()) {
    predict::findChangedReads(Result.Findings, O.Again);
    if (!predict::findChangedTries(Result.Findings, O.Again))
      std::fputs("atsan predict: warning: the trace has too many events of "
                 "locks for which a try failed; which tries would not fail "
                 "in a prediction is not said\n",
                 stderr);
    predict::rank(Result.Findings);
    Trace = C.Input.open();
  }
  const Explanation Explained(Result.Findings, *Trace, O.Splits);
  Words W(Trace->names(), Explained);
  for (Finding &F : Result.Findings) {
    W.speakOf(F);
    predict::addNotes(F, W);
  }
  if (!O.Apart)
    predict::onePerRegions(Result.Findings, W);
  std::cout << (C.Format == "json" ? writeJson(Result, W, ATSAN_VERSION)
                                   : writeText(Result, W));
  complain("predict", Result);
  return exitCode(Result, C.FailOnPotential);
}

} // namespace

Action declarePredict(CLI::App &App) {
  auto C = std::make_shared<CommandLine>();
  C->Input.declare(App,
                   "A trace: binary (ATSAN_OPTIONS=trace=FILE) or STD text");
  App.add_option("--locks", C->Locks,
                 "Which synchronization counts:\n"
                 "none: nothing; finds all there is, and more\n"
                 "nested: locks, starts, joins, barriers; misses nothing with "
                 "two threads and nested locks\n"
                 "full: misses nothing with any; exponential")
      ->type_name("WHICH")
      ->check(CLI::IsMember({"none", "nested", "full"}).description(""))
      ->capture_default_str();
  App.add_flag("--all", C->Given.Apart,
               "Not one finding for each pair of regions, but one for each "
               "order of their accesses, by places, threads and variables");
  App.add_option("--format", C->Format,
                 "text, or json (schema/atsan-check-2.schema.json)")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "json"}).description(""))
      ->capture_default_str();
  declareFailOn(App, C->FailOnPotential);
  C->Limits.declare(App, "300 for --locks=full, else 0");
  App.add_flag("--stats", C->Stats, "Print the algorithm's figures, too");
  App.footer(
      "Exit codes: 0 nothing found that fails the run, 66 a finding with "
      "--fail-on=potential, 2 the trace was not decided (damaged, without a "
      "region, or a limit was reached) or bad usage.");
  return [C] { return run(*C); };
}

} // namespace atsan::tool
