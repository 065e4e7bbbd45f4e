//===- Predict.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prediction (TACAS'09): which schedules of the events of one run are not
// conflict-serializable? As TACAS'09 does, it takes for granted that a thread
// does the same whatever it reads, which need not be so: each prediction is a
// schedule to be tried. Locks, starts, joins, barriers and what is handed over
// are respected, by the search of `atsan predict --locks=nested`. Behind these
// come probes (Probes.h).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PREDICT_PREDICT_H
#define ATSAN_PREDICT_PREDICT_H

#include "lib/predict/StepLog.h"

namespace atsan::predict {

/// A schedule that should show a violation.
struct Prediction {
  std::string Message;  ///< What would be wrong, in a sentence.
  std::string Schedule; ///< To be forced: the text of a schedule file.
  /// The accesses of the cycle in words: as they came in the recorded run, and
  /// as they are to come.
  std::string Recorded, Forced;
  /// How many reads would see another write than in the recorded run; what the
  /// program does with what it reads is not known.
  uint64_t ChangedReads = 0;
  /// Not known to be bad: what threads do then is (Probes.h).
  bool IsProbe = false;
};

/// A run can have many thousands that differ little.
constexpr size_t MaxPredictions = 1000;

struct Predictions {
  /// At most MaxPredictions, sorted by changed reads, the fewest first; then
  /// the probes.
  std::vector<Prediction> All;
  std::string GaveUp; ///< Why not all were found; empty: all were.
};

/// \p Seconds: how long it may take.
Predictions predict(const StepLog &Log, double Seconds);

} // namespace atsan::predict

#endif // ATSAN_PREDICT_PREDICT_H
