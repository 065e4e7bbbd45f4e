//===- Timeline.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The events of a cycle in its own order, for pictures and code flows. That is
// an order of time too: the first access of a step came before the later one,
// each thread ran its transactions in this order, and the access that closed
// the cycle came last. Only of two events of one region it is not known which
// was first.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_TIMELINE_H
#define ATSAN_REPORT_TIMELINE_H

#include "lib/report/Parts.h"

namespace atsan::report {

struct Timeline {
  /// An event that ends one step and begins the next one is here once.
  std::vector<const Event *> Events;
  /// The two events of a step, as indices into Events. First is the smaller
  /// one.
  struct Link {
    size_t First;
    size_t Later;
  };
  std::vector<Link> Links;
};

/// Makes the timeline of \p R, into which its events point.
Timeline makeTimeline(const Finding &R);

} // namespace atsan::report

#endif
