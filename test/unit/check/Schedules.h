//===- Schedules.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedules that predictions come with, replayed by an oracle of the tests'
// own from the first event on.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_CHECK_SCHEDULES_H
#define ATSAN_UNIT_CHECK_SCHEDULES_H

#include "Interleavings.h"
#include "lib/check/Analysis.h"
#include <gtest/gtest.h>

namespace atsan_test {

/// What the schedule makes of the program: the thread of each step.
inline Interleaving
stepsOf(const std::vector<atsan::trace::Event> &Events,
        const std::vector<atsan::check::Stretch> &Schedule) {
  std::vector<size_t> At(8);
  Interleaving Order;
  for (const atsan::check::Stretch &S : Schedule)
    for (size_t &I = At[S.Thread]; I < Events.size() && I < S.Last; ++I)
      if (Events[I].Thread == S.Thread &&
          Events[I].Kind != atsan::trace::EventKind::End)
        Order.push_back(uint8_t(S.Thread));
  return Order;
}

/// Can each of them happen, and is it not serializable?
inline void expectReplayable(const Program &P,
                             const std::vector<atsan::trace::Event> &Events,
                             const std::vector<atsan::check::Finding> &Found,
                             const Dividers &D) {
  for (const atsan::check::Finding &F : Found) {
    ASSERT_FALSE(F.Schedule.empty());
    const Interleaving Order = stepsOf(Events, F.Schedule);
    EXPECT_TRUE(isFeasible(P, Order));
    EXPECT_FALSE(isConflictSerializable(P, Order, D));
  }
}

} // namespace atsan_test

#endif // ATSAN_UNIT_CHECK_SCHEDULES_H
