//===- ChangedTriesTest.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is tried in vain in a run and need not fail in a schedule: tries for
// locks and semaphores, and waits for conditions. Cases, and random ones
// against a walk through the schedule that knows only lists of events.
// ATSAN_DIFF_PROGRAMS=N sets of how many random runs.
//
//===----------------------------------------------------------------------===//

#include "lib/predict/ChangedTries.h"
#include "lib/check/Violations.h"
#include "test/unit/RecordedEvents.h"
#include "test/unit/Setting.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace atsan;
using namespace atsan_test;
using check::NumberedEvent;
using check::Stretch;
using trace::Event;
using trace::EventKind;

namespace {

Event event(uint32_t Thread, EventKind Kind, uint64_t Lock = 1,
            uint64_t Size = 0) {
  Event E;
  E.Thread = Thread;
  E.Kind = Kind;
  E.Address = Lock;
  E.Size = Size;
  return E;
}

std::vector<uint64_t> changed(const std::vector<Event> &Run,
                              const std::vector<Stretch> &Schedule) {
  std::vector<check::Finding> Findings(1);
  Findings[0].Schedule = Schedule;
  EXPECT_TRUE(predict::findChangedTries(
      Findings, [&] { return std::make_unique<RecordedEvents>(Run); }));
  std::vector<uint64_t> Numbers;
  for (const NumberedEvent &E : Findings[0].ChangedTries)
    Numbers.push_back(E.Number);
  return Numbers;
}

// --- The walk. ---------------------------------------------------------------

/// What random runs use of each kind.
constexpr uint64_t Semaphore = 3, Signalled = 4;

int posts(const std::vector<Event> &Events, size_t Until) {
  int Count = 0;
  for (size_t I = 0; I < Until; ++I)
    if (Events[I].Address == Semaphore)
      Count += (Events[I].Kind == EventKind::Release) -
               (Events[I].Kind == EventKind::Acquire);
  return Count;
}

/// How often the semaphore of a run could be decreased at first, at least.
int firstValue(const std::vector<Event> &Run) {
  int First = 0;
  for (size_t I = 0; I <= Run.size(); ++I)
    First = std::max(First, -posts(Run, I));
  return First;
}

/// Was nobody signalled since the thread of this event began to wait?
bool isWaiting(const std::vector<Event> &Before, uint32_t Thread) {
  for (auto It = Before.rbegin(); It != Before.rend(); ++It) {
    if (It->Kind == EventKind::Signal)
      return false;
    if (It->Thread == Thread && It->Kind == EventKind::Wait)
      return true;
  }
  return false;
}

/// Is the lock in the way of a try behind these events, by counting them?
bool isTaken(const std::vector<Event> &Before, const Event &Try) {
  for (const Event &Of : Before) {
    int Alone = 0, Shared = 0;
    for (const Event &E : Before)
      if (E.Thread == Of.Thread && E.Address == Try.Address) {
        Alone += E.Kind == EventKind::Acquire;
        Alone -= E.Kind == EventKind::Release;
        Shared += E.Kind == EventKind::AcquireShared;
        Shared -= E.Kind == EventKind::ReleaseShared;
      }
    if (Alone > 0 || (Shared > 0 && !Try.Size))
      return true;
  }
  return false;
}

std::vector<uint64_t> walk(const std::vector<Event> &Run,
                           const std::vector<Stretch> &Schedule) {
  std::vector<uint64_t> Done(16), Changed;
  std::vector<Event> Before;
  for (const Stretch &S : Schedule)
    for (uint64_t N = Done[S.Thread] + 1; N <= S.Last; ++N) {
      Done[S.Thread] = N;
      const Event &E = Run[N - 1];
      if (E.Thread != S.Thread)
        continue;
      const std::vector<Event> InRun(Run.begin(), Run.begin() + N - 1);
      const auto Fails = [&](const std::vector<Event> &Behind) {
        return E.Address == Semaphore
                   ? firstValue(Run) + posts(Behind, Behind.size()) <= 0
                   : isTaken(Behind, E);
      };
      if (E.Kind == EventKind::TryFailed && Fails(InRun) && !Fails(Before))
        Changed.push_back(N);
      // The event of the thread before this one, which it waits with.
      const auto Wait =
          std::find_if(InRun.rbegin(), InRun.rend(),
                       [&](const Event &W) { return W.Thread == E.Thread; });
      if (Wait != InRun.rend() && Wait->Kind == EventKind::Wait &&
          E.Kind != EventKind::Woken && isWaiting(InRun, E.Thread) &&
          !isWaiting(Before, E.Thread))
        Changed.push_back(InRun.rend() - Wait);
      Before.push_back(E);
    }
  std::sort(Changed.begin(), Changed.end());
  return Changed;
}

/// Threads that take and give back what they have, and ask in vain.
std::vector<Event> randomRun(std::mt19937 &Dice) {
  std::vector<Event> Run, Held;
  const unsigned Length = 1 + Dice() % 24;
  while (Run.size() < Length) {
    const uint32_t Thread = Dice() % 3;
    const uint64_t Lock = 1 + Dice() % 2;
    const bool Shared = Dice() % 2;
    if (const unsigned Other = Dice() % 12; Other < 6) {
      const EventKind Kinds[] = {EventKind::TryFailed, EventKind::Acquire,
                                 EventKind::Release,   EventKind::Wait,
                                 EventKind::Signal,    EventKind::Woken};
      Run.push_back(event(Thread, Kinds[Other],
                          Other < 3 ? Semaphore : Signalled,
                          Other ? 0 : trace::SemaphoreTry));
      continue;
    }
    const auto Own =
        std::find_if(Held.begin(), Held.end(), [&](const Event &E) {
          return E.Thread == Thread && E.Address == Lock;
        });
    if (Dice() % 3 == 0) {
      Run.push_back(event(Thread, EventKind::TryFailed, Lock, Shared));
    } else if (Own != Held.end()) {
      Run.push_back(event(Thread,
                          Own->Kind == EventKind::Acquire
                              ? EventKind::Release
                              : EventKind::ReleaseShared,
                          Lock));
      Held.erase(Own);
    } else if (!isTaken(Run,
                        event(Thread, EventKind::TryFailed, Lock, Shared))) {
      Held.push_back(
          event(Thread, Shared ? EventKind::AcquireShared : EventKind::Acquire,
                Lock));
      Run.push_back(Held.back());
    }
  }
  return Run;
}

std::vector<Stretch> randomSchedule(std::mt19937 &Dice, size_t Events) {
  std::vector<Stretch> Schedule;
  std::vector<uint64_t> Done(3);
  for (unsigned I = Dice() % 8; I; --I) {
    const uint32_t Thread = Dice() % 3;
    const uint64_t Last = 1 + Dice() % Events;
    if (Last <= Done[Thread])
      continue;
    Done[Thread] = Last;
    Schedule.push_back({Thread, Last});
  }
  return Schedule;
}

} // namespace

