//===- Guard.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands between a binary trace and all that read it: events that no run can
// have (from a damaged or a made-up file) end the trace before they cost memory
// or break what algorithms take for granted.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_GUARD_H
#define ATSAN_TRACE_GUARD_H

#include "lib/event/Event.h"
#include <string>

namespace atsan::trace {

/// Lets through: kinds that exist, memory that ends within the address space,
/// and threads that are numbered in the order in which they come (with gaps
/// of at most MaxGap), so that tables of threads stay in the order of the
/// trace.
class Guard {
public:
  static constexpr uint64_t MaxGap = 1024;

  /// The events up to the first that is odd; from then on none.
  EventSpan pass(EventSpan Events);
  /// What was odd, and where; empty if nothing was.
  const std::string &problem() const { return Problem; }

private:
  // Is the event of a thread that came before, and not of a rare kind? (Events
  // that name a thread have a kind after those of locks.)
  bool isPlain(const Event &E) const {
    return E.Kind <= EventKind::ReleaseShared && E.Thread < Known &&
           (E.Size | E.Address) <= INT64_MAX;
  }
  bool isOdd(const Event &E);

  uint64_t Count = 0;
  uint64_t Known = 0; // One more than the largest thread number so far.
  std::string Problem;
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_GUARD_H
