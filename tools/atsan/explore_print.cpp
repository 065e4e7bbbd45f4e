//===- explore_print.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_print.h"
#include "lib/finding/Words.h"
#include <iostream>

namespace atsan::tool {

using finding::counted;

static std::string coverageOf(const Explored &E) {
  const std::string Classes = std::to_string(E.Classes.size());
  if (E.Coverage == "all-classes")
    return E.Classes.size() == 1 ? "the only class of schedules"
                                 : "all " + Classes + " classes of schedules";
  if (E.Coverage == "all-within-bound")
    return "all schedules with so many preemptions, " + Classes + " classes";
  std::string Text = counted(E.Runs, "schedule");
  // A run that finds new points has no class among those of others.
  if (!E.Classes.empty())
    Text += ", " + counted(E.Classes.size(), "class", "distinct classes");
  return Text;
}

/// Quotes the word for a shell.
static std::string quoted(const std::string &Word) {
  if (Word.find_first_of(" \t\n'\"\\$&|;<>()*?[#~`!") == std::string::npos)
    return Word;
  std::string Text = "'";
  for (const char C : Word)
    Text += C == '\'' ? "'\\''" : std::string(1, C);
  return Text + '\'';
}

static std::string predictionsOf(const Explored &E) {
  if (!E.Forced)
    return "";
  return " (" + counted(E.Forced, "prediction") + " forced, " +
         std::to_string(E.Confirmed) + " confirmed)";
}

void printUnconfirmed(const Explored &E) {
  for (const Unconfirmed &U : E.NotConfirmed)
    std::cout << "not confirmed: " << U.Message << "\n    " << U.Why << '\n';
}

std::string summaryOf(const Explored &E) {
  const size_t Count = E.Findings.size();
  return coverageOf(E) + predictionsOf(E) + ": " +
         (Count ? counted(Count, "finding") : "nothing found");
}

static const char *wordsForGap(const std::string &Gap) {
  if (Gap == "others")
    return "a process or a thread took part that is not controlled";
  if (Gap == "guess")
    return "a thread seemed to wait in a loop for what others write, and was "
           "held, but that is not proven";
  if (Gap == "cut")
    return "a run ended while threads could still go on, as by exit()";
  if (Gap == "diverged")
    return "a run depended on more than its schedule, such as time, addresses "
           "or what an earlier run has left";
  if (Gap == "unnamed")
    return "a thread could go on by something that is no step of the schedule, "
           "such as call_once, or which of several threads destroys an object "
           "that they share";
  if (Gap == "outside")
    return "a loop that waits runs code without instrumentation, or asks the "
           "processor for its clock, and may end by what is counted there";
  if (Gap == "no-points")
    return "a part of the program was compiled without -fatomicity-schedule, "
           "and threads are not switched there; compile all with it";
  if (Gap == "late")
    return "a run did not end in time";
  return "the runs or seconds are over; allow more by --runs or --seconds";
}

void printGap(const Explored &E, const ExploreOptions &O) {
  if (O.Strategy != "systematic" && E.ModulesWithoutPoints)
    std::cout << "    " << wordsForGap("no-points") << '\n';
  if (O.Strategy != "systematic" || E.Coverage != "sampled" ||
      (!E.Findings.empty() && !O.All))
    return;
  std::cout << "    the search is not complete: " << wordsForGap(E.Gap) << '\n';
}

void printNoRegions(const Explored &E) {
  if (E.HasRegions || !E.Runs)
    return;
  std::cout << (E.HasExcluded
                    ? "    all regions are excluded by a list"
                    : "    no region has begun; mark some, or compile with "
                      "-fatomicity-regions=exported")
            << ": only crashes, deadlocks and failed tests can be found\n";
}

static void printFinding(const ExploredFinding &F, const ExploreOptions &O,
                         bool IsNew) {
  std::cout << wordsFor(F.What.Kind) << (IsNew ? "" : ", known")
            << ", in schedule " << F.InRun;
  if (F.Schedule.empty())
    std::cout << " (no schedule to replay: the program "
              << (F.What.Kind == "time-out" ? "did not even end when told to"
                                            : "could not write it")
              << ")\n";
  else if (F.Replays)
    std::cout << " (replayed " << F.Replayed << " of " << F.Replays
              << " times)\n";
  else
    std::cout << " (not replayed: the search was stopped before)\n";
  if (!F.What.Headline.empty())
    std::cout << "    " << F.What.Headline << '\n';
  if (!F.Order.Forced.empty())
    std::cout << "    in the recorded run: " << F.Order.Recorded
              << "\n    in the forced run: " << F.Order.Forced << '\n';
  if (F.Schedule.empty())
    return;
  const std::string File =
      F.File.find_first_of(" ,:\t\n") == std::string::npos
          ? F.File
          : quotedOption(F.File, "name another folder by --output");
  std::cout << "    replay it:  ATSAN_OPTIONS=" << quoted("schedule=" + File);
  for (const std::string &Word : O.Command)
    std::cout << ' ' << quoted(Word);
  std::cout << '\n';
}

void printFindings(const Explored &E, const ExploreOptions &O,
                   const std::string &Test, ExploreGate &Gate) {
  for (const auto &[Key, F] : E.Findings)
    printFinding(F, O, Gate.take(Test, F.What));
}

} // namespace atsan::tool
