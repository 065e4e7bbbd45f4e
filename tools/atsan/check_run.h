//===- check_run.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a trace goes through an algorithm, and what the exit code is: for `atsan
// check` and `atsan predict`.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_CHECK_RUN_H
#define ATSAN_TOOLS_ATSAN_CHECK_RUN_H

#include "lib/check/Analysis.h"
#include "lib/check/Writers.h"
#include <memory>
#include <optional>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace atsan::tool {

/// The options --max-memory and --max-seconds.
struct LimitOptions {
  uint64_t MaxMemoryBytes = 0; ///< 0: no limit.
  std::optional<double> MaxSeconds;

  /// \p Default: the time without --max-seconds, for people.
  void declare(CLI::App &App, const std::string &Default);
  /// Sets the limits in \p O; \p Seconds: without --max-seconds.
  void apply(check::Options &O, double Seconds) const;
};

/// Feeds the trace to the algorithm as far as either goes. \p WithStatistics:
/// the result has the algorithm's figures, and the CPU time. \p Work is never
/// destroyed: to free its tables can take half as long as the limit of time.
void analyse(trace::Source &Trace, std::unique_ptr<check::Analysis> Work,
             bool IsAboutRegions, bool WithStatistics, check::Outcome &Result);

int exitCode(const check::Outcome &O, bool FailOnPotential);

/// Says on stderr why the trace was not decided. \p Command: "check".
void complain(const char *Command, const check::Outcome &O);

} // namespace atsan::tool

#endif
