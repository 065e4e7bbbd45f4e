//===- explore_run.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_run.h"
#include "lib/base/Printable.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/interruption.h"
#include "tools/atsan/scratch_folder.h"
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;

namespace atsan::tool {

std::string textOf(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  std::ostringstream Out;
  Out << In.rdbuf();
  return In ? Out.str() : "";
}

void writeText(const std::string &Path, const std::string &Text,
               const char *Remedy) {
  std::ofstream Out(Path, std::ios::binary);
  Out << Text;
  Out.close();
  if (!Out)
    throw InputError(Path + ": cannot be written; " + Remedy);
}

/// Reads the lines "#: NAME VALUE".
static std::optional<RunFacts> factsOf(const std::string &Schedule) {
  if (Schedule.empty())
    return std::nullopt;
  RunFacts Facts;
  std::istringstream In(Schedule);
  for (std::string Line; std::getline(In, Line);) {
    std::istringstream Words(Line);
    std::string Mark, Name, Value;
    Words >> Mark >> Name >> Value;
    if (Mark != "#:")
      continue;
    const auto Number = [&Value] {
      return std::strtoull(Value.c_str(), nullptr, 10);
    };
    if (Name == "end")
      Facts.End = Value;
    else if (Name == "class")
      Facts.Class = Value;
    else if (Name == "coverage")
      Facts.Coverage = Value;
    else if (Name == "gap")
      Facts.Gap = Value;
    else if (Name == "points")
      Facts.Points = Number();
    else if (Name == "accesses")
      Facts.Accesses = Number();
    else if (Name == "threads")
      Facts.Threads = Number();
    else if (Name == "modules")
      Facts.Modules = Number();
    else if (Name == "modules_without_points")
      Facts.ModulesWithoutPoints = Number();
    else if (Name == "diverged")
      Facts.DivergedAtLine = Number();
    else if (Name == "others")
      Facts.HasMetOthers = Number() != 0;
    else if (Name == "learned")
      Facts.HasLearned = Number() != 0;
    else if (Name == "more")
      Facts.HasMore = Number() != 0;
  }
  return Facts;
}

/// The rest of the first line that has \p Begin in it.
static std::string lineBehind(const std::string &Begin,
                              const std::string &Text) {
  const size_t At = Text.find(Begin);
  if (At == std::string::npos)
    return "";
  const size_t From = At + Begin.size();
  return Text.substr(From, Text.find('\n', From) - From);
}

/// A crash is known by what has happened and by the function, also when its
/// lines have moved or its file is elsewhere.
static std::string fingerprintOfCrash(const std::string &Summary) {
  static const std::regex WhatFileLineFunction(
      "^(failed assertion '.*' at|[A-Za-z-]+) .*:[0-9]+( in .*)");
  static const std::regex WhatModuleOffset(
      "^(failed assertion '.*' at|[A-Za-z-]+) "
      "\\(.*?([^/]*\\+0x[0-9a-f]+)\\).*");
  return std::regex_replace(
      std::regex_replace(Summary, WhatFileLineFunction, "$1$2"),
      WhatModuleOffset, "$1 $2");
}

/// A finding of the runtime, or an end that no test of a correct program has.
static std::optional<RunFinding> findingOf(const ExploredRun &Run, int ExitCode,
                                           const std::string &Printed) {
  for (const finding::Finding &R : Run.Logs.Reports) {
    if (R.isPotential())
      continue;
    std::string Headline = R.Message;
    for (const finding::Region &Region : R.Regions)
      if (Region.Blamed && Headline.empty())
        Headline = Region.Title;
    return RunFinding{R.Kind, R.Fingerprint, Headline};
  }
  const RunResult &Result = Run.Result;
  if (Result.TimedOut)
    return RunFinding{"time-out", "time-out", "the run did not end in time"};
  const std::string Summary = atsan_text::Printable(
      lineBehind("SUMMARY: AtomicitySanitizer: ", Printed));
  if (Run.Facts && Run.Facts->End == "too-long")
    return RunFinding{"too-long", "too-long",
                      "threads wait for each other in loops, or the test is "
                      "longer than schedule_points allows"};
  if (Result.Signal)
    return RunFinding{"crash", "signal-" + std::to_string(Result.Signal),
                      std::string("ended by ") + strsignal(Result.Signal)};
  if (!Summary.empty())
    return RunFinding{"crash", fingerprintOfCrash(Summary), Summary};
  if (Result.ExitCode != ExitCode)
    return RunFinding{
        "failed-test", "exit-code-" + std::to_string(Result.ExitCode),
        "the test ended with exit code " + std::to_string(Result.ExitCode)};
  return std::nullopt;
}

static std::string userOptions() {
  const char *Given = getenv("ATSAN_OPTIONS");
  return Given ? Given : "";
}

ExploredRun Runner::run(const std::string &Options) const {
  const std::string Logs = Folder + "/logs", Schedule = Folder + "/schedule";
  fs::remove_all(Logs);
  fs::remove(Schedule);
  fs::create_directories(Logs);
  const std::string WriteSchedule =
      ":schedule_out=" + quotedOption(Schedule, kScratchRemedy);
  const pid_t Pid =
      startCommand(Command,
                   userOptions() +
                       ":report_format=json:handle_abort=1:handle_sigill=1"
                       ":handle_sigtrap=1:exitcode=66:log_path=" +
                       quotedOption(Logs + "/report", kScratchRemedy) +
                       (Options.empty() ? "" : WriteSchedule + Options),
                   Folder + "/output");
  ExploredRun Run;
  {
    const InterruptibleGroup Group(Pid);
    Run.Result = waitFor(Pid, Seconds);
  }
  if (interruptedBy())
    throw Interruption();
  Run.Schedule = textOf(Schedule);
  Run.Facts = factsOf(Run.Schedule);
  report::readLogs(Logs, Run.Logs);
  std::string Printed = output();
  for (const fs::directory_entry &Entry : fs::directory_iterator(Logs))
    Printed += textOf(Entry.path());
  Run.Error = lineBehind("ERROR: AtomicitySanitizer: ", Printed);
  Run.Finding = findingOf(Run, ExitCode, Printed);
  return Run;
}

ExploredRun Runner::replay(const std::string &File, bool WithSymbols) const {
  return run(":schedule=" + quotedOption(File, kScratchRemedy) +
             (WithSymbols ? "" : ":symbolize=0"));
}

std::string Runner::output() const { return textOf(Folder + "/output"); }

} // namespace atsan::tool
