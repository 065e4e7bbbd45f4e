//===- explore_predict.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_predict.h"
#include "tools/atsan/Command.h"
#include <fstream>
#include <sstream>

namespace atsan::tool {

/// How long the search for predictions from one run may take.
static constexpr double MaxSeconds = 10;

static std::string lineOf(const std::string &Text, uint64_t Number) {
  std::istringstream In(Text);
  std::string Line;
  while (Number-- && std::getline(In, Line))
    ;
  return Line;
}

ExploredRun Predictor::runBy(const std::string &Schedule,
                             const std::string &Options) {
  static constexpr char Remedy[] = "set TMPDIR to another folder";
  const std::string File = Folder + "/predicted";
  std::ofstream(File) << Schedule;
  std::remove((Folder + "/steps").c_str());
  return R.run(":schedule=" + quotedOption(File, Remedy) + ":schedule_log=" +
               quotedOption(Folder + "/steps", Remedy) + Options);
}

/// Predicts from the last run.
void Predictor::learn() {
  predict::StepLog Log;
  if (!Log.read(textOf(Folder + "/steps")).empty())
    return; // The run has written none: it says itself why.
  predict::Predictions Found = predict::predict(Log, MaxSeconds);
  if (GaveUp.empty())
    GaveUp = Found.GaveUp;
  for (predict::Prediction &P : Found.All)
    if (Known.insert(P.Schedule).second)
      Waiting.push_back(std::move(P));
}

ExploredRun Predictor::record() {
  ExploredRun Run = runBy("atsan-schedule 1\nend\n", "");
  learn();
  return Run;
}

ExploredRun Predictor::force(const std::string &Options) {
  const predict::Prediction P = std::move(Waiting.front());
  Waiting.pop_front();
  ++Forced;
  ExploredRun Run = runBy(P.Schedule, Options);
  Run.Order = {P.Recorded, P.Forced};
  const uint64_t Line = Run.Facts ? Run.Facts->DivergedAtLine : 0;
  if (Run.Finding)
    ++Shown;
  else if (Line)
    NotShown.push_back({P.Message, "the run went another way at '" +
                                       lineOf(P.Schedule, Line) + "'"});
  else
    NotShown.push_back({P.Message, "the run followed, and nothing was wrong"});
  if (!Run.Finding && (Line || P.IsProbe))
    learn();
  return Run;
}

} // namespace atsan::tool
