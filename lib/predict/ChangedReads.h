//===- ChangedReads.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which reads of a predicted schedule get a byte from another write than in the
// run. What a thread does with another value is not known.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PREDICT_CHANGEDREADS_H
#define ATSAN_PREDICT_CHANGEDREADS_H

#include "lib/check/Analysis.h"
#include <functional>
#include <memory>
#include <vector>

namespace atsan::predict {

/// Finds the ChangedReads of findings that have a Schedule, each with the two
/// writes of the first byte that differs. \p Open: the trace from its begin on;
/// it is read twice. O(events + findings * threads that write what they read).
void findChangedReads(
    std::vector<check::Finding> &Findings,
    const std::function<std::unique_ptr<trace::Source>()> &Open);

} // namespace atsan::predict

#endif // ATSAN_PREDICT_CHANGEDREADS_H
