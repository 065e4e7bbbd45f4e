//===- Witnesses.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes a prediction from a trace something to act upon: which reads would
// get another value, so that it is not known what their threads do then; what
// forces it; and an order of all predictions, those first that ask for the
// least change.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PREDICT_WITNESSES_H
#define ATSAN_PREDICT_WITNESSES_H

#include "lib/check/Words.h"

namespace atsan::predict {

/// Sorts them: fewest changed reads first, then fewest threads, then those
/// whose events were close together in the run.
void rank(std::vector<check::Finding> &Findings);

/// Leaves the first finding of those that are about the same regions, or where
/// an access is in none, the same place; it says how many there were. To be
/// called behind rank().
void onePerRegions(std::vector<check::Finding> &Findings,
                   const check::Words &W);

/// Adds the order, the constraints and the changed reads as lines for people.
void addNotes(check::Finding &F, const check::Words &W);

} // namespace atsan::predict

#endif // ATSAN_PREDICT_WITNESSES_H
