//===-- SpeedTest.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a choice costs, in long runs of many threads: printed, and so little
// that a program's own steps cost more. ATSAN_SCHEDULE_STEPS: those of each
// thread.
//
//===----------------------------------------------------------------------===//
#include "../Setting.h"
#include "lib/schedule/atsan_strategy.h"
#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

using namespace __atsan;
using namespace atsan_test;

namespace {

// Eight threads, each of them works on its own memory but for each 50th step.
void run(const std::function<u32(const Decision &)> &Choose, u32 Steps) {
  constexpr u32 kThreads = 8;
  std::vector<u32> Left(kThreads, Steps);
  u32 Current = kNoThread;
  for (;;) {
    std::vector<Candidate> All;
    for (u32 I = 0; I < kThreads; I++) {
      if (!Left[I])
        continue;
      Candidate C = {I, I ? 0 : kNoThread, true, false, {}};
      C.next.kind = Left[I] % 3 ? StepKind::kRead : StepKind::kWrite;
      C.next.size = 8;
      C.next.object = Left[I] % 50 ? 4096 * (I + 1) + 8 * (Left[I] % 100) : 8;
      C.next.interesting = Left[I] % 50 == 0;
      All.push_back(C);
    }
    if (All.empty())
      return;
    Current = Choose({All.data(), u32(All.size()), Current});
    Left[Current]--;
  }
}

double perSecond(const char *What, const std::function<void()> &Body,
                 double Choices) {
  const auto Begin = std::chrono::steady_clock::now();
  Body();
  const std::chrono::duration<double> Time =
      std::chrono::steady_clock::now() - Begin;
  printf("%-10s %9.0f choices a second\n", What, Choices / Time.count());
  return Choices / Time.count();
}

TEST(Speed, OfChoices) {
  const u32 Steps = setting("ATSAN_SCHEDULE_STEPS", 500);
  constexpr u32 kRuns = 4;
  for (const char *const *Name = kStrategyNames; *Name; Name++) {
    Strategy &S = *NewStrategy(*Name, {});
    const double Speed = perSecond(
        *Name,
        [&] {
          for (u32 I = 0; I < kRuns; I++) {
            S.BeginRun();
            run([&](const Decision &D) { return S.Choose(D); }, Steps);
            S.EndRun(true);
          }
        },
        8.0 * Steps * kRuns);
    EXPECT_GT(Speed, 2000);
  }
  ScheduleClass Class;
  perSecond(
      "(class)",
      [&] {
        for (u32 I = 0; I < kRuns; I++) {
          Class.Begin();
          run(
              [&](const Decision &D) {
                const Candidate &C = D.candidates[I % D.num_candidates];
                Class.Execute(C.thread, C.next);
                return C.thread;
              },
              Steps);
        }
      },
      8.0 * Steps * kRuns);
}

} // namespace
