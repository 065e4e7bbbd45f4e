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

#include "trace/Guard.h"
#include "RandomTrace.h"
#include "trace/BinaryWriter.h"
#include "trace/Open.h"
#include <cstdio>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace atsan::trace;

namespace {

Event event(EventKind Kind, uint32_t Thread, uint64_t Address = 0,
            uint64_t Size = 0) {
  Event E;
  E.Kind = Kind;
  E.Thread = Thread;
  E.Address = Address;
  E.Size = Size;
  return E;
}

constexpr uint64_t Top = UINT64_MAX;
constexpr uint64_t Huge = uint64_t(1) << 63;

TEST(Guard, StopsAtOddEvents) {
  struct {
    Event E;
    const char *Problem;
  } Cases[] = {
      {event(EventKind::Read, 0, Top, 2), "2 bytes do not fit"},
      {event(EventKind::Write, 0, Huge, Huge + 1), "do not fit"},
      {event(EventKind::Death, 0, 16, Top), "do not fit"},
      {event(EventKind::Read, 4000000000u, 8, 8), "thread number 4000000000"},
      {event(EventKind::Start, 0, Top), "thread number 18446744073709551615"},
      {event(EventKind::Join, 0, 70000), "thread number 70000"},
      {event(static_cast<EventKind>(200), 0), "kind of event number 200"},
  };
  for (const auto &Case : Cases) {
    const Event Events[] = {event(EventKind::Read, 0, 8, 8), Case.E,
                            event(EventKind::Read, 0, 8, 8)};
    Guard G;
    EXPECT_EQ(G.pass({Events, 3}).Count, 1u);
    EXPECT_NE(G.problem().find(Case.Problem), std::string::npos) << G.problem();
    EXPECT_EQ(G.problem().compare(0, 8, "event 2:"), 0) << G.problem();
    EXPECT_EQ(G.pass({Events, 1}).Count, 0u);
  }
}

TEST(Guard, LetsThroughWhatIsRareOnly) {
  std::vector<Event> Events = {
      event(EventKind::Read, 0, Top, 1), event(EventKind::Write, 0, Huge, Huge),
      event(EventKind::Birth, 0, 0, Top), event(EventKind::Read, 0, Top, 0),
      event(EventKind::Acquire, 0, Top)};
  for (uint32_t T = 0; T < 5000; T += 1000)
    Events.push_back(event(EventKind::Start, T, T + 1000));
  Guard G;
  EXPECT_EQ(G.pass({Events.data(), Events.size()}).Count, Events.size())
      << G.problem();
}

// Whoever opens a binary trace is guarded.
TEST(Guard, StandsBeforeEveryReader) {
  const Event Events[] = {event(EventKind::Read, 0, 8, 8),
                          event(EventKind::Start, 0, 4000000000u)};
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
