//===- Cycles.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cycles of conflicts through profiles of distinct threads (TACAS'09, Lemma 3,
// corrected as in lib/check/ProfileChains.h): from an access of one thread to
// one of the next, on from another one of that thread in the same or a later
// transaction, and back to the first thread, into the transaction that was
// left. In a conflict graph with a cycle there is one that visits each thread
// once.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PROFILE_CYCLES_H
#define ATSAN_PROFILE_CYCLES_H

#include "lib/profile/Interleaving.h"

namespace atsan::profile {

/// Threads that are alike.
struct ThreadClass {
  uint32_t Count = 1; ///< AnyNumber: of as many as anybody asks for.
  std::vector<Word> Profiles;

  static constexpr uint32_t AnyNumber = UINT32_MAX;
};

struct Cycle {
  std::vector<Passage> Passages; ///< The first one is split.
  std::vector<size_t> Order;     ///< What interleave() returns.
};

/// A cycle with few threads. Nullopt if there is none, or the limit was
/// reached. \p WithLocks: the profiles have lock operations, which must allow
/// the cycle; then no class may be of any number of threads.
std::optional<Cycle> findCycle(const std::vector<ThreadClass> &Classes,
                               bool WithLocks, check::Limits &Limit);

} // namespace atsan::profile

#endif
