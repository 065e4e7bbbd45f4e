//===- LockPatterns.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where one region's accesses are in a stretch of locks (LockStretches.h): can
// another thread come between them? A pattern is such a pair of accesses and
// another thread that has conflicting ones. A second reading of the run finds
// where the other thread has them close together, and LockGrid.h decides.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_LOCKPATTERNS_H
#define ATSAN_CHECK_LOCKPATTERNS_H

#include "lib/check/LockGrid.h"
#include "lib/check/ProfileRegions.h"
#include "lib/check/ThreadProfiles.h"
#include <functional>
#include <set>

namespace atsan::check {

/// Not thread-safe.
class LockPatterns final : public ProfileStream::Consumer {
public:
  struct Pattern {
    uint32_t Thread; ///< The region's.
    RegionMark Region;
    ProfileItem First, Last; ///< Two of its items, of one stretch.
    uint32_t Other;          ///< The other thread.
  };
  /// A pattern that can happen.
  struct Match {
    Pattern Which;
    NumberedEvent Entry, Exit;        ///< The other thread's.
    std::vector<NumberedEvent> Order; ///< All accesses, as they can happen.
  };
  /// \p OnMatch gets each match that has other surroundings.
  LockPatterns(const ThreadProfiles &Profiles,
               std::function<void(const Match &)> OnMatch)
      : Profiles(Profiles), Grid(Profiles.stream().stretches()),
        OnMatch(std::move(OnMatch)) {}

  void add(const Pattern &P);
  bool empty() const { return All.empty(); }
  size_t size() const { return All.size(); }

  // These get the run again, from a stream like that of the profiles.
  void access(const ProfiledAccess &A) override;
  void endStretch(uint32_t Thread, LockStretches::Id Locks) override;

  /// How many patterns have stretches too long to be decided.
  uint64_t undecided() const { return Undecided; }

private:
  using Operations = std::vector<LockStretches::Operation>;
  /// What a decision depends on.
  using Key = std::vector<uint64_t>;
  struct Use {
    uint32_t Pattern;
    bool Enters;
    ProfiledAccess What;
    uint64_t After; ///< The number of stretches that are over behind it.
  };
  struct ThreadState {
    /// What this thread has to do with patterns, by class.
    std::unordered_map<AccessClass, std::vector<std::pair<uint32_t, bool>>>
        Roles;
    std::vector<Use> Group; ///< In the stretch that goes on.
    uint64_t Stretches = 0;
    /// By lock, the last stretch that took it, and that took it exclusively.
    std::unordered_map<uint32_t, uint64_t> Taken, TakenExclusively;
  };
  struct PatternState {
    Pattern What;
    std::vector<Use> Earlier;    ///< The last entry of each surroundings.
    std::vector<size_t> Entries; ///< In the group, while one is decided.
    std::set<Key> Tried;
  };

  void decide(ThreadState &T);
  void decide(ThreadState &T, PatternState &P, const Use &Entry,
              const Use &Exit, bool IsOneStretch);
  bool mayOverlap(const PatternState &P, const Use &Entry,
                  const Use &Exit) const;
  Operations between(const ThreadState &T, const PatternState &P,
                     const Use &Entry) const;
  void setKey(const Use &Entry, const Use &Exit, bool IsOneStretch,
              const Operations &Between);
  GridScript scriptOf(const Use &Entry, const Use &Exit,
                      const Operations *Between) const;

  const ThreadProfiles &Profiles;
  const LockGrid Grid;
  const std::function<void(const Match &)> OnMatch;
  std::vector<PatternState> All;
  std::unordered_map<uint32_t, ThreadState> Threads;
  uint64_t Undecided = 0;
  Key Current; ///< Kept for its memory.
};

} // namespace atsan::check

#endif // ATSAN_CHECK_LOCKPATTERNS_H
