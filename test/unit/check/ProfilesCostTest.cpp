//===- ProfilesCostTest.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much prediction looks at in runs with long regions.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Profiles.h"
#include "test/unit/Events.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

/// Variables that are written, and then read by a region of each of two threads
/// that writes as many of its own: \p Starts: which are started after the
/// writes. \p Locked: all under one lock.
std::vector<Event> longRegions(unsigned Variables, bool Starts, bool Locked) {
  std::vector<Event> Run;
  const auto Add = [&](uint32_t Thread, EventKind Kind, uint64_t Address,
                       uint32_t Place) {
    Run.push_back(event(Thread, Kind, Address, isAccess(Kind) ? 1 : 0));
    Run.back().Location = Place;
  };
  for (unsigned V = Variables; V-- > 0;)
    Add(0, EventKind::Write, V, 1);
  if (Starts)
    for (uint32_t Thread : {1, 2})
      Add(0, EventKind::Start, Thread, 2);
  for (uint32_t Thread : {1, 2}) {
    Add(Thread, EventKind::RegionBegin, 0, 3);
    if (Locked)
      Add(Thread, EventKind::Acquire, ~0u, 4);
    for (unsigned V = 0; V != Variables; ++V)
      Add(Thread, EventKind::Read, V, 5);
    for (unsigned V = 0; V != Variables; ++V)
      Add(Thread, EventKind::Write, uint64_t(Thread) * Variables + V, 6);
    if (Locked)
      Add(Thread, EventKind::Release, ~0u, 7);
    Add(Thread, EventKind::RegionEnd, 0, 8);
  }
  return Run;
}

} // namespace

/// What is done is linear in the length of a region, not in its pairs of
/// accesses.
TEST(LockProfiles, LongRegions) {
  constexpr unsigned Variables = 8000;
  const auto Pairs = [&](bool WithLocks, const std::vector<Event> &Run,
                         bool IsBad) {
    Options O;
    O.All = true;
    Profiles P(O, WithLocks);
    P.consume({Run.data(), Run.size()});
    P.finish();
    EXPECT_EQ(P.gaveUp(), "");
    EXPECT_EQ(!P.findings().empty(), IsBad);
    for (const auto &[Name, Figure] : P.statistics())
      if (Name == "pairs of accesses looked at")
        return Figure;
    ADD_FAILURE();
    return uint64_t(0);
  };
  // Nothing can come in between: all is written in the opposite order, or
  // before the region's thread is started.
  for (const bool Starts : {false, true}) {
    const std::vector<Event> Run = longRegions(Variables, Starts, false);
    EXPECT_EQ(Pairs(/*WithLocks=*/true, Run, false), 0u);
    EXPECT_EQ(Pairs(/*WithLocks=*/false, Run, false), 0u);
  }
  EXPECT_EQ(Pairs(true, longRegions(Variables, true, /*Locked=*/true), false),
            0u);
  // Written in the same order, each pair is bad, and all at the same places.
  std::vector<Event> Run = longRegions(Variables, false, false);
  std::reverse(Run.begin(), Run.begin() + Variables);
  for (const bool WithLocks : {false, true})
    EXPECT_LT(Pairs(WithLocks, Run, true), 20 * uint64_t(Variables));
}
