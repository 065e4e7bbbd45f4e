//===- Probes.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prediction takes it that a thread does the same whatever it reads. Where a
// region looks and then acts, the events of a run in which the others came too
// late to act have no bad order: the second of two threads finds the entry that
// the first one made. A probe is a schedule that lets a region's read come
// before the write that it saw, and after that write's region has looked at the
// same memory. What the thread does then, only a run can tell.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PREDICT_PROBES_H
#define ATSAN_PREDICT_PROBES_H

#include "lib/check/Analysis.h"
#include "lib/predict/StepLog.h"

namespace atsan::predict {

/// The probes of a run, one for each three places, in the order of the run and
/// at most \p Most. Each has an Order and a Schedule, which respects what
/// Witness.h does.
std::vector<check::Finding> findProbes(const StepLog &Log, size_t Most);

} // namespace atsan::predict

#endif // ATSAN_PREDICT_PROBES_H
