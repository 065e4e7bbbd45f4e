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

#include "lib/check/Writers.h"

namespace atsan::tool {

/// Feeds the trace to the algorithm as far as either goes.
void analyse(trace::Source &Trace, check::Analysis &A, bool IsAboutRegions,
             check::Outcome &Result);

int exitCode(const check::Outcome &O, bool FailOnPotential);

/// Says on stderr why the trace was not decided. \p Command: "check".
void complain(const char *Command, const check::Outcome &O);

} // namespace atsan::tool

#endif
