//===- model_search.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan model --serializable` and `--linearizable`: what the search found, in
// the words of every other finding.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Writers.h"
#include "lib/model/Linearizable.h"
#include "lib/model/RunTrace.h"
#include "lib/model/Serializable.h"
#include "lib/report/LogReader.h"
#include "lib/report/Writers.h"
#include "tools/atsan/model.h"
#include "tools/atsan/output_file.h"
#include "tools/atsan/search_progress.h"
#include <iostream>

namespace atsan::tool {

namespace {

void tellStatistics(const SearchReport &Of, const model::SearchResult &R,
                    check::Outcome &To) {
  To.Statistics = {{Of.Unit + std::string("s"), R.States}};
  if (R.Bytes)
    To.Statistics.emplace_back("bytes", R.Bytes);
  if (R.isBad())
    To.Statistics.emplace_back("steps", R.Steps);
}

/// The page of `atsan report` about what the JSON says.
std::string pageOf(const std::string &Json, const std::string &File) {
  report::Logs Read;
  report::readLog(Json, File, Read);
  report::Summary S;
  S.Findings = report::collectFindings(Read.Reports);
  S.Problems = Read.Problems;
  return report::writeHtml(S, report::Places("."));
}

int exitCode(const model::SearchResult &R) {
  return R.isBad()          ? ExitFinding
         : R.GaveUp.empty() ? ExitNothingFound
                            : ExitBadInput;
}

void writeStatistics(const check::Outcome &O) {
  for (const auto &S : O.Statistics)
    std::cout << "  " << S.first << ": " << S.second << '\n';
}

} // namespace

int tellSearch(const ModelCommand &C, const SearchReport &Of,
               const model::Program &P, const model::SearchResult &R) {
  const std::vector<std::string> Threads = model::threadNames(P);
  model::RunTrace Run(P, Threads, R.Run, C.File);
  check::Outcome O;
  O.Trace = C.File;
  O.Algorithm = Of.Name;
  O.Decided = Of.Question;
  O.Seen = Of.Dropped ? "possible" : "in a run of the model";
  O.Given.Splits.parse("none");
  O.Events = Run.size();
  O.GaveUp = R.GaveUp;
  if (R.isBad())
    O.Findings.push_back(Of.Find(P, R, Run));
  if (C.Stats || C.Json)
    tellStatistics(Of, R, O);
  Run.rewind();
  const check::Explanation Explained(O.Findings, Run, O.Given.Splits);
  check::Words W(Run, Explained);
  const std::string Schedule =
      model::scheduleText(P, Threads, R.Run, !Of.Dropped);
  if (Of.Dropped && R.isBad())
    O.Findings[0].Notes.push_back(Of.Dropped);
  if (C.Json || !C.Html.empty()) {
    check::Outcome WithSchedule = O;
    if (R.isBad())
      WithSchedule.Findings[0].Notes.push_back("Schedule:\n" + Schedule);
    const std::string Json = check::writeJson(WithSchedule, W, ATSAN_VERSION);
    if (!C.Html.empty())
      writeWhole(C.Html, pageOf(Json, C.File), C.Force);
    if (C.Json) {
      std::cout << Json;
      return exitCode(R);
    }
  }
  std::cout << "Decided by " << Of.Name << ": " << Of.Question << "\n\n";
  if (R.isBad()) {
    std::cout << check::writeFindings(O, W) << "The "
              << (R.IsShortest ? "shortest schedule" : "schedule")
              << " that shows it (" << check::counted(R.Steps, "step")
              << (R.IsShortest ? "" : "; a shorter one may exist") << "):\n\n"
              << Schedule << "\nVerdict: "
              << (R.Error == model::Fault::None ? Of.Refuted
                                                : "the model has an error")
              << '\n';
  } else if (R.GaveUp.empty()) {
    std::cout << Of.Proved << ": all executions, "
              << check::counted(R.States, Of.Unit) << '\n';
  } else {
    std::cout << "gave up after " << check::counted(R.States, Of.Unit) << ": "
              << R.GaveUp << "\nVerdict: undecided\n";
  }
  writeStatistics(O);
  return exitCode(R);
}

int decideSerializable(const ModelCommand &C) {
  SearchReport Of = {
      "serializable", "is every run of the model conflict-serializable?",
      "serializable", "not serializable",
      "state",        model::findingOf};
  const model::Program P = readProgram(C.File, model::Calls::Expand);
  const model::SearchResult R = withProgress(
      [&] { return model::decideSerializable(P, searchOptions(C)); });
  const model::Contents Has = model::contentsOf(P);
  if (Has.Regions && R.isProved() && !R.Reached.Regions)
    refuseUnreached(C.File, "a block");
  if (!Has.Regions) {
    // A mistake of the model is a finding all the same; and if all that there
    // is are asserts, that none of them fails is a verdict.
    const bool HasOnlyAsserts = Has.Asserts && !Has.Operations;
    if (R.isProved() && !HasOnlyAsserts)
      refuseWithoutBlock(C.File, Has);
    Of.Question = "has the model an error? (It has no block to be checked.)";
    Of.Proved = "the model has no error";
  }
  return tellSearch(C, Of, P, R);
}

int decideLinearizable(const ModelCommand &C) {
  const model::Program P = readProgram(C.File, model::Calls::Expand);
  const model::SearchResult R = withProgress(
      [&] { return model::decideLinearizable(P, searchOptions(C)); });
  // A mistake of the model is a finding all the same.
  if (R.isProved() && !R.Reached.Operations)
    refuseUnreached(C.File, "an operation of a register");
  return tellSearch(
      C,
      {"linearizable",
       "are the operations on registers linearizable in every run?",
       "linearizable", "not linearizable", "state", model::operationFinding},
      P, R);
}

} // namespace atsan::tool
