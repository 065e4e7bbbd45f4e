//===- Timeline.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the events of a cycle into an order in which they can have happened, for
// pictures and code flows: each first access before the later one of its step,
// each thread in its program order, the access that closes the cycle last. What
// none of this orders stays in the order of the cycle.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_TIMELINE_H
#define ATSAN_REPORT_TIMELINE_H

#include "Report.h"

namespace atsan::report {

struct Timeline {
  /// In order of time. The same event of two steps is here once.
  std::vector<const Event *> Events;
  /// Of each step: indices into Events.
  struct Link {
    size_t First;
    size_t Later;
  };
  std::vector<Link> Links;
};

/// The events point into \p R.
Timeline makeTimeline(const Report &R);

} // namespace atsan::report

#endif
