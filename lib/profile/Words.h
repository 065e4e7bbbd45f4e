//===- Words.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The profiles of a thread: all smallest words of its runs (Word.h). They are
// found from each procedure's begin to each of its states, then from the
// thread's begin to each procedure's begin. These are the configurations that
// post* finds of a pushdown system (TACAS'09, Lemma 6); transactions begin and
// end in words, which that lemma as printed lets them skip.
//
// Without locks there are finitely many words. With locks that are nested their
// depth is bounded, so that of infinitely many one is superfluous (Higman): the
// search ends.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PROFILE_WORDS_H
#define ATSAN_PROFILE_WORDS_H

#include "lib/profile/Flow.h"
#include "lib/profile/Word.h"
#include <deque>
#include <map>

namespace atsan::profile {

/// What threads did, as ropes that share their parts.
class Trails {
public:
  /// One action of a thread.
  struct Part {
    const model::Edge *Of = nullptr;
    model::Move Made;
    bool IsInStep = false;
    bool IsToken = false; ///< Is it the next token of the word?
  };

  uint32_t append(uint32_t Trail, const Part &Next) {
    All.push_back({Trail, 0, Next});
    return All.size();
  }
  uint32_t join(uint32_t A, uint32_t B) {
    if (!A || !B)
      return A ? A : B;
    All.push_back({A, B, {}});
    return All.size();
  }
  /// All parts of a trail. False if there are more than \p Most of them: trails
  /// of procedures that call each other can be very long.
  bool expand(uint32_t Trail, size_t Most, std::vector<Part> &To) const;

private:
  struct Rope {
    uint32_t Left, Right; ///< Trails; 0 is the empty one.
    Part Last;            ///< If Right is empty.
  };
  std::vector<Rope> All; ///< Trail N is the element N - 1.
};

/// The profiles of the thread with this flow, with accesses for which
/// \p Matters is true. Throws ModelError for lock operations within a step.
/// Incomplete once the limit is reached.
std::vector<Word> findProfiles(const model::Program &P, const Flow &F,
                               bool WithLocks, const std::vector<bool> &Matters,
                               Trails &T, check::Limits &Limit);

} // namespace atsan::profile

#endif
