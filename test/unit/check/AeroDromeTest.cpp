//===- AeroDromeTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// scg --lock-edges against AeroDrome. What is compared:
//
// * The verdict. AeroDrome sees a cycle when all of its transactions but one
//   are complete, scg when its last edge is there; so AeroDrome is told the end
//   of the regions that are open at the end of the trace.
// * The closing event: the shortest prefix of the trace in which AeroDrome,
//   with all open regions ended behind it, sees a cycle. It ends with the event
//   that scg names. (An edge that comes late into the middle of a path between
//   open transactions is known to AeroDrome's clocks only when they end.)
// * The event at which AeroDrome itself speaks up: never before scg's.
//
//   ATSAN_DIFF_SCHEDULES  how many traces (default 100000)
//   ATSAN_DIFF_SEED       the first seed (default 1)
//
//===----------------------------------------------------------------------===//

#include "AeroDrome.h"
#include "Findings.h"
#include "RandomTrace.h"
#include "test/unit/Setting.h"
#include <gtest/gtest.h>

using namespace atsan_test;
typedef std::vector<atsan::trace::Event> Trace;

namespace {

// The first event at which AeroDrome sees a cycle among the first `Count`;
// Count + 1: when the open regions end; 0: never.
size_t sees(const Trace &Events, size_t Count) {
  AeroDrome A;
  for (size_t I = 0; I < Count; ++I)
    if (A.take(Events[I]))
      return I + 1;
  return A.finish() ? Count + 1 : 0;
}

// A cycle in a prefix is one in every longer prefix.
size_t shortestPrefix(const Trace &Events) {
  size_t Without = 0, With = Events.size();
  if (!sees(Events, With))
    return 0;
  while (With - Without > 1) {
    const size_t Middle = (Without + With) / 2;
    (sees(Events, Middle) ? With : Without) = Middle;
  }
  return With;
}

TEST(AeroDromePeer, AgreesWithScg) {
  const uint64_t First = setting("ATSAN_DIFF_SEED", 1);
  const uint64_t Count = setting("ATSAN_DIFF_SCHEDULES", 20000);
  uint64_t Violating = 0, Later = 0;
  for (uint64_t Seed = First; Seed < First + Count; ++Seed) {
    const RandomTrace T = randomStdTrace(Seed);
    const uint64_t Closing = firstClosing(findings("scg", T.Events, T.Given));
    ASSERT_EQ(shortestPrefix(T.Events), Closing)
        << "ATSAN_DIFF_SEED=" << Seed << "\n"
        << T.text();
    const size_t Itself = sees(T.Events, T.Events.size());
    ASSERT_GE(Itself, Closing) << "ATSAN_DIFF_SEED=" << Seed << "\n"
                               << T.text();
    Violating += Closing != 0;
    Later += Itself > Closing;
  }
  if (Count < 1000)
    return;
  EXPECT_GT(Violating, Count / 20);
  EXPECT_LT(Violating, Count * 19 / 20);
  // It is rare.
  EXPECT_TRUE(Later || Count < 50000);
}

} // namespace
