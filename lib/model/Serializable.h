//===- Serializable.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is every run of a program conflict-serializable? (CAV'08, section 4)
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_SERIALIZABLE_H
#define ATSAN_MODEL_SERIALIZABLE_H

#include "lib/model/Search.h"

namespace atsan::model {

/// Throws ModelError for safe and regular registers, whose accesses have no
/// order.
void requireAtomicVariables(const Program &P);

/// Throws ModelError for what a search cannot decide: any number of threads,
/// safe and regular registers.
SearchResult decideSerializable(const Program &P, const SearchOptions &O);

/// The names of the program's threads, by number.
std::vector<std::string> threadNames(const Program &P);

/// Makes a finding that rests on the run as a whole point to its last event,
/// and to the begin of the region that this one is in.
void pointToEnd(check::Finding &F, trace::Source &Run);

/// The finding in a run that is not serializable, or in which the model is
/// mistaken. \p Run: the run as a trace, which is read.
check::Finding findingOf(const Program &P, const SearchResult &R,
                         trace::Source &Run);

} // namespace atsan::model

#endif // ATSAN_MODEL_SERIALIZABLE_H
