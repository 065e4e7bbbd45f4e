//===- ReductionFindings.h ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Irreducible regions as findings: the commit event, what comes too late after
// it, and for both why they do not commute. Once for each region site and place
// of the late event.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_REDUCTIONFINDINGS_H
#define ATSAN_CHECK_REDUCTIONFINDINGS_H

#include "lib/check/Commuting.h"
#include "lib/check/RegionSites.h"
#include "lib/reduction/atsan_reduction.h"
#include <optional>

namespace atsan::check {

/// The step of an event that is no access or lock operation, but of a class of
/// its own when a region is not divided there.
std::optional<__atsan::StepKind> boundaryStep(trace::EventKind K);

class ReductionFindings {
public:
  explicit ReductionFindings(const Options &O) : Given(O), Sites(O.Names) {}

  /// \p Region is the begin event of the region.
  void add(const __atsan::IrreducibleRegion &Irreducible,
           const NumberedEvent &Region, __atsan::Commutativity &Facts);

  /// False after the first finding, unless all are wanted.
  bool wantsMore() const { return Given.All || Found.empty(); }
  const std::vector<Finding> &findings() const { return Found; }
  /// Puts the findings in the order of their events.
  void sort();

private:
  const Options Given;
  std::vector<Finding> Found;
  RegionSites Sites;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_REDUCTIONFINDINGS_H
