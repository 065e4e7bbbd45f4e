//===-- CheckerDifferentialTest.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checker against the oracle on random schedules: same verdict, at the same
// event, for a cycle that the conflict graph really has.
//
//   ATSAN_DIFF_SCHEDULES  how many (default 20000, shared among the tests)
//   ATSAN_DIFF_SEED       the first seed (default 1)
//
//===----------------------------------------------------------------------===//

#include "CycleCheck.h"
#include "Minimize.h"
#include "RandomSchedule.h"
#include "Setting.h"
#include "UnitSupport.h"
#include "sanitizer_common/sanitizer_common.h"
#include "gtest/gtest.h"
#include <iostream>
#include <sys/resource.h>

using namespace atsan_test;

namespace {

struct Setting {
  uint32_t MaxSlots = 0; // 0: the checker's own defaults.
  uint32_t MaxIndex = 0;
  unsigned MaxUnfinished = 40;
  bool Waves = false;
  bool Sweeps = false;
  bool Rereads = false;
  RunOptions Run;

  void prepare() const {
    if (MaxSlots)
      freshChecker(MaxSlots, MaxIndex);
    else
      freshChecker();
  }
};

// The first of the events that the checker gets in the same call.
size_t firstOfCall(const Schedule &S, const Setting &X, size_t Event) {
  size_t First = 0;
  if (X.Run.Runs == EvenRuns::kApart)
    return Event;
  while (First + evenRun(S, First) <= Event)
    First += evenRun(S, First);
  return isOneCall(X.Run.Runs, First) ? First : Event;
}

uint64_t SlotsMerged; // In all runs so far.

// What differs between the oracle and the checker, or an empty string.
std::string difference(const Schedule &S, const Setting &X) {
  X.prepare();
  RunResult R = runChecker(S, X.Run);
  SlotsMerged += __atsan::CheckerGetStats().slots_merged;
  Oracle O;
  int Expected = -1;
  for (size_t I = 0; I < S.size(); I++) {
    if (O.apply(S[I]) && Expected < 0)
      Expected = I;
    if (Expected >= 0 && X.Run.StopAtViolation &&
        (I + 1 == S.size() || firstOfCall(S, X, I + 1) == I + 1))
      break;
  }
  bool Same = R.firstViolation() == Expected;
  // Of the accesses of one call, another one than the first may be reported.
  if (R.firstViolation() >= 0 && Expected >= 0)
    Same = firstOfCall(S, X, R.firstViolation()) == firstOfCall(S, X, Expected);
  if (!Same) {
    auto Verdict = [](int Event) {
      return Event < 0 ? "none" : "at event " + std::to_string(Event + 1);
    };
    return "first violation: oracle " + Verdict(Expected) + ", checker " +
           Verdict(R.firstViolation());
  }
  for (size_t I = 0; I < R.Findings.size(); I++) {
    if (I && R.Findings[I].Event == R.Findings[I - 1].Event)
      return "reported twice at event " +
             std::to_string(R.Findings[I].Event + 1);
    std::string Wrong =
        X.Run.OnePlace ? ""
                       : checkCycle(O, R.Findings[I], X.Run.Base, !X.MaxIndex);
    if (!Wrong.empty())
      return "cycle at event " + std::to_string(R.Findings[I].Event + 1) +
             ": " + Wrong;
  }
  return "";
}

// Each seed has its place in memory, some across a boundary of any alignment,
// and half of them have the gate that instrumented code has.
void vary(Setting &X, uint64_t Seed) {
  X.Run.Gated = Seed & 1;
  X.Run.Base = Seed & 2 ? 0x7e1234560000 : 0x7e2200000000 - 16;
  X.Run.Runs = Seed & 4   ? EvenRuns::kMixed
               : Seed & 8 ? EvenRuns::kOneCall
                          : EvenRuns::kApart;
  X.Run.OnePlace = (Seed & 20) == 20;
}

const char *describe(EvenRuns Runs) {
  return Runs == EvenRuns::kApart     ? ""
         : Runs == EvenRuns::kOneCall ? " (runs in one call)"
                                      : " (runs mixed)";
}

// Where the run was when the checker gave up by itself.
uint64_t CurrentSeed;
void nameSeed() {
  fprintf(stderr, "the checker died with ATSAN_DIFF_SEED=%llu\n",
          static_cast<unsigned long long>(CurrentSeed));
}

class CheckerDifferential : public testing::Test {
protected:
  static void SetUpTestSuite() {
    __sanitizer::AddDieCallback(nameSeed);
    // A checker that runs away should not take the machine with it.
    rlimit Limit = {6ull << 30, 6ull << 30};
    setrlimit(RLIMIT_AS, &Limit);
  }
  static void TearDownTestSuite() { __sanitizer::RemoveDieCallback(nameSeed); }

