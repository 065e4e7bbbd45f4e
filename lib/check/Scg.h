//===- Scg.h --------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The summarized conflict graph, as in process: lib/checker itself, driven by
// one thread for all threads of the trace. A location of the core is the number
// of an event; so both events of every edge are known, and nothing is kept.
//
// The core's state is global: there can be one Scg at a time.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_SCG_H
#define ATSAN_CHECK_SCG_H

#include "lib/check/Analysis.h"

namespace atsan::check {

/// Decides what ConflictGraph does, in memory that does not depend on the
/// run's length. Takes memory below 2^47, as user programs have it.
/// \p RenumberAfter: numbers of events have 32 bits in the core; after so many
/// they begin anew when no region is open. Lowered by tests.
std::unique_ptr<Analysis> makeScg(const Options &O,
                                  uint64_t RenumberAfter = uint64_t(1) << 30);

} // namespace atsan::check

#endif // ATSAN_CHECK_SCG_H
