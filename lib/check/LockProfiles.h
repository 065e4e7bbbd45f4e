//===- LockProfiles.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prediction from one run with locks ("The Complexity of Predicting Atomicity
// Violations", TACAS'09, section 4; acquisition histories instead of the
// product of all threads): is there an order of the run's events, with the
// order of each thread, locks, starts, joins and barriers kept, that is not
// conflict-serializable? A thread may stop anywhere, also within a region.
//
// Two threads and nested locks: exact. More threads on a cycle: those cycles
// where the interrupted thread holds no lock from its first access to its last
// (docs/predict.md). Every finding was replayed.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_LOCKPROFILES_H
#define ATSAN_CHECK_LOCKPROFILES_H

#include "lib/check/HeldSets.h"
#include "lib/check/LockPatterns.h"
#include "lib/check/ProfileChains.h"
#include "lib/check/Replay.h"
#include <optional>

namespace atsan::check {

class LockProfiles final : public Analysis {
public:
  explicit LockProfiles(const Options &O);

  bool consume(trace::EventSpan Events) override;
  void finish() override;
  const std::vector<Finding> &findings() const override { return Found; }
  std::string notion() const override;
  std::string gaveUp() const override;
  std::vector<std::pair<std::string, uint64_t>> statistics() const override;

private:
  using Item = ThreadProfiles::Item;
  using Extent = ThreadProfiles::Extent;
  using Region = ThreadProfiles::Region;
  /// A cycle that may happen: the accesses of each thread on it.
  struct Candidate {
    uint32_t Region;
    std::vector<Witness::Visit> Visits; ///< The first is the region's.
    std::vector<NumberedEvent> Order;
    std::vector<uint64_t> Site;
  };

  void search(uint32_t Region);
  void searchPair(uint32_t Region, uint32_t First, uint32_t Last);
  bool pairWithExtents(uint32_t Region, const Item &First, const Item &Last);
  void addPatterns(uint32_t Region, uint32_t First, uint32_t Last);
  void searchChain(uint32_t Region, const Item &First, const Item &Last);
  bool mayOverlap(const Item &First, const Item &Last, const Extent &Entry,
                  const Extent &Exit) const;
  HeldSets::Id heldAt(const Surroundings &S);
  HeldSets::Id heldThroughout(const Item &First, const Item &Last);
  bool hasConflict(uint32_t Thread, const Item &I) const;
  void addCandidate(uint32_t Region, std::vector<Witness::Visit> Visits,
                    std::vector<NumberedEvent> Order);
  void readAgain();
  void confirm(const Candidate &C);
  bool confirm(const Candidate &C, std::vector<Stretch> &Schedule);
  void report(const Candidate &C, std::vector<Stretch> Schedule);

  const Options O;
  Limits Limit;
  ThreadProfiles Threads;
  std::vector<trace::Event> Events; ///< Unless O.Again can read them again.
  uint64_t Count = 0, Synchronizing = 0;
  HeldSets Sets;
  std::map<std::pair<LockStretches::Id, uint32_t>, HeldSets::Id> Held;
  std::optional<ProfileChains> Chains;
  std::optional<LockPatterns> Patterns;
  std::vector<Candidate> Candidates;
  /// How many candidates each site has.
  std::map<std::vector<uint64_t>, unsigned> Sites;
  std::set<std::vector<uint64_t>> Shown;
  std::optional<Witness> Schedules;
  std::optional<Replay> Checker;
  std::vector<Finding> Found;
  uint64_t Refuted = 0, Undecided = 0, Wrong = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_LOCKPROFILES_H
