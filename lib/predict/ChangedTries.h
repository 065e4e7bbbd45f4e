//===- ChangedTries.h
//--------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tries for a lock or semaphore failed in the run, or waits for a
// condition ended without a signal, and need not in a prediction.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PREDICT_CHANGEDTRIES_H
#define ATSAN_PREDICT_CHANGEDTRIES_H

#include "lib/check/Analysis.h"
#include <functional>
#include <memory>

namespace atsan::predict {

/// Finds the ChangedTries of findings that have a Schedule, and are no order of
/// the run itself. \p Open: opens the trace at its begin; it is read once, and
/// again if a try failed in it. Keeps the events of each lock, semaphore and
/// condition for which one did. Returns false, and finds nothing, if these are
/// too many.
bool findChangedTries(
    std::vector<check::Finding> &Findings,
    const std::function<std::unique_ptr<trace::Source>()> &Open);

} // namespace atsan::predict

#endif // ATSAN_PREDICT_CHANGEDTRIES_H
