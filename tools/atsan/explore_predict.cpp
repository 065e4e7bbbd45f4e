//===- explore_predict.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_predict.h"
#include "tools/atsan/scratch_folder.h"
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
  const std::string File = Folder + "/predicted";
  writeText(File, Schedule, kScratchRemedy);
  std::remove((Folder + "/steps").c_str());
  return Run(":schedule=" + quotedOption(File, kScratchRemedy) +
             ":schedule_log=" +
             quotedOption(Folder + "/steps", kScratchRemedy) + Options);
}

/// Predicts from the last run.
void Predictor::learn() {
  predict::StepLog Log;
  if (!Log.read(textOf(Folder + "/steps")).empty())
    return; // The run has written none: it says itself why.
  predict::Predictions Found = predict::predict(Log, MaxSeconds);
  for (predict::Prediction &P : Found.All)
    if (Known.insert(P.Schedule).second)
      Waiting.push_back(std::move(P));
}

ExploredRun Predictor::record() {
  ExploredRun Usual = runBy("atsan-schedule 1\nend\n", "");
  learn();
  return Usual;
}

ExploredRun Predictor::force(const std::string &Options) {
  const predict::Prediction P = std::move(Waiting.front());
  Waiting.pop_front();
  ++Forced;
  ExploredRun Result = runBy(P.Schedule, Options);
  Result.Order = {P.Recorded, P.Forced};
  const uint64_t Line = Result.Facts ? Result.Facts->DivergedAtLine : 0;
  if (Result.Finding)
    ++Shown;
  else if (Line)
    NotShown.push_back({P.Message, "the run went another way at '" +
                                       lineOf(P.Schedule, Line) + "'"});
  else
    NotShown.push_back({P.Message, "the run followed, and nothing was wrong"});
  if (!Result.Finding && (Line || P.IsProbe))
    learn();
  return Result;
}

} // namespace atsan::tool
