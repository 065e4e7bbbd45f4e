//===- ScheduleText.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An order of recorded events as a schedule that a run can be made to follow.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PREDICT_SCHEDULETEXT_H
#define ATSAN_PREDICT_SCHEDULETEXT_H

#include "lib/check/Analysis.h"
#include "lib/predict/StepLog.h"

namespace atsan::predict {

/// The text of a schedule file (docs/explore.md) with a switch at the end of
/// each stretch: the thread is held at the next point that it comes to. What
/// comes behind the last stretch goes on as usual.
std::string scheduleText(const StepLog &Log,
                         const std::vector<check::Stretch> &Schedule);

} // namespace atsan::predict

#endif // ATSAN_PREDICT_SCHEDULETEXT_H
