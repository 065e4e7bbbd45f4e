//===- ScheduleText.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/ScheduleText.h"
#include <algorithm>

using namespace atsan;
using namespace atsan::predict;

namespace {

/// The numbers of each thread's events that have points of their own.
using FreshEvents = std::map<uint32_t, std::vector<uint64_t>>;

FreshEvents freshEventsOf(const StepLog &Log) {
  FreshEvents Of;
  const std::vector<trace::Event> &Events = Log.events();
  for (size_t I = 0; I != Events.size(); ++I)
    if (Log.pointOf(I + 1).IsFresh)
      Of[Events[I].Thread].push_back(I + 1);
  return Of;
}

} // namespace

std::string
atsan::predict::scheduleText(const StepLog &Log,
                             const std::vector<check::Stretch> &Schedule) {
  FreshEvents Fresh = freshEventsOf(Log);
  std::string Text = "atsan-schedule 1\n";
  for (size_t I = 0; I + 1 < Schedule.size(); ++I) {
    const check::Stretch &S = Schedule[I];
    const uint32_t To = Schedule[I + 1].Thread;
    if (S.Thread == To)
      continue;
    const std::vector<uint64_t> &Own = Fresh[S.Thread];
    const auto Next = std::upper_bound(Own.begin(), Own.end(), S.Last);
    Text += "switch " + Log.path(S.Thread) + ' ';
    if (Next == Own.end()) {
      Text += "end 1 ";
    } else {
      const Point &P = Log.pointOf(*Next);
      Text += Log.place(P.Place) + ' ' + std::to_string(P.Visit) + ' ';
    }
    Text += Log.path(To) + '\n';
  }
  return Text + "end\n";
}
