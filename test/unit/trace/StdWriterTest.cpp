//===- StdWriterTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// STD text that is written: what each kind of event becomes, that the verdict
// is the same, and that text which is read and written again is the same text.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/StdWriter.h"
#include "GraphOracle.h"
#include "RandomEvents.h"
#include "RandomTrace.h"
#include "lib/trace/StdReader.h"
#include "test/unit/Events.h"
#include <gtest/gtest.h>

using namespace atsan::trace;
using namespace atsan_test;

namespace {

struct Written {
  std::string Text, Error;
  std::vector<size_t> EventOfLine; ///< Counted from 1, as the event is.
};

Written writeStd(const std::vector<Event> &Events, const Names &Known,
                 const StdWriterOptions &O = {}) {
  StdVariables Variables;
  for (const Event &E : Events)
    Variables.collect(E);
  Variables.finish();
  StdWriter Writer(Known, Variables, O);
  Written Result;
  for (size_t I = 0; I < Events.size(); ++I) {
    const size_t Before = Result.Text.size();
    if (!Writer.write(Events[I], Result.Text)) {
      Result.Error = Writer.error();
      break;
    }
    const auto Lines =
        std::count(Result.Text.begin() + Before, Result.Text.end(), '\n');
    Result.EventOfLine.insert(Result.EventOfLine.end(), Lines, I + 1);
  }
  return Result;
}

std::vector<Event> readStd(const std::string &Text, StdReader &Reader) {
  const std::vector<Event> Result = readAll(Reader);
  EXPECT_EQ(Reader.damage(), "") << Text;
  return Result;
}

StdReader readerOf(const std::string &Text, bool Lenient = false) {
  return StdReader(Input::ofText(Text, "t.std"), StdOptions{Lenient});
}

std::string textOf(const std::vector<Event> &Events,
                   const StdWriterOptions &O = {}) {
  const Written W = writeStd(Events, PlainNames(), O);
  EXPECT_EQ(W.Error, "");
  return W.Text;
}

using K = EventKind;

TEST(StdWriter, OneToOne) {
  EXPECT_EQ(
      textOf({event(0, K::Start, 1), event(1, K::RegionBegin, 2),
              event(1, K::Acquire, 0x20), event(1, K::Read, 0x10, 4),
              event(1, K::Write, 0x10, 4), event(1, K::Release, 0x20),
              event(1, K::RegionEnd), event(1, K::End), event(0, K::Join, 1)}),
      "T0|fork(T1)|0\nT1|begin(r2)|0\nT1|acq(l20)|0\nT1|r(x10)|0\n"
      "T1|w(x10)|0\nT1|rel(l20)|0\nT1|end|0\nT0|join(T1)|0\n");
}

TEST(StdWriter, SizesBecomeVariables) {
  // 4 bytes that others have as 2 and 2 are two variables; what nobody has
  // apart is one, whatever its size.
  EXPECT_EQ(textOf({event(0, K::RegionBegin), event(0, K::Write, 0x10, 4),
                    event(0, K::RegionEnd), event(1, K::Read, 0x12, 2),
                    event(1, K::Read, 0x20, 8)}),
            "T0|begin|0\nT0|w(x10)|0\nT0|w(x12)|0\nT0|end|0\nT1|r(x12)|0\n"
            "T1|r(x20)|0\n");
  // Outside regions they stay one transaction.
  EXPECT_EQ(textOf({event(0, K::Write, 0x10, 4), event(1, K::Read, 0x12, 1)}),
            "T0|begin|0\nT0|w(x10)|0\nT0|w(x12)|0\nT0|w(x13)|0\nT0|end|0\n"
            "T1|r(x12)|0\n");
  EXPECT_EQ(
      textOf({event(0, K::Write, UINT64_MAX - 3, 99),
              event(0, K::Read, UINT64_MAX, 1), event(0, K::Write, 5, 0)}),
      "T0|begin|0\nT0|w(xfffffffffffffffc)|0\nT0|w(xffffffffffffffff)|0\n"
      "T0|end|0\nT0|r(xffffffffffffffff)|0\n");
  EXPECT_EQ(textOf({event(0, K::Write, 0, UINT64_MAX),
                    event(0, K::Read, uint64_t(1) << 63, uint64_t(1) << 63)}),
            "T0|begin|0\nT0|w(x0)|0\nT0|w(x8000000000000000)|0\nT0|end|0\n"
            "T0|begin|0\nT0|r(x8000000000000000)|0\nT0|r(xffffffffffffffff)|0\n"
            "T0|end|0\n");
}

TEST(StdWriter, LivesAreApart) {
  EXPECT_EQ(textOf({event(0, K::Write, 0x10, 4), event(0, K::Death, 0x10, 4),
                    event(0, K::Birth, 0x10, 2), event(1, K::Read, 0x10, 1),
                    event(1, K::Read, 0x14, 1)}),
            "T0|w(x10)|0\nT1|r(x10~2)|0\nT1|r(x14)|0\n");
}

TEST(StdWriter, Boundaries) {
  const std::vector<Event> Events = {
      event(0, K::Wait, 9),       event(0, K::RegionBegin, 1),
      event(0, K::RegionBegin),   event(0, K::Restart),
      event(0, K::BarrierArrive), event(0, K::Wait),
      event(0, K::Start, 1),      event(0, K::End),
      event(1, K::Restart)};
  const std::string Again =
      "T0|end|0\nT0|end(r1)|0\nT0|begin(r1)|0\nT0|begin|0\n";
  EXPECT_EQ(textOf(Events), "T0|begin(r1)|0\nT0|begin|0\n" + Again + Again +
                                Again +
                                "T0|fork(T1)|0\nT0|end|0\nT0|end(r1)|0\n");
  StdWriterOptions O;
  O.SplitBarrier = O.SplitWait = false;
  O.SplitStart = true;
  EXPECT_EQ(textOf(Events, O),
            "T0|begin(r1)|0\nT0|begin|0\n" + Again +
                "T0|end|0\nT0|end(r1)|0\nT0|fork(T1)|0\nT0|begin(r1)|0\n"
                "T0|begin|0\nT0|end|0\nT0|end(r1)|0\n");
}

TEST(StdWriter, Refused) {
  const std::vector<Event> Shared = {event(0, K::Read, 1, 1),
                                     event(0, K::AcquireShared, 0x20),
                                     event(0, K::ReleaseShared, 0x20)};
  const Written W = writeStd(Shared, PlainNames());
  EXPECT_EQ(W.Error.rfind("event 2: a shared lock", 0), 0u) << W.Error;
  StdWriterOptions O;
  O.DropSharedLocks = true;
  EXPECT_EQ(textOf(Shared, O), "T0|r(x1)|0\n");

  const std::vector<Event> Unheld = {event(0, K::Release, 0x20)};
  EXPECT_EQ(
      writeStd(Unheld, PlainNames()).Error.rfind("event 1: T0 releases", 0),
      0u);
  O.Lenient = true;
  EXPECT_EQ(textOf(Unheld, O), "T0|rel(l20)|0\n");
}

/// Names that the text cannot say, or not twice.
class OddNames final : public Names {
public:
  std::string thread(uint32_t) const override { return "a b"; }
  std::string variable(uint64_t A) const override {
    return A < 3 ? "v|\n" : A < 5 ? "v__~2" : "";
  }
  std::string lock(uint64_t) const override { return "\x7f"; }
  std::string region(uint64_t) const override { return "the (x) region"; }
  std::vector<Frame> stack(uint32_t) const override { return {}; }
  std::string location(uint32_t) const override { return "x.c:7"; }
};

TEST(StdWriter, NamesAreMadePlainAndDistinct) {
  const Written W =
      writeStd({event(0, K::Write, 1, 1), event(1, K::Write, 2, 1),
                event(0, K::Write, 3, 1), event(0, K::Write, 4, 1),
                event(0, K::Write, 5, 1), event(0, K::Acquire, 1),
                event(0, K::Acquire, 2), event(0, K::RegionBegin, 1)},
               OddNames());
  EXPECT_EQ(W.Text, "a_b|w(v__)|0\na_b~2|w(v__~2)|0\na_b|w(v__~2~2)|0\n"
                    "a_b|w(v__~2~3)|0\na_b|w(_)|0\na_b|acq(_)|0\n"
                    "a_b|acq(_~2)|0\na_b|begin(the_(x)_region)|0\n");
}

// The oracle says the same of the events and of the text that they became, at
// the same event.
TEST(StdWriter, SameVerdict) {
  const unsigned Runs = cases(100000);
  std::mt19937_64 Random(1);
  size_t Violations[2] = {};
  for (unsigned Run = 0; Run < Runs; ++Run) {
    RandomOptions R;
    R.Threads = 2 + Random() % 3;
    R.Events = 4 + Random() % 22;
    R.Bytes = 1 + Random() % 8;
    // Shared locks are left out of the text, and make no edges by default.
    R.SharedLocks = Random() % 2;
    const bool LockEdges = !R.SharedLocks && Random() % 2;
    StdWriterOptions O;
    O.DropSharedLocks = true;
    O.SplitStart = O.SplitJoin = Random() % 2;
    const std::vector<Event> Events = randomEvents(Random, R);
    const Written W = writeStd(Events, PlainNames(), O);
    ASSERT_EQ(W.Error, "") << Run;
    StdReader Reader = readerOf(W.Text);
    const std::vector<Event> Text = readStd(W.Text, Reader);
    ASSERT_EQ(Text.size(), W.EventOfLine.size());
    const bool SplitThreads = O.SplitStart || Random() % 2;
    const size_t Expected = closingEvent(Events, LockEdges, SplitThreads);
    const size_t Line = closingEvent(Text, LockEdges, SplitThreads);
    ASSERT_EQ(Line ? W.EventOfLine[Line - 1] : 0, Expected) << Run << '\n'
                                                            << W.Text;
    ++Violations[Expected != 0];
  }
  EXPECT_GT(Violations[0], Runs / 20);
  EXPECT_GT(Violations[1], Runs / 20);
}

// Text that is read and written again is the same; so are its events.
TEST(StdWriter, RoundTrip) {
  const unsigned Runs = cases(100000);
  std::mt19937_64 Random(2);
  for (unsigned Run = 0; Run < Runs; ++Run) {
    RandomOptions R;
    R.Threads = 1 + Random() % 4;
    R.Events = Random() % 20;
    R.OnlyStd = true;
    const std::vector<Event> Events = randomEvents(Random, R);
    const std::string Text = textOf(Events);
    StdReader Reader = readerOf(Text);
    const std::vector<Event> Again = readStd(Text, Reader);
    ASSERT_EQ(Again.size(), Events.size());
    for (size_t I = 0; I < Events.size(); ++I) {
      ASSERT_EQ(Again[I].Kind, Events[I].Kind);
      ASSERT_EQ(Again[I].Location, Events[I].Location);
    }
    ASSERT_EQ(writeStd(Again, Reader.names()).Text, Text);
  }
}

} // namespace
