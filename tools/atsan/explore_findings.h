//===- explore_findings.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an exploration has seen so far: schedules, their classes, findings.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_FINDINGS_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_FINDINGS_H

#include "tools/atsan/explore_run.h"
#include <map>
#include <set>

namespace atsan::tool {

struct ExploredFinding {
  RunFinding What;
  uint64_t InRun = 0; ///< The first run that has shown it; from 1 on.
  uint64_t Runs = 0;  ///< How many runs have shown it.
  unsigned Replayed = 0, Replays = 0;
  std::string File;     ///< The schedule that shows it.
  std::string Schedule; ///< Its text.
  PredictedOrder Order;
  std::string Report; ///< For `atsan report`; empty: there is none.
};

/// A prediction that no run has shown, and why not.
struct Unconfirmed {
  std::string Message, Why;
};

struct Explored {
  uint64_t Runs = 0;
  uint64_t Accesses = 0, Points = 0;
  std::set<std::string> Classes;
  std::map<std::string, ExploredFinding> Findings; ///< By kind and fingerprint.
  std::string Coverage = "sampled";
  /// Why a systematic search will not have seen all classes; empty or "none":
  /// nothing is known to be in the way.
  std::string Gap;
  /// Runs of the strategy `predict` that followed a prediction, and those of
  /// them that had a finding.
  uint64_t Forced = 0, Confirmed = 0;
  std::vector<Unconfirmed> NotConfirmed; ///< By this machine.
  /// Whether any run on this machine had a region, and whether a list has kept
  /// some from beginning.
  bool HasRegions = false, HasExcluded = false;
  /// The most threads of a run on this machine, and what RunFacts says.
  uint64_t Threads = 0, Modules = 0, ModulesWithoutPoints = 0;
  bool HasMetOthers = false;

  /// Takes a run over; returns the finding if it is a new one.
  ExploredFinding *add(const ExploredRun &Run, uint64_t Number);
  /// Joins what another machine has seen of other schedules, in any order with
  /// the same outcome. The earliest run of a finding counts.
  void join(const Explored &Other);
};

/// What makes two findings one.
std::string keyOf(const RunFinding &F);

/// Writes the finding's schedule and report to files of their own, which are
/// named after \p Program. Throws InputError.
void writeFiles(ExploredFinding &F, const std::string &Folder,
                const std::string &Program);

/// The words for a finding of a kind: "1 atomicity violation".
std::string wordsFor(std::string Kind);

} // namespace atsan::tool

#endif
