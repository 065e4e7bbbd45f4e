//===- check_run.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/check_run.h"
#include "lib/check/Limits.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/memory_limit.h"
#include "tools/atsan/progress.h"
#include <algorithm>
#include <ctime>
#include <iostream>
#include <new>

using namespace atsan::check;

namespace atsan::tool {

void LimitOptions::declare(CLI::App &App, const std::string &Default) {
  App.add_option("--max-memory", MaxMemoryBytes,
                 "Give up when the process has this much memory, such as 4GiB")
      ->type_name("SIZE")
      ->transform(asBytes());
  App.add_option("--max-seconds", MaxSeconds,
                 "Give up after this time; 0: never (default: " + Default + ")")
      ->type_name("SECONDS")
      ->check(notSeconds);
}

void LimitOptions::apply(check::Options &O, double Seconds) const {
  O.MaxMemoryBytes = MaxMemoryBytes;
  O.MaxSeconds = MaxSeconds.value_or(Seconds);
}

static bool hasRegion(const trace::EventSpan &Events) {
  return std::any_of(Events.begin(), Events.end(), [](const trace::Event &E) {
    return E.Kind == trace::EventKind::RegionBegin;
  });
}

// Feeds the trace to the algorithm as far as either goes. False if the
// algorithm wants no more.
static bool feed(trace::Source &Trace, Analysis &A, bool IsAboutRegions,
                 Outcome &Result) {
  Progress Bar("checking", Trace, /*OutputIsShown=*/false);
  Result.LacksRegions = IsAboutRegions;
  for (bool WantsMore = true; WantsMore;) {
    const trace::EventSpan Events = Trace.next();
    if (Events.empty())
      return true;
    Result.Events += Events.Count;
    Result.LacksRegions = Result.LacksRegions && !hasRegion(Events);
    WantsMore = A.consume(Events);
    Bar.advance(Events.Count);
  }
  return false;
}

void analyse(trace::Source &Trace, std::unique_ptr<Analysis> Work,
             bool IsAboutRegions, bool WithStatistics, Outcome &Result) {
  Analysis &A = *Work.release();
  const std::clock_t Begin = std::clock();
  bool IsWhole = false;
  try {
    const MemoryLimit Limit(Result.Given.MaxMemoryBytes);
    IsWhole = feed(Trace, A, IsAboutRegions, Result);
    A.finish();
    Result.GaveUp = A.gaveUp();
  } catch (const std::bad_alloc &) {
    IsWhole = false;
    Result.GaveUp =
        Result.Given.MaxMemoryBytes
            ? Limits::memoryIsReached(Result.Given.MaxMemoryBytes)
            : "there is no more memory; give the process more, or choose "
              "another --algorithm";
  }
  Result.Findings = A.findings();
  if (IsWhole)
    Result.Damage = Trace.damage();
  else if (Result.GaveUp.empty() && !Result.Findings.empty() &&
           Result.Findings.back().Closing)
    Result.Events = Result.Findings.back().Closing;
  Result.LacksRegions = Result.LacksRegions && IsWhole &&
                        Result.Damage.empty() && Result.GaveUp.empty();
  if (!WithStatistics)
    return;
  Result.Statistics = A.statistics();
  Result.Statistics.push_back(
      {"microseconds of CPU time",
       uint64_t(std::clock() - Begin) * 1000000 / CLOCKS_PER_SEC});
}

int exitCode(const Outcome &O, bool FailOnPotential) {
  if (O.count(Notion::Violation) || (FailOnPotential && !O.Findings.empty()))
    return ExitFinding;
  return O.Damage.empty() && O.GaveUp.empty() && !O.LacksRegions
             ? ExitNothingFound
             : ExitBadInput;
}

void complain(const char *Command, const Outcome &O) {
  std::cout.flush();
  if (!O.Damage.empty())
    std::cerr << "atsan " << Command << ": error: " << O.Damage << '\n';
  if (!O.GaveUp.empty())
    std::cerr << "atsan " << Command << ": error: " << O.Trace << ": "
              << O.Algorithm << " gave up after " << counted(O.Events, "event")
              << ": " << O.GaveUp << '\n';
  if (O.LacksRegions)
    std::cerr << "atsan " << Command << ": error: " << O.Trace
              << ": nothing was checked: the trace has no region; mark some in "
                 "the program, or compile it with "
                 "-fatomicity-regions=exported\n";
}

} // namespace atsan::tool
