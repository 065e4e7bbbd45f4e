//===- Linearizable.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Are all operations of a register linearizable, in every run of a program?
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_LINEARIZABLE_H
#define ATSAN_MODEL_LINEARIZABLE_H

#include "lib/model/Search.h"

namespace atsan::model {

/// Throws ModelError for what a search cannot decide.
SearchResult decideLinearizable(const Program &P, const SearchOptions &O);

/// The finding in a run that is not linearizable, or in which the model is
/// mistaken.
check::Finding operationFinding(const Program &P, const SearchResult &R,
                                trace::Source &Run);

} // namespace atsan::model

#endif // ATSAN_MODEL_LINEARIZABLE_H
