//===- ProfileSearch.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which accesses of other threads could come between two accesses of a region,
// by what is known of all threads (ThreadProfiles.h)? Where locks count and the
// region has some all along, the answer takes another look at the run
// (LockPatterns.h).
//
// Searches; what is found can happen as far as two threads and nested locks go.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_PROFILESEARCH_H
#define ATSAN_CHECK_PROFILESEARCH_H

#include "lib/check/HeldSets.h"
#include "lib/check/LockPatterns.h"
#include "lib/check/ProfileChains.h"
#include "lib/check/ProfileExits.h"
#include "lib/check/Witness.h"

namespace atsan::check {

/// A cycle that may happen.
struct ProfileCandidate {
  uint32_t Thread; ///< The thread of the region that is interrupted.
  RegionMark Region;
  std::vector<Witness::Visit> Visits; ///< The first is the region's.
  std::vector<NumberedEvent> Order;
  /// What findings have in common of which one is enough.
  std::vector<uint64_t> Site;
};

/// Not thread-safe.
class ProfileSearch {
public:
  /// \p AllPairs: of a region of so many shared items each pair is looked at,
  /// which is quicker than to find out which need not be.
  ProfileSearch(ThreadProfiles &Threads, bool WithLocks, bool Apart,
                size_t AllPairs, Limits &Limit)
      : Threads(Threads), WithLocks(WithLocks), Apart(Apart),
        AllPairs(AllPairs), Limit(Limit), Chains(Threads, Limit) {}

  void search(const ProfileRegion &R);
  void add(const LockPatterns::Match &M);

  const std::vector<ProfileCandidate> &candidates() const { return Candidates; }
  /// What is left to be asked of the run.
  const std::vector<LockPatterns::Pattern> &patterns() const {
    return Patterns;
  }
  uint64_t tables() const { return Chains.tables(); }
  /// How many pairs of accesses of regions were looked at.
  uint64_t pairs() const { return Pairs; }

private:
  using Item = ProfileItem;
  using Extent = ThreadProfiles::Extent;

  void addExits(const ProfileRegion &R, uint32_t Number, const Item &Last);
  void findLasts(const ProfileRegion &R, const Item &First);
  void findLastsOfTwo(const ProfileRegion &R, const Item &First,
                      const Extent &In);
  void findLastsOfChains(const ProfileRegion &R, const Item &First);
  void searchPair(const ProfileRegion &R, const Item &First, const Item &Last);
  bool searchTwo(const ProfileRegion &R, const Item &First, const Item &Last);
  void searchChain(const ProfileRegion &R, const Item &First, const Item &Last);
  void addChain(const ProfileRegion &R, const Item &First, const Item &Last,
                const std::vector<ChainLink> &Chain, const Extent &By);
  void addPatterns(const ProfileRegion &R, const Item &First, const Item &Last);
  bool isShared(uint32_t Thread, AccessClass C);
  bool isExposed(uint32_t Thread, const Item &I);
  static bool areOfOneStretch(const Item &First, const Item &Last) {
    return First.FirstStretch && First.FirstStretch == Last.LastStretch;
  }
  bool mayEnter(const Item &First, const Extent &Entry) const;
  bool mayLeave(const Extent &Exit, const Item &Last) const;
  bool mayOverlap(const Item &First, const Item &Last, const Extent &Entry,
                  const Extent &Exit) const {
    return mayEnter(First, Entry) && mayLeave(Exit, Last);
  }
  HeldSets::Id heldAt(const Surroundings &S);
  HeldSets::Id heldAlways(LockStretches::Id S);
  HeldSets::Id heldThroughout(const Item &First, const Item &Last);
  using Site = std::vector<uint64_t>;
  Site siteOf(const ProfileRegion &R, const Item &First, const Item &Last,
              const EventMark &Entry, const EventMark &Exit,
              uint32_t Other) const;
  bool isWanted(const Site &S);
  bool isWanted(const ProfileRegion &R, const Item &First, uint32_t Entry,
                const ProfileExits::Kind &K, uint32_t Exit);

  ThreadProfiles &Threads;
  const bool WithLocks, Apart;
  const size_t AllPairs;
  Limits &Limit;
  ProfileChains Chains;
  HeldSets Sets;
  /// For each stretch, heldAlways() and then heldAt() of each slot.
  std::vector<std::vector<HeldSets::Id>> Held;
  const std::vector<HeldSets::Id> &heldIn(LockStretches::Id S);
  /// By class: 0 not known, 1 no thread, 2 several threads, else 3 and the
  /// number of the only thread that is in conflict with it.
  std::vector<uint32_t> Sharers;
  /// By extent: 0 not known, 1 no, 2 yes.
  std::vector<uint8_t> Exposed;
  /// By thread, its accesses that are in conflict with a region's last one.
  std::vector<std::vector<const Extent *>> Exits;
  ProfileExits ExitsOf; ///< Emptied for each region.
  /// By thread, the earliest transaction in conflict with a region's first
  /// access; None but of threads in Entered.
  std::vector<uint64_t> Earliest;
  std::vector<uint32_t> Entered;
  std::vector<uint32_t> Lasts; ///< What belongs to a first access.
  uint64_t Pairs = 0;
  std::vector<ProfileCandidate> Candidates;
  std::vector<LockPatterns::Pattern> Patterns;
  /// How many candidates each site has.
  std::map<Site, unsigned> Sites;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_PROFILESEARCH_H
