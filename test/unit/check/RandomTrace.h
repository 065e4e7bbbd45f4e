//===- RandomTrace.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random traces with every kind of event, each together with the schedule that
// the brute-force oracle (../Oracle.h) understands: there a boundary or restart
// is the end of one region and the begin of another. Beyond what the schedules
// have, threads are joined again, others start and do nothing, and numbers of
// threads that have ended come back.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_CHECK_RANDOMTRACE_H
#define ATSAN_UNIT_CHECK_RANDOMTRACE_H

#include "lib/check/Analysis.h"
#include "test/unit/Schedule.h"
#include <map>

namespace atsan_test {

struct RandomTrace {
  atsan::check::Options Given; // Lock edges and region splits.
  std::vector<atsan::trace::Event> Events;
  // What happened, for the oracle, and which event (from 1) each step is of.
  Schedule Steps;
  std::vector<unsigned> NumberOf; // The number in events, by thread of a step.
  std::vector<uint64_t> EventOfStep;
  // The other way round, for events that are one access, lock operation, start
  // or join.
  std::map<uint64_t, int> StepOfEvent;

  std::string text() const;
};

constexpr uint64_t DataBase = 0x7e1234560000;

/// Draws its options as well. A location is the number of its event.
RandomTrace randomTrace(uint64_t Seed);
/// What STD text can say: accesses of whole words, locks, start, join.
RandomTrace randomStdTrace(uint64_t Seed);

} // namespace atsan_test

#endif // ATSAN_UNIT_CHECK_RANDOMTRACE_H
