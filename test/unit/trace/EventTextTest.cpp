//===- EventTextTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events in words, and the figures of a trace.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/EventText.h"
#include "lib/trace/Statistics.h"
#include "test/unit/Events.h"
#include <gtest/gtest.h>

using namespace atsan::trace;
using atsan_test::event;
using K = EventKind;

namespace {

std::string object(const Event &E) {
  return objectText(E, atsan_test::PlainNames());
}

TEST(EventText, KindsHaveDistinctNames) {
  for (unsigned I = 0; I < NumEventKinds; ++I) {
    const auto Kind = static_cast<K>(I);
    EXPECT_EQ(kindOf(kindName(Kind)), Kind) << kindName(Kind);
  }
  EXPECT_EQ(kindOf("Read"), std::nullopt);
  EXPECT_EQ(kindOf(""), std::nullopt);
}

TEST(EventText, Objects) {
  EXPECT_EQ(object(event(0, K::Read, 0x10, 1)), "x10 (1 byte)");
  Event Atomic = event(0, K::ReadModifyWrite, 0x10, 4);
  Atomic.IsAtomic = true;
  EXPECT_EQ(object(Atomic), "x10 (4 bytes, atomic)");
  Event Failed = event(0, K::Read, 0x10, 4);
  Failed.IsAtomic = Failed.IsFailedExchange = true;
  EXPECT_EQ(object(Failed), "x10 (4 bytes, failed compare-exchange)");
  Event Variable = event(0, K::Birth, 0x10, 8);
  EXPECT_EQ(object(Variable), "x10 (8 bytes)");
  Variable.IsStack = true;
  EXPECT_EQ(object(Variable), "x10 (8 bytes, stack)");
  EXPECT_EQ(object(event(0, K::Pointer, 0x10, 0x20)),
            "x10 has a pointer to 0x20");
  EXPECT_EQ(object(event(0, K::Pointer, 0, 0x20)),
            "the next thread has a pointer to 0x20");
  EXPECT_EQ(object(event(0, K::RegionBegin, 3)), "'r3'");
  EXPECT_EQ(object(event(0, K::RegionEnd)), "");
  EXPECT_EQ(object(event(0, K::ReleaseShared, 0x30)), "lock l30");
  EXPECT_EQ(object(event(0, K::Join, 2)), "T2");
  EXPECT_EQ(object(event(0, K::Wait, 0x40)), "0x40");
  EXPECT_EQ(object(event(0, K::End)), "");
}

TEST(EventText, Frames) {
  Frame F;
  EXPECT_EQ(frameText(F), "?");
  F.Module = "/bin/a.out";
  F.Offset = 0x12;
  EXPECT_EQ(frameText(F), "(/bin/a.out+0x12)");
  F.Function = "f()";
  EXPECT_EQ(frameText(F), "f() (/bin/a.out+0x12)");
  F.File = "file.c";
  EXPECT_EQ(frameText(F), "f() file.c");
  F.Line = 7;
  EXPECT_EQ(frameText(F), "f() file.c:7");
  F.Column = 3;
  EXPECT_EQ(frameText(F), "f() file.c:7:3");
}

TEST(Statistics, OfATrace) {
  Event Atomic = event(1, K::ReadModifyWrite, 0x10, 4);
  Atomic.IsAtomic = true;
  Statistics S;
  for (const Event &E :
       {event(0, K::Start, 1), event(0, K::Start, 2),
        event(1, K::RegionBegin, 5), event(1, K::RegionBegin), Atomic,
        event(1, K::Read, 0x10, 8), event(1, K::Read, 0x14, 4),
        event(1, K::Birth, 0x100, 4), event(1, K::RegionEnd),
        event(1, K::RegionBegin, 5), event(1, K::Acquire, 0x10),
        event(1, K::Release, 0x10), event(1, K::End),
        // Its number again: in no region any more.
        event(1, K::RegionBegin), event(0, K::RegionEnd),
        event(0, K::AcquireShared, 0x20)})
    S.add(E);
  EXPECT_EQ(S.events(), 16u);
  EXPECT_EQ(S.ofKind(K::RegionBegin), 4u);
  EXPECT_EQ(S.ofKind(K::Wait), 0u);
  EXPECT_EQ(S.atomics(), 1u);
  EXPECT_EQ(S.variables(), 2u);
  EXPECT_EQ(S.locks(), 2u);
  EXPECT_EQ(S.deepestRegion(), 2u);
  const std::map<uint32_t, uint64_t> Threads = {{0, 4}, {1, 12}, {2, 0}};
  EXPECT_EQ(S.threads(), Threads);
  const std::map<uint64_t, uint64_t> Regions = {{0, 2}, {5, 2}};
  EXPECT_EQ(S.regions(), Regions);
}

// An end too many changes nothing, and deep regions of one thread are none of
// another.
TEST(Statistics, DepthIsOfEachThread) {
  Statistics S;
  for (const Event &E :
       {event(0, K::RegionEnd), event(0, K::RegionBegin),
        event(1, K::RegionBegin), event(0, K::End), event(0, K::RegionBegin)})
    S.add(E);
  EXPECT_EQ(S.deepestRegion(), 1u);
}

} // namespace
