//===- GuardTest.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events that no run can have end a trace with a message; what is rare only
// passes.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/Guard.h"
#include "RandomTrace.h"
#include "lib/trace/BinaryWriter.h"
#include "lib/trace/Open.h"
#include "test/unit/Events.h"
#include <cstdio>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace atsan::trace;
using atsan_test::event;

namespace {

constexpr uint64_t Top = UINT64_MAX;
constexpr uint64_t Huge = uint64_t(1) << 63;

TEST(Guard, StopsAtOddEvents) {
  struct {
    Event E;
    const char *Problem;
  } Cases[] = {
      {event(0, EventKind::Read, Top, 2), "2 bytes do not fit"},
      {event(0, EventKind::Write, Huge, Huge + 1), "do not fit"},
      {event(0, EventKind::Death, 16, Top), "do not fit"},
      {event(4000000000u, EventKind::Read, 8, 8), "thread number 4000000000"},
      {event(0, EventKind::Start, Top), "thread number 18446744073709551615"},
      {event(0, EventKind::Join, 70000), "thread number 70000"},
      {event(0, static_cast<EventKind>(200)), "kind of event number 200"},
  };
  for (const auto &Case : Cases) {
    const Event Events[] = {event(0, EventKind::Read, 8, 8), Case.E,
                            event(0, EventKind::Read, 8, 8)};
    Guard G;
    EXPECT_EQ(G.pass({Events, 3}).Count, 1u);
    EXPECT_NE(G.problem().find(Case.Problem), std::string::npos) << G.problem();
    EXPECT_EQ(G.problem().compare(0, 8, "event 2:"), 0) << G.problem();
    EXPECT_EQ(G.pass({Events, 1}).Count, 0u);
  }
}

TEST(Guard, LetsThroughWhatIsRareOnly) {
  std::vector<Event> Events = {
      event(0, EventKind::Read, Top, 1), event(0, EventKind::Write, Huge, Huge),
      event(0, EventKind::Birth, 0, Top), event(0, EventKind::Read, Top, 0),
      event(0, EventKind::Acquire, Top)};
  for (uint32_t T = 0; T < 5000; T += 1000)
    Events.push_back(event(T, EventKind::Start, T + 1000));
  Guard G;
  EXPECT_EQ(G.pass({Events.data(), Events.size()}).Count, Events.size())
      << G.problem();
}

// Whoever opens a binary trace is guarded.
TEST(Guard, StandsBeforeEveryReader) {
  const Event Events[] = {event(0, EventKind::Read, 8, 8),
                          event(0, EventKind::Start, 4000000000u)};
  const TestNames Known;
  const std::string Path = testing::TempDir() + "atsan-guard-test." +
                           std::to_string(getpid()) + ".trace";
  std::string Error;
  {
    const auto Writer = createBinary(Path, Known, Error);
    ASSERT_TRUE(Writer) << Error;
    EXPECT_TRUE(Writer->write({Events, 2}) && Writer->finish());
  }
  const auto Trace = atsan::trace::open(Path, Error);
  std::remove(Path.c_str());
  ASSERT_TRUE(Trace) << Error;
  EXPECT_EQ(Trace->next().Count, 1u);
  EXPECT_EQ(Trace->next().Count, 0u);
  EXPECT_EQ(Trace->damage().compare(0, Path.size() + 9, Path + ": event 2"), 0)
      << Trace->damage();
}

} // namespace
