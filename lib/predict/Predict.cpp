//===- Predict.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/Predict.h"
#include "lib/check/Profiles.h"
#include "lib/predict/Probes.h"
#include "lib/predict/ReadsFrom.h"
#include "lib/predict/ScheduleText.h"
#include <algorithm>
#include <tuple>

using namespace atsan;
using namespace atsan::predict;

static std::string accessOf(const StepLog &Log, const check::NumberedEvent &E) {
  const std::string What = trace::writes(E.What.Kind)  ? "write"
                           : trace::reads(E.What.Kind) ? "read"
                                                       : "step";
  return "the " + What + " in " + Log.where(E.Number);
}

/// Says it without numbers of events, which nobody sees.
static std::string messageOf(const StepLog &Log, const check::Finding &F) {
  if (F.Relations.empty() || F.Blamed.empty())
    return F.Message;
  const check::NumberedEvent &First = F.Relations.front().First;
  const check::NumberedEvent &Between = F.Relations.front().Later;
  const check::NumberedEvent &Last = F.Relations.back().Later;
  if (!First.Number || !Between.Number || !Last.Number)
    return F.Message;
  return "between " + accessOf(Log, First) + " and " + accessOf(Log, Last) +
         ", in a region of thread " + Log.path(F.Blamed[0].Thread) +
         ", may come " + accessOf(Log, Between) + " of thread " +
         Log.path(Between.What.Thread);
}

/// Names the accesses one after the other.
static std::string storyOf(const StepLog &Log,
                           const std::vector<check::NumberedEvent> &Order) {
  std::string Text;
  for (const check::NumberedEvent &E : Order)
    if (E.Number)
      Text += (Text.empty() ? "" : "; ") + accessOf(Log, E) + " of thread " +
              Log.path(E.What.Thread);
  return Text;
}

static Prediction predictionOf(const StepLog &Log, const check::Finding &F) {
  Prediction P;
  P.Message = messageOf(Log, F);
  P.Schedule = scheduleText(Log, F.Schedule);
  P.Forced = storyOf(Log, F.Order);
  std::vector<check::NumberedEvent> Recorded = F.Order;
  std::sort(Recorded.begin(), Recorded.end(),
            [](const check::NumberedEvent &A, const check::NumberedEvent &B) {
              return A.Number < B.Number;
            });
  P.Recorded = storyOf(Log, Recorded);
  return P;
}

/// The memory that prediction may take, of the whole process.
static constexpr uint64_t MaxMemory = uint64_t(2) << 30;
/// How many events may be looked at for the order of predictions.
static constexpr uint64_t MaxRanked = 50 * 1000 * 1000;

/// How many probes are made of a run.
static constexpr size_t MaxProbes = 16;

namespace {
struct Ranked {
  uint64_t ChangedReads;
  size_t Found;
  bool operator<(const Ranked &Other) const {
    return std::tie(ChangedReads, Found) <
           std::tie(Other.ChangedReads, Other.Found);
  }
};
} // namespace

/// The best of the orders that were found, the best one first. In a long run,
/// only the first are looked at.
static std::vector<Ranked> rank(const StepLog &Log,
                                const std::vector<check::Finding> &Findings) {
  const size_t Most = MaxRanked / std::max<size_t>(1, Log.events().size()) + 1;
  const ReadsFrom Recorded(Log);
  std::vector<Ranked> Best;
  for (size_t I = 0; I != std::min(Findings.size(), Most); ++I)
    Best.push_back({Recorded.changed(Findings[I].Schedule), I});
  std::sort(Best.begin(), Best.end());
  if (Best.size() > MaxPredictions)
    Best.resize(MaxPredictions);
  return Best;
}

Predictions atsan::predict::predict(const StepLog &Log, double Seconds) {
  check::Options O;
  O.All = true;
  O.MaxFindings = 4 * MaxPredictions;
  O.MaxSeconds = Seconds;
  O.MaxMemoryBytes = MaxMemory;
  check::Profiles Search(O, /*WithLocks=*/true);
  if (Search.consume({Log.events().data(), Log.events().size()}))
    Search.finish();
  Predictions P;
  P.GaveUp = Search.gaveUp();
  for (const Ranked &R : rank(Log, Search.findings())) {
    P.All.push_back(predictionOf(Log, Search.findings()[R.Found]));
    P.All.back().ChangedReads = R.ChangedReads;
  }
  for (const check::Finding &F : findProbes(Log, MaxProbes)) {
    P.All.push_back(predictionOf(Log, F));
    P.All.back().IsProbe = true;
    P.All.back().Message += ", which may do something else then";
  }
  return P;
}
