//===- explore_print.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `atsan explore` prints of what it has seen.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_PRINT_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_PRINT_H

#include "tools/atsan/explore_gate.h"
#include "tools/atsan/explore_search.h"

namespace atsan::tool {

/// "2 schedules, 2 distinct classes (2 predicted, 1 confirmed): 1 finding".
std::string summaryOf(const Explored &E);

/// Says why a systematic search has not seen all classes of schedules; nothing
/// if it has, or if it ended with what it looked for. And of any search,
/// whether some of the program has no points.
void printGap(const Explored &E, const ExploreOptions &O);
/// Says what was not looked for if no run of the program had a region.
void printNoRegions(const Explored &E);
/// Prints the findings of a test to stdout, each with the line that replays it;
/// \p Gate gets them.
void printFindings(const Explored &E, const ExploreOptions &O,
                   const std::string &Test, ExploreGate &Gate);
void printUnconfirmed(const Explored &E);

} // namespace atsan::tool

#endif
