//===- Predictive.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Could some interleaving of some runs of the threads be a violation? Values
// and conditions are dropped ("The Complexity of Predicting Atomicity
// Violations", TACAS'09, sections 3 and 4). Exact for that question:
//
// - without locks by profiles, also of recursive procedures and for any number
//   of threads,
// - with nested locks by profiles that have the lock operations,
// - with other locks by the product of the threads, if no procedure is
//   recursive: then it is undecidable (Theorem 5).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PROFILE_PREDICTIVE_H
#define ATSAN_PROFILE_PREDICTIVE_H

#include "lib/model/Search.h"

namespace atsan::profile {

enum class Locks : uint8_t {
  Nested,  ///< By profiles.
  Product, ///< By the product of the threads.
  Ignored, ///< They keep nobody out.
};

struct Prediction {
  /// What Found's run consists of. Threads of any number have as many replicas
  /// as the run needs.
  model::Program Of;
  model::SearchResult Found;
  /// All profiles of all threads; 0 if the product decided.
  size_t Profiles = 0;
};

/// Throws ModelError for what cannot be decided, with the way out.
Prediction predict(const model::Model &M, Locks How,
                   const model::SearchOptions &O);

} // namespace atsan::profile

#endif
