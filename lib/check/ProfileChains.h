//===- ProfileChains.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains of conflicts through distinct threads, as prediction without
// synchronization asks for them (TACAS'09, Lemma 3, corrected): from an access
// of one thread to an access of another, on from any access of that one in the
// same or a later transaction, and so on. Each thread is visited once, since it
// runs to its end then. Of all chains to a thread that have visited the same
// others, only that which enters it in the earliest transaction matters.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_PROFILECHAINS_H
#define ATSAN_CHECK_PROFILECHAINS_H

#include "lib/check/Limits.h"
#include "lib/check/ThreadProfiles.h"
#include <map>
#include <optional>
#include <tuple>

namespace atsan::check {

/// A thread on a chain, with the accesses that it is entered and left at.
struct ChainLink {
  /// What it is entered from, by a conflict; of the first link, nothing.
  NumberedEvent From;
  NumberedEvent Entry; ///< What it is entered at.
};

/// Not thread-safe.
class ProfileChains {
public:
  ProfileChains(const ThreadProfiles &P, Limits &Limit)
      : Profiles(P), Limit(Limit), Steps(P.threads()) {}

  /// What can be reached from an access of a thread.
  struct Reached {
    /// For each thread the earliest transaction that a chain enters it in;
    /// None: no chain does.
    std::vector<uint64_t> Entry;

    /// How the thread is reached in that transaction.
    std::vector<ChainLink> chain(uint32_t Thread) const;
    size_t length(uint32_t Thread) const;
    const ChainLink &first(uint32_t Thread) const;

  private:
    friend class ProfileChains;
    /// For each thread the last link of its chain, and the thread before; the
    /// number of threads: the chain has no other link.
    std::vector<ChainLink> Link;
    std::vector<uint32_t> Before;
    /// How many links its chain has, and the thread of the first one.
    std::vector<uint32_t> Length, First;
    bool measure();
    /// The chains, if no such tree has them.
    std::vector<std::vector<ChainLink>> Table;
  };
  static constexpr uint64_t None = ~uint64_t(0);

  /// \p Period: the access's; what starts, joins, barriers and hand-overs put
  /// before it is not entered from there. The reference is valid until the next
  /// call.
  const Reached &from(uint32_t Thread, AccessClass Access, PeriodId Period);
  /// How many starts had to be told by the table of sets of threads.
  uint64_t tables() const { return Tables; }

private:
  /// From a thread's transaction to another thread: conflicts by the last
  /// transaction that they can be left from, latest first; of each, the
  /// earliest transaction that it or one before it enters.
  struct Way {
    uint64_t LeftBy, Enters;
    const ThreadProfiles::Extent *From, *Entry; ///< From: null at first.
  };
  /// By the thread that is entered. The sooner a way is left by, the earlier it
  /// enters.
  using Ways = std::vector<std::vector<Way>>;

  const Ways &waysFrom(uint32_t Thread);
  static const Way *bestWay(const std::vector<Way> &Ways, uint64_t Entered);
  bool reachDirectly(Reached &R, uint32_t Thread,
                     const std::vector<Way> &First);
  void reachByTable(Reached &R, uint32_t Thread, const std::vector<Way> &First);
  std::vector<Way> firstWays(uint32_t Thread, AccessClass Access,
                             PeriodId Period) const;
  bool isBefore(PeriodId A, PeriodId B) const;
  ChainLink linkOf(const Way &W) const;

  /// How many results of from() are kept, and how many threads all of these
  /// can have.
  static constexpr size_t MaxKnown = 1 << 12, MaxThreads = 1 << 20;

  const ThreadProfiles &Profiles;
  Limits &Limit;
  std::vector<std::optional<Ways>> Steps;
  std::map<std::tuple<uint32_t, AccessClass, PeriodId>, Reached> Known;
  uint64_t Tables = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_PROFILECHAINS_H
