//===- model.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the analyses of `atsan model` have in common: the options, and how a
// model is read. Each analysis has a file of its own, and a line in model.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_MODEL_H
#define ATSAN_TOOLS_ATSAN_MODEL_H

#include "lib/model/Lower.h"
#include "lib/model/Search.h"
#include "tools/atsan/Command.h"

namespace atsan::tool {

struct ModelCommand {
  std::string File;
  bool Json = false;
  bool Stats = false;
  uint64_t MaxMemoryBytes = 0; ///< 0: no limit.
  double MaxSeconds = 0;       ///< 0: no limit.
};

/// The text of the file; throws InputError.
std::string readModelText(const std::string &File);
/// The syntax tree of the file; throws InputError with the place of a mistake.
model::Model readModel(const std::string &File);
/// The program of the file, ready for an analysis; throws InputError.
model::Program readProgram(const std::string &File, model::Calls How);

/// How the result of a search is told.
struct SearchReport {
  const char *Name;     ///< The analysis.
  const char *Question; ///< What is decided.
  const char *Proved;   ///< The verdict where no run is bad.
  const char *Refuted;  ///< The verdict where one is.
  /// The finding in the run.
  check::Finding (*Find)(const model::Program &, const model::SearchResult &,
                         trace::Source &);
};

model::SearchOptions searchOptions(const ModelCommand &C);
/// Prints what a search has found; returns the exit code.
int tellSearch(const ModelCommand &C, const SearchReport &Of,
               const model::Program &P, const model::SearchResult &R);

int decideSerializable(const ModelCommand &C); ///< model_search.cpp
int decideLinearizable(const ModelCommand &C); ///< model_search.cpp

} // namespace atsan::tool

#endif
