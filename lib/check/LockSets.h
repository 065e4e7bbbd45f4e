//===- LockSets.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Potential data races by locksets: the multilockset algorithm of TSE'06
// section 5.4 (after escape and happens-before analysis), and Eraser's (Savage
// et al. 1997), which knows neither, to compare. The algorithms are the
// runtime's (lib/reduction/atsan_races.cpp).
//
// The multilocksets miss no pair of conflicting accesses in concurrent periods
// with no lock in common. They may report a variable without such a pair.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_LOCKSETS_H
#define ATSAN_CHECK_LOCKSETS_H

#include "lib/check/Commuting.h"
#include "lib/check/Limits.h"
#include <set>
#include <tuple>

namespace atsan::check {

class LockSets final : public Analysis {
public:
  explicit LockSets(const Options &O);

  bool consume(trace::EventSpan Events) override;
  const std::vector<Finding> &findings() const override { return Found; }
  std::string notion() const override;
  std::string gaveUp() const override { return Limit.why(); }
  std::vector<std::pair<std::string, uint64_t>> statistics() const override;

private:
  void access(const trace::Event &E);
  void report(const __atsan::Variable &V);

  Options Given;
  bool IsEraser; ///< Without multilocksets.
  Limits Limit;
  __atsan::Commutativity Facts;
  uint64_t Count = 0;
  uint64_t Variables = 0; // Variables that are raced on, as far as looked at.
  uint64_t Both = 0;
  std::vector<bool> Reported; // By id of the variable.
  // What was reported: places of both accesses, or, where they are not known,
  // the variable.
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> Sites;
  std::vector<Finding> Found;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_LOCKSETS_H
