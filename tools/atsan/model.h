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

#include "lib/model/Contents.h"
#include "lib/model/Lower.h"
#include "lib/model/Search.h"
#include "lib/net/Search.h"
#include "lib/profile/Predictive.h"
#include "tools/atsan/Command.h"

namespace atsan::tool {

struct ModelCommand {
  std::string File;
  bool Json = false;
  bool Stats = false;
  uint64_t MaxMemoryBytes = 0; ///< 0: no limit.
  double MaxSeconds = 0;       ///< 0: no limit.
  // What some analyses have (ModelAnalysis::Takes); empty: not given.
  net::Engine Engine = net::Engine::All;
  profile::Locks Locks = profile::Locks::Nested;
  std::string Dot;                  ///< --dot, a file.
  std::string Html;                 ///< --html, a file.
  std::string Fingerprint;          ///< --fingerprint, of a report.
  std::string Net;                  ///< --net, a file.
  std::vector<std::string> Targets; ///< --target
  bool Force = false;               ///< Files that are written replace others.
};

/// An analysis: the option that chooses it, and what it does; returns the exit
/// code.
struct ModelAnalysis {
  const char *Option;
  const char *Summary;
  int (*Run)(const ModelCommand &);
  /// Options that mean something to it, of those that not all have; it is an
  /// error to give others.
  std::vector<const char *> Takes;
};

int runCausal(const ModelCommand &C);    ///< model_causal.cpp
int runCoverable(const ModelCommand &C); ///< model_coverable.cpp

/// The text of the file; throws InputError.
std::string readModelText(const std::string &File);
/// The syntax tree of the file; throws InputError or ModelError, as an analysis
/// may.
model::Model readModel(const std::string &File);
/// The program of the file, ready for an analysis; throws like readModel.
model::Program readProgram(const std::string &File, model::Calls How);

/// Throws InputError, which says that there is no block to be checked, and how
/// one is written. \p Has: what there is.
[[noreturn]] void refuseWithoutBlock(const std::string &File,
                                     model::Contents Has);
/// Throws InputError, which says that no run comes to what is asked about.
[[noreturn]] void refuseUnreached(const std::string &File,
                                  const std::string &What);

/// How the result of a search is told.
struct SearchReport {
  const char *Name;     ///< The analysis.
  const char *Question; ///< What is decided.
  const char *Proved;   ///< The verdict where no run is bad.
  const char *Refuted;  ///< The verdict where one is.
  const char *Unit;     ///< What is counted.
  /// The finding in the run.
  check::Finding (*Find)(const model::Program &, const model::SearchResult &,
                         trace::Source &);
  /// What was not kept, for people; null: nothing. Then runs have no values.
  const char *Dropped = nullptr;
};

model::SearchOptions searchOptions(const ModelCommand &C);
/// Prints what a search has found; returns the exit code.
int tellSearch(const ModelCommand &C, const SearchReport &Of,
               const model::Program &P, const model::SearchResult &R);

int modelFromReport(const ModelCommand &C); ///< model_from_report.cpp

int decidePredictive(const ModelCommand &C);   ///< model_predictive.cpp
int decideSerializable(const ModelCommand &C); ///< model_search.cpp
int decideLinearizable(const ModelCommand &C); ///< model_search.cpp

} // namespace atsan::tool

#endif
