//===- Profiles.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan check --algorithm=profiles`: prediction of atomicity violations from
// one run, without regard to synchronization ("The Complexity of Predicting
// Atomicity Violations", TACAS'09, section 3): is there an order of the run's
// events, with the order of each thread kept, that is not
// conflict-serializable? Exact for that question, and for any number of
// threads; linear in the run. docs/check.md says where the lemmas are wrong as
// printed.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_PROFILES_H
#define ATSAN_CHECK_PROFILES_H

#include "lib/check/ProfileChains.h"
#include <set>

namespace atsan::check {

class Profiles final : public Analysis {
public:
  explicit Profiles(const Options &O);

  bool consume(trace::EventSpan Events) override;
  void finish() override;
  const std::vector<Finding> &findings() const override { return Found; }
  std::string notion() const override;
  std::string gaveUp() const override { return Limit.why(); }
  std::vector<std::pair<std::string, uint64_t>> statistics() const override;

private:
  using Item = ThreadProfiles::Item;
  using Region = ThreadProfiles::Region;

  void search(const Region &R);
  void searchFrom(const Region &R, const Item &First);
  void report(const Region &R, const Item &First, const Item &Last,
              const std::vector<ChainLink> &Chain, const NumberedEvent &Left);
  static void schedule(Finding &F);

  const Options O;
  Limits Limit;
  ThreadProfiles Threads;
  std::optional<ProfileChains> Chains;
  std::vector<Finding> Found;
  /// By name and location of the region, and the locations of its accesses and
  /// those at which the others are entered and left.
  std::set<std::vector<uint64_t>> Sites;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_PROFILES_H