  // Runs `Share` percent of the schedules.
  void compare(Setting X, unsigned Share) {
    uint64_t Count = setting("ATSAN_DIFF_SCHEDULES", 10000) * Share / 100;
    uint64_t First = setting("ATSAN_DIFF_SEED", 1);
    uint64_t Violations = 0, Events = 0;
    SlotsMerged = 0;
    for (uint64_t Seed = First; Seed < First + Count; Seed++) {
      CurrentSeed = Seed;
      vary(X, Seed);
      if (X.Sweeps) {
        X.Run.Runs = EvenRuns::kMixed;
        X.Run.OnePlace = Seed & 4;
        X.Run.SweepsInVain = Seed & 8;
      }
      RandomLimits Limits;
      Limits.MaxUnfinished = X.MaxUnfinished;
      Limits.Waves = X.Waves;
      Limits.Sweeps = X.Sweeps;
      Limits.Rereads = X.Rereads;
      Schedule S = randomSchedule(Seed, Limits);
      Events += S.size();
      std::string Wrong = difference(S, X);
      if (!Wrong.empty()) {
        Schedule Small = minimize(S, [&](const Schedule &Candidate) {
          return mostUnfinished(Candidate) <= X.MaxUnfinished &&
                 !difference(Candidate, X).empty();
        });
        FAIL() << "seed " << Seed << (X.Run.Gated ? " (gated)" : "")
               << describe(X.Run.Runs) << ": " << Wrong << "\nminimized, "
               << difference(Small, X) << "\n"
               << describe(Small, firstViolation(Small));
      }
      Violations += firstViolation(S) >= 0;
    }
    std::cout << Count << " schedules, " << Events << " events, " << Violations
              << " with a violation, " << SlotsMerged << " slots merged\n";
    RecordProperty("schedules", std::to_string(Count));
    RecordProperty("violations", std::to_string(Violations));
    // A test that always sees the same verdict would be worth little.
    EXPECT_GE(Violations, Count / 10);
    EXPECT_LE(Violations, Count * 9 / 10);
  }
};

TEST_F(CheckerDifferential, DefaultOptions) { compare(Setting(), 65); }

// Arrays that are read in a row (lib/checker/atsan_sweep.h).
TEST_F(CheckerDifferential, Sweeps) {
  Setting X;
  X.Sweeps = true;
  compare(X, 40);
}

// Words that many regions read (lib/checker/atsan_read_log.h).
TEST_F(CheckerDifferential, Rereads) {
  Setting X;
  X.Rereads = true;
  compare(X, 40);
}

// The same where slots and indices run out.
TEST_F(CheckerDifferential, RereadsInFewSlots) {
  Setting X;
  X.Rereads = true;
  X.MaxSlots = 9;
  X.MaxIndex = 5;
  X.MaxUnfinished = 5;
  compare(X, 10);
  EXPECT_GT(SlotsMerged, 0u);
}

// Few slots: ended threads have to share them. How many the checker needs grows
// with the number of sets of open regions that can reach an ended thread.
TEST_F(CheckerDifferential, FewSlots) {
  Setting X;
  X.MaxSlots = 24;
  X.MaxIndex = __atsan::kNoIndex - 1;
  X.MaxUnfinished = 6;
  X.Waves = true;
  compare(X, 3);
  EXPECT_GT(SlotsMerged, 0u);
}

// Indices run out soon: threads move to new slots.
TEST_F(CheckerDifferential, SmallIndices) {
  Setting X;
  X.MaxSlots = 200;
  X.MaxIndex = 6;
  compare(X, 10);
}

// Slots and indices run out, so that indices start anew.
TEST_F(CheckerDifferential, IndicesStartAnew) {
  Setting X;
  X.MaxSlots = 12;
  X.MaxIndex = 6;
  X.MaxUnfinished = 3;
  compare(X, 10);
  EXPECT_GT(SlotsMerged, 0u);
}
TEST_F(CheckerDifferential, FewSlotsAndSmallIndices) {
  Setting X;
  X.MaxSlots = 24;
  X.MaxIndex = 7;
  X.MaxUnfinished = 6;
  X.Waves = true;
  compare(X, 2);
  EXPECT_GT(SlotsMerged, 0u);
}

// The run goes on after a violation (rule 11). What is reported must be true.
TEST_F(CheckerDifferential, GoesOnAfterAViolation) {
  Setting X;
  X.Run.StopAtViolation = false;
  compare(X, 10);
}

} // namespace
