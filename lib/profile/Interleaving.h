//===- Interleaving.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Can words of several threads be interleaved so that a cycle of conflicts
// comes about? A lock has one holder at a time, and what a thread of the cycle
// is left at comes before what the next one is entered at.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PROFILE_INTERLEAVING_H
#define ATSAN_PROFILE_INTERLEAVING_H

#include "lib/check/Limits.h"
#include "lib/profile/Word.h"
#include <optional>

namespace atsan::profile {

/// A word as a part of a cycle: the cycle enters the thread at one access of
/// the word, and leaves it at one.
struct Passage {
  uint32_t Class = 0; ///< The class of the thread (Cycles.h).
  const Word *Is = nullptr;
  Access In = NoAccess;
  Access Out = NoAccess;
  /// In is behind Out, in the same transaction, and others can come between:
  /// there is no cycle without such a passage.
  bool IsSplit = false;

  /// The numbers of the tokens that are these accesses.
  size_t inAt() const;
  size_t outAt() const;
};

/// The number of the passage for each token, in the order of a run; nullopt if
/// there is none, or the limit was reached. The first passage is split. Unless
/// \p IsClosed, the first thread is not entered any more, so that there is no
/// order for a longer cycle either if there is none for this.
std::optional<std::vector<size_t>> interleave(const std::vector<Passage> &Cycle,
                                              bool IsClosed,
                                              check::Limits &Limit);

} // namespace atsan::profile

#endif
