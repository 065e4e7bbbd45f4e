//===- explore_run.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One schedule of the program that `atsan explore` runs, and what came of it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_RUN_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_RUN_H

#include "lib/report/LogReader.h"
#include "tools/atsan/child_process.h"
#include <optional>
#include <string>
#include <vector>

namespace atsan::tool {

/// What a run says of itself in the comments of its schedule.
struct RunFacts {
  std::string End;      ///< "exit", "deadlock", "too-long"...
  std::string Class;    ///< The schedule's; 16 hexadecimal digits.
  std::string Coverage; ///< "sampled", "all-classes", "all-within-bound".
  std::string Gap;      ///< Why not all will be covered: "none", "cut"...
  uint64_t Points = 0;
  uint64_t Accesses = 0; ///< Points of scheduled bodies among them.
  uint64_t Threads = 0;  ///< How many threads were under control.
  /// How many instrumented modules the program has: with points, and compiled
  /// without -fatomicity-schedule.
  uint64_t Modules = 0, ModulesWithoutPoints = 0;
  uint64_t DivergedAtLine = 0; ///< 0: the run has followed its schedule.
  bool HasMetOthers = false;   ///< Another thread or process took part.
  bool HasLearned = false;     ///< There are other points from now on.
  bool HasMore = true;         ///< Other schedules may show something new.
};

/// What is wrong with a run.
struct RunFinding {
  std::string Kind; ///< "atomicity-violation", "deadlock", "crash"...
  std::string Fingerprint;
  std::string Headline;
};

/// The accesses of a predicted cycle in words: as they came in the run that it
/// was predicted from, and in the one that was forced. Empty: not predicted.
struct PredictedOrder {
  std::string Recorded, Forced;
};

struct ExploredRun {
  RunResult Result;
  std::optional<RunFacts> Facts; ///< None: the program wrote no schedule.
  std::string Schedule;          ///< The text that it wrote.
  std::optional<RunFinding> Finding;
  PredictedOrder Order;
  report::Logs Logs;
  std::string Error; ///< Why the program could not begin; mostly empty.
};

/// A folder of its own for the runs of one worker, one after the other.
class Runner {
public:
  /// \p ExitCode: of a run without findings.
  Runner(std::vector<std::string> Command, std::string Folder, double Seconds,
         int ExitCode)
      : Command(std::move(Command)), Folder(std::move(Folder)),
        Seconds(Seconds), ExitCode(ExitCode) {}

  /// Runs the command with these options besides ours; by itself, without
  /// control, if there are none. Throws InputError.
  ExploredRun run(const std::string &Options) const;
  /// Runs it by the schedule in a file. Without symbols a report has places in
  /// modules only, and takes a fraction of the time.
  ExploredRun replay(const std::string &File, bool WithSymbols = true) const;
  const std::string &folder() const { return Folder; }
  /// What the program knows of itself from run to run is in this file.
  std::string stateFile() const { return Folder + "/state"; }
  /// What the last run has printed, and its report.
  std::string output() const;

private:
  std::vector<std::string> Command;
  std::string Folder;
  double Seconds;
  int ExitCode;
};

/// The text of a file; empty if it cannot be read.
std::string textOf(const std::string &Path);
/// Writes the file. Throws InputError with the advice \p Remedy.
void writeText(const std::string &Path, const std::string &Text,
               const char *Remedy);

} // namespace atsan::tool

#endif
