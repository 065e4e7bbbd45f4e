//===- RandomEvents.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random event streams that a run could have made: locks exclude, threads start
// before they run and end before they are joined.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_TRACE_RANDOMEVENTS_H
#define ATSAN_UNIT_TRACE_RANDOMEVENTS_H

#include "lib/event/Event.h"
#include <random>

namespace atsan::trace {

struct RandomOptions {
  unsigned Events = 24;
  unsigned Threads = 3;
  unsigned Bytes = 6; ///< Of memory, from 0x1000.
  unsigned MaxSize = 4;
  bool SharedLocks = false;
  bool OnlyStd = false; ///< What STD text can say one to one.
};

std::vector<Event> randomEvents(std::mt19937_64 &Random,
                                const RandomOptions &O);

} // namespace atsan::trace

#endif // ATSAN_UNIT_TRACE_RANDOMEVENTS_H
