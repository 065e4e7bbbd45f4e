//===- BinaryRoundTripTest.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written is read again, in the same order and with the same names.
//
//===----------------------------------------------------------------------===//

#include "RandomTrace.h"
#include "lib/trace/BinaryReader.h"
#include "gtest/gtest.h"

using namespace atsan::trace;

namespace {

void expectSame(const std::vector<Event> &Events, const std::string &Bytes,
                const Names &Known) {
  std::string Error;
  const auto Reader = readBinary(Bytes, "t", Error);
  ASSERT_TRUE(Reader) << Error;
  size_t I = 0;
  for (EventSpan Span; !(Span = Reader->next()).empty();) {
    for (const Event &E : Span) {
      ASSERT_LT(I, Events.size());
      ASSERT_TRUE(same(E, Events[I])) << "event " << I + 1;
      ++I;
      const Names &Read = Reader->names();
      ASSERT_EQ(Read.thread(E.Thread), Known.thread(E.Thread));
      if (E.Location) {
        ASSERT_EQ(Read.location(E.Location), Known.location(E.Location));
      }
      if (isAccess(E.Kind)) {
        ASSERT_EQ(Read.variable(E.Address), Known.variable(E.Address));
      }
      if (E.Kind == EventKind::Acquire) {
        ASSERT_EQ(Read.lock(E.Address), Known.lock(E.Address));
      }
      if (E.Kind == EventKind::RegionBegin && E.Address) {
        ASSERT_EQ(Read.region(E.Address), Known.region(E.Address));
      }
    }
  }
  EXPECT_EQ(I, Events.size());
  EXPECT_EQ(Reader->damage(), "");
}

TEST(BinaryRoundTrip, Random) {
  const TestNames Known;
  for (unsigned Case = 0; Case < cases(2000); ++Case) {
    SCOPED_TRACE("case " + std::to_string(Case));
    std::mt19937_64 Random(Case);
    const std::vector<Event> Events = randomTrace(Random);
    const std::string Bytes = toBinary(Events, Known);
    expectSame(Events, Bytes, Known);
    if (HasFatalFailure())
      return;
    if (Case % 16)
      continue;
    // What was read, with its names, is written again.
    std::string Error;
    const auto Reader = readBinary(Bytes, "t", Error);
    const std::string Copy =
        writtenBinary(Reader->names(), [&](BinaryWriter &To) {
          for (EventSpan Span; !(Span = Reader->next()).empty();)
            ASSERT_TRUE(To.write(Span));
        });
    expectSame(Events, Copy, Known);
    if (HasFatalFailure())
      return;
  }
}

// Blocks end in the middle of runs, and of what is predicted.
TEST(BinaryRoundTrip, ManyBlocks) {
  const TestNames Known;
  std::mt19937_64 Random(1);
  std::vector<Event> Events;
  while (Events.size() < 1000000) {
    const std::vector<Event> More = randomTrace(Random);
    Events.insert(Events.end(), More.begin(), More.end());
  }
  const std::string Bytes = toBinary(Events, Known);
  EXPECT_GT(Bytes.size(), 20u << 16);
  expectSame(Events, Bytes, Known);
}

// More than the writer gathers in memory.
TEST(BinaryRoundTrip, ManyThreads) {
  const TestNames Known;
  std::vector<Event> Events;
  for (unsigned Round = 0; Round < 3; ++Round)
    for (uint32_t Thread = 0; Thread < 5000; ++Thread)
      Events.push_back(
          atsan_test::event(Thread, EventKind::Read, 8 * Thread + Round, 8));
  expectSame(Events, toBinary(Events, Known), Known);
}

// Names of a hostile file do nothing to a terminal.
TEST(BinaryRoundTrip, NamesHaveNoControlCharacters) {
  class Hostile final : public atsan_test::PlainNames {
    std::string thread(uint32_t) const override { return "\x1b[2J\nT\x7f"; }
    std::string variable(uint64_t) const override { return "x\xc3\xa9"; }
  } const Known;
  std::string Error;
  const auto Reader = readBinary(toBinary({Event()}, Known), "t", Error);
  ASSERT_EQ(Reader->next().Count, 1u);
  EXPECT_EQ(Reader->names().thread(0), "?[2J?T?");
  EXPECT_EQ(Reader->names().variable(0), "x\xc3\xa9");
}

// The aim is 4 bytes an event; loops take far less.
TEST(BinaryRoundTrip, IsCompact) {
  std::vector<Event> Events;
  for (unsigned I = 0; I < 100000; ++I)
    for (uint32_t Location = 1; Location <= 3; ++Location) {
      Events.push_back(atsan_test::event(
          I / 100 % 2, Location == 3 ? EventKind::Write : EventKind::Read,
          0x7f0000000000 + (Location << 20) + 8 * (I % 1000), 8));
      Events.back().Location = Location;
    }
  class ShortNames final : public atsan_test::PlainNames {
    std::string variable(uint64_t) const override { return "x"; }
  } const Short;
  const std::string Bytes = toBinary(Events, Short);
  // 3,000 variables have names, which take 10 bytes each.
  EXPECT_LT(Bytes.size(), 4096 + 3000 * 10 + Events.size() / 10);
}

} // namespace
