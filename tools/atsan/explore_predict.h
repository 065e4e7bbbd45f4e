//===- explore_predict.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strategy `predict` of `atsan explore`: one run is recorded; what another
// schedule of its events would do wrong is predicted; each prediction is
// forced, and the checker in the program decides. A run that could not follow
// shows other events, from which is predicted again.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_PREDICT_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_PREDICT_H

#include "lib/predict/Predict.h"
#include "tools/atsan/explore_findings.h"
#include <deque>
#include <functional>
#include <set>

namespace atsan::tool {

/// Not thread-safe.
class Predictor {
public:
  /// Runs the command with these options besides ours.
  using RunFunction = std::function<ExploredRun(const std::string &Options)>;

  /// \p Folder: where it may write; it is there already.
  Predictor(RunFunction Run, std::string Folder)
      : Run(std::move(Run)), Folder(std::move(Folder)) {}

  /// Runs the command as usual under control, and predicts from that.
  ExploredRun record();
  bool isEmpty() const { return Waiting.empty(); }
  /// Leaves out the prediction that is next, which another machine forces.
  void skip() { Waiting.pop_front(); }
  /// Runs the command by the next prediction. \p Options: ours besides.
  ExploredRun force(const std::string &Options);

  const std::vector<Unconfirmed> &unconfirmed() const { return NotShown; }
  /// How many runs followed a prediction, and how many of them had a finding.
  uint64_t forced() const { return Forced; }
  uint64_t confirmed() const { return Shown; }

private:
  ExploredRun runBy(const std::string &Schedule, const std::string &Options);
  void learn();

  const RunFunction Run;
  const std::string Folder;
  std::deque<predict::Prediction> Waiting;
  std::set<std::string> Known; ///< Schedules that were predicted so far.
  std::vector<Unconfirmed> NotShown;
  uint64_t Forced = 0, Shown = 0;
};

} // namespace atsan::tool

#endif
