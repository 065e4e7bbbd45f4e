//===- Profiles.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prediction of atomicity violations from one run ("The Complexity of
// Predicting Atomicity Violations", TACAS'09): is there an order of the run's
// events, with the order of each thread kept, that is not
// conflict-serializable? A thread may stop anywhere, also within a region.
//
// Without locks (section 3, `atsan check --algorithm=profiles`), all
// synchronization is ignored: exact, for any number of threads. With locks
// (section 4), locks, starts, joins and barriers are respected: exact for two
// threads and nested locks; docs/predict.md has what is missed otherwise. Then
// every finding was replayed. Linear in the run.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_PROFILES_H
#define ATSAN_CHECK_PROFILES_H

#include "lib/check/ProfileSearch.h"
#include "lib/check/Replay.h"
#include "lib/check/Rereading.h"
#include <optional>

namespace atsan::check {

class Profiles final : public Analysis {
public:
  /// \p MaxItems: of distinct regions so many are kept, of 72 bytes each; if
  /// there are more, the run is read once more instead. \p MaxStates: so much
  /// is tried to find a schedule of a candidate, of which there are many: one
  /// is found at once or hardly ever. \p Share: how much of the time may go by
  /// until the search for candidates ends; the rest is for confirming them.
  /// \p AllPairs: ProfileSearch's.
  explicit Profiles(const Options &O, bool WithLocks = false,
                    size_t MaxItems = size_t(1) << 22,
                    size_t MaxStates = size_t(1) << 12, double Share = .5,
                    size_t AllPairs = 16);

  bool consume(trace::EventSpan Events) override;
  void finish() override;
  const std::vector<Finding> &findings() const override { return Found; }
  std::string notion() const override;
  std::string gaveUp() const override;
  std::vector<std::pair<std::string, uint64_t>> statistics() const override;

private:
  void keep(const ProfileRegion &R);
  void searchRegions();
  void readAgain();
  void confirm(const ProfileCandidate &C);
  bool replay(const ProfileCandidate &C, std::vector<Stretch> &Schedule);
  void report(const ProfileCandidate &C, std::vector<Stretch> Schedule);

  const Options O;
  const bool WithLocks;
  const size_t MaxItems, MaxStates, AllPairs;
  Limits Limit, Searching;
  ThreadProfiles Threads;
  Rereading Run;
  uint64_t Synchronizing = 0; ///< Events that are no accesses.
  /// The distinct regions; none if there are too many to keep: then the run is
  /// read again.
  std::optional<ProfileRegions> Distinct;
  std::vector<ProfileRegion> Kept;
  size_t Items = 0; ///< The items of Kept.
  size_t Regions = 0;
  std::optional<ProfileSearch> Search;
  std::optional<LockPatterns> Patterns;
  /// Sites of what has been found, and of candidates that were not decided.
  std::set<std::vector<uint64_t>> Shown, Undecided;
  std::optional<Witness> Schedules;
  std::optional<Replay> Checker;
  std::vector<Finding> Found;
  uint64_t Refuted = 0, Wrong = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_PROFILES_H
