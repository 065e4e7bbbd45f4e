//===- GraphOracle.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conflict graph of a stream by its definition (docs/semantics.md), all
// pairs of events looked at: slow, and nothing in common with lib/trace.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_TRACE_GRAPHORACLE_H
#define ATSAN_UNIT_TRACE_GRAPHORACLE_H

#include "lib/event/Event.h"

namespace atsan::trace {

/// The number (from 1) of the event that closes the first cycle; 0: there is
/// none. Boundaries within regions: barriers and waits, and with SplitThreads
/// starts and joins.
size_t closingEvent(const std::vector<Event> &Events, bool LockEdges,
                    bool SplitThreads);

} // namespace atsan::trace

#endif // ATSAN_UNIT_TRACE_GRAPHORACLE_H
