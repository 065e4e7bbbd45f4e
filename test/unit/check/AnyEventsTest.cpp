//===- AnyEventsTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traces that no program wrote: whatever the events say, the analyses end, and
// keep to their memory.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "lib/check/Registry.h"
#include "test/unit/Events.h"
#include <gtest/gtest.h>
#include <random>

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

TEST(AnyEvents, AnyEventsInAnyOrder) {
  unsigned Findings = 0;
  for (unsigned Seed = 0; Seed != 300; ++Seed) {
    std::mt19937_64 R(Seed);
    const uint64_t Addresses[] = {0,
                                  8,
                                  0x1003,
                                  0x1ffc,
                                  uint64_t(1) << 62,
                                  ~uint64_t(0) - 7,
                                  ~uint64_t(0) - 1,
                                  ~uint64_t(0)};
    std::vector<Event> Trace(400);
    for (Event &E : Trace) {
      E.Kind = static_cast<EventKind>(R() % atsan::trace::NumEventKinds);
      E.Thread = R() % 4;
      E.Location = 1 + R() % 9;
      E.IsAtomic = R() % 4 == 0;
      E.IsStack = R() % 4 == 0;
      E.IsFailedExchange = E.Kind == EventKind::Read && R() % 4 == 0;
      E.Address = Addresses[R() % 8];
      if (E.Kind == EventKind::Start || E.Kind == EventKind::Join)
        E.Address = R() % 6;
      // As Guard has it: no bytes beyond the end of memory.
      const uint64_t Room = ~uint64_t(0) - E.Address;
      const bool Huge =
          E.Kind == EventKind::Birth || E.Kind == EventKind::Death;
      const uint64_t Most = Huge && R() % 2 ? Room : 24;
      E.Size = std::min<uint64_t>(R() % 3 ? R() % 17 : Most, Room);
      if (E.Kind == EventKind::Pointer)
        E.Size = Addresses[R() % 8];
    }
    for (const char *Name : {"reduction", "reduction-online", "locksets"}) {
      Options O;
      O.All = true;
      O.Improved.MultiLockSets = R() % 2;
      O.Splits.parse(R() % 2 ? "none" : "all");
      Findings += findings(Name, Trace, O).size();
    }
  }
  EXPECT_GT(Findings, 0u);
}

TEST(AnyEvents, AnAccessOfHalfOfMemoryIsSaid) {
  const Event E = event(0, EventKind::Write, 0, uint64_t(1) << 63);
  for (const char *Name : {"reduction", "reduction-online", "locksets"}) {
    const auto A = findAlgorithm(Name)->Create({});
    EXPECT_FALSE(A->consume({&E, 1}));
    EXPECT_NE(A->gaveUp().find("event 1 accesses 9223372036854775808 bytes"),
              std::string::npos);
  }
}

} // namespace
