//===- check_run.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/check_run.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/progress.h"
#include <algorithm>
#include <iostream>

using namespace atsan::check;

namespace atsan::tool {

static bool hasRegion(const trace::EventSpan &Events) {
  return std::any_of(Events.begin(), Events.end(), [](const trace::Event &E) {
    return E.Kind == trace::EventKind::RegionBegin;
  });
}

void analyse(trace::Source &Trace, Analysis &A, bool IsAboutRegions,
             Outcome &Result) {
  Progress Bar("checking", Trace, /*OutputIsShown=*/false);
  bool WantsMore = true;
  bool LacksRegions = IsAboutRegions;
  while (WantsMore) {
    const trace::EventSpan Events = Trace.next();
    if (Events.empty())
      break;
    Result.Events += Events.Count;
    LacksRegions = LacksRegions && !hasRegion(Events);
    WantsMore = A.consume(Events);
    Bar.advance(Events.Count);
  }
  A.finish();
  Result.Findings = A.findings();
  Result.GaveUp = A.gaveUp();
  if (!WantsMore) {
    if (Result.GaveUp.empty() && !Result.Findings.empty() &&
        Result.Findings.back().Closing)
      Result.Events = Result.Findings.back().Closing;
    return;
  }
  Result.Damage = Trace.damage();
  Result.LacksRegions =
      LacksRegions && Result.Damage.empty() && Result.GaveUp.empty();
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