TEST(ChangedTries, ALockThatIsFreeInTheSchedule) {
  const std::vector<Event> Run = {event(0, EventKind::Acquire),
                                  event(1, EventKind::TryFailed),
                                  event(0, EventKind::Release)};
  EXPECT_EQ(changed(Run, {{1, 2}}), std::vector<uint64_t>{2});
  EXPECT_EQ(changed(Run, {{0, 3}, {1, 2}}), std::vector<uint64_t>{2});
  EXPECT_EQ(changed(Run, {{0, 1}, {1, 2}}), std::vector<uint64_t>{});
  // The schedule does not get there.
  EXPECT_EQ(changed(Run, {{0, 3}}), std::vector<uint64_t>{});
}

TEST(ChangedTries, ReadersAreInTheWayOfWritersOnly) {
  const std::vector<Event> Run = {event(0, EventKind::AcquireShared),
                                  event(1, EventKind::TryFailed, 1, 0),
                                  event(2, EventKind::TryFailed, 1, 1)};
  EXPECT_EQ(changed(Run, {{1, 2}, {2, 3}}), std::vector<uint64_t>{2});
  EXPECT_EQ(changed(Run, {{0, 1}, {1, 2}, {2, 3}}), std::vector<uint64_t>{});
}

TEST(ChangedTries, ASemaphoreWithMoreThanTheTryFound) {
  // It was 1 at first: the try failed behind two waits, one of which was
  // posted.
  const std::vector<Event> Run = {
      event(0, EventKind::Release), event(0, EventKind::Acquire),
      event(0, EventKind::Acquire), event(1, EventKind::TryFailed, 1, 2),
      event(0, EventKind::Release),
  };
  EXPECT_EQ(changed(Run, {{0, 3}, {1, 4}}), std::vector<uint64_t>{});
  EXPECT_EQ(changed(Run, {{0, 2}, {1, 4}}), std::vector<uint64_t>{4});
  EXPECT_EQ(changed(Run, {{0, 5}, {1, 4}}), std::vector<uint64_t>{4});
}

TEST(ChangedTries, NothingIsSaidOfASemaphoreThatIsSeenToBePosted) {
  const std::vector<Event> Run = {event(0, EventKind::Release),
                                  event(1, EventKind::TryFailed, 1, 2)};
  EXPECT_EQ(changed(Run, {{1, 2}}), std::vector<uint64_t>{});
}

TEST(ChangedTries, AWaitThatIsSignalledInTheSchedule) {
  const std::vector<Event> Run = {
      event(0, EventKind::Wait, 7),    event(0, EventKind::Acquire),
      event(1, EventKind::Signal, 7),  event(0, EventKind::Wait, 7),
      event(1, EventKind::Signal, 7),  event(0, EventKind::Woken, 7),
      event(0, EventKind::Acquire, 1),
  };
  // The wait is told, not where it ended.
  EXPECT_EQ(changed(Run, {{0, 1}, {1, 3}, {0, 2}}), std::vector<uint64_t>{1});
  EXPECT_EQ(changed(Run, {{1, 3}, {0, 2}}), std::vector<uint64_t>{});
  EXPECT_EQ(changed(Run, {{0, 1}, {1, 3}}), std::vector<uint64_t>{});
  EXPECT_EQ(changed(Run, {{0, 4}, {1, 3}, {0, 7}}), std::vector<uint64_t>{});
}

TEST(ChangedTries, AWaitThatWentOnByItself) {
  const std::vector<Event> Run = {event(0, EventKind::Wait, 7),
                                  event(0, EventKind::Woken, 7),
                                  event(1, EventKind::Signal, 7)};
  EXPECT_EQ(changed(Run, {{0, 1}, {1, 3}, {0, 2}}), std::vector<uint64_t>{});
}

TEST(ChangedTries, NothingIsSaidOfWhatTheRunDoesNotExplain) {
  const std::vector<Event> Run = {event(1, EventKind::TryFailed)};
  EXPECT_EQ(changed(Run, {{1, 1}}), std::vector<uint64_t>{});
}

TEST(ChangedTries, NoneIsChangedWhereTheRunIsTheOrder) {
  const std::vector<Event> Run = {event(0, EventKind::Acquire),
                                  event(1, EventKind::TryFailed)};
  for (const bool IsOfRun : {true, false}) {
    std::vector<check::Finding> Findings(1);
    Findings[0].Schedule = {{1, 2}, {0, 1}};
    const NumberedEvent First{1, Run[0]}, Later{2, Run[1]};
    Findings[0].Relations.push_back(
        IsOfRun ? check::Relation{First, Later, check::reason::Conflict}
                : check::Relation{Later, First, check::reason::Conflict});
    EXPECT_TRUE(predict::findChangedTries(
        Findings, [&] { return std::make_unique<RecordedEvents>(Run); }));
    EXPECT_EQ(Findings[0].ChangedTries.empty(), IsOfRun);
  }
}

TEST(ChangedTries, Differential) {
  const uint64_t Runs = setting("ATSAN_DIFF_PROGRAMS", 2000);
  uint64_t Some = 0;
  for (uint64_t Seed = 0; Seed < Runs; ++Seed) {
    std::mt19937 Dice(Seed);
    const std::vector<Event> Run = randomRun(Dice);
    const std::vector<Stretch> Schedule = randomSchedule(Dice, Run.size());
    const std::vector<uint64_t> Expected = walk(Run, Schedule);
    ASSERT_EQ(changed(Run, Schedule), Expected) << "seed " << Seed;
    Some += !Expected.empty();
  }
  EXPECT_GT(Some, Runs / 20);
}
