//===- explore.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan explore`: runs a test by one schedule after the other, until one shows
// a bug. That schedule is written to a file and replayed before it is shown.
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/Command.h"
#include "tools/atsan/explore_findings.h"
#include "tools/atsan/explore_search.h"
#include "tools/atsan/explore_shards.h"
#include "tools/atsan/output_file.h"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace fs = std::filesystem;

namespace atsan::tool {

namespace {

struct Options {
  ExploreOptions Search;
  std::string Json;
  std::string Shard;
  std::vector<std::string> Merge;
  bool Unconfirmed = false;
};

/// "i/n" of an option or of the variables that test runners set: n machines run
/// the same command, and each takes every n-th schedule.
void readShard(const std::string &Text, ExploreOptions &O) {
  unsigned Index = 0, Count = 0;
  char Slash = 0, Rest = 0;
  std::istringstream In(Text);
  if (!(In >> Index >> Slash >> Count) || Slash != '/' || (In >> Rest) ||
      Index < 1 || Index > Count)
    throw InputError("--shard=" + Text +
                     " is none; write --shard=1/4 for the first of four");
  O.Shard = Index - 1;
  O.Shards = Count;
}

/// The variables of Bazel and of GoogleTest. The program does not get them: it
/// would leave tests out, and each shard needs all of them.
void readShardVariables(ExploreOptions &O) {
  for (const std::string Runner : {"TEST", "GTEST"}) {
    const std::string Index = Runner + "_SHARD_INDEX",
                      Total = Runner + "_TOTAL_SHARDS";
    const char *I = getenv(Index.c_str()), *N = getenv(Total.c_str());
    if (I && N && O.Shards == 1)
      readShard(std::to_string(std::strtoul(I, nullptr, 10) + 1) + '/' + N, O);
    unsetenv(Index.c_str());
    unsetenv(Total.c_str());
  }
  // By its time, Bazel knows that somebody cares for the variables.
  if (const char *File = getenv("TEST_SHARD_STATUS_FILE"))
    std::ofstream(File, std::ios::app).flush();
}

std::string coverageOf(const Explored &E) {
  const std::string Classes = std::to_string(E.Classes.size());
  if (E.Coverage == "all-classes")
    return "all " + Classes + " classes of schedules";
  if (E.Coverage == "all-within-bound")
    return "all schedules with so many preemptions, " + Classes + " classes";
  std::string Text =
      std::to_string(E.Runs) + (E.Runs == 1 ? " schedule" : " schedules");
  // A run that finds new points has no class among those of others.
  if (!E.Classes.empty())
    Text += ", " + Classes +
            (E.Classes.size() == 1 ? " class" : " distinct classes");
  return Text;
}

/// Quotes the word for a shell.
std::string quoted(const std::string &Word) {
  if (Word.find_first_of(" \t\n'\"\\$&|;<>()*?[#~`!") == std::string::npos)
    return Word;
  std::string Text = "'";
  for (const char C : Word)
    Text += C == '\'' ? "'\\''" : std::string(1, C);
  return Text + '\'';
}

std::string predictionsOf(const Explored &E) {
  if (!E.Predicted)
    return "";
  return " (" + std::to_string(E.Predicted) + " predicted, " +
         std::to_string(E.Confirmed) + " confirmed)";
}

void printUnconfirmed(const Explored &E) {
  for (const Unconfirmed &U : E.NotConfirmed)
    std::cout << "not confirmed: " << U.Message << "\n    " << U.Why << '\n';
}

void printFinding(const ExploredFinding &F, const ExploreOptions &O) {
  std::cout << wordsFor(F.What.Kind, 1) << ", in schedule " << F.InRun;
  if (F.Replays)
    std::cout << " (replayed " << F.Replayed << " of " << F.Replays
              << " times)\n";
  else
    std::cout << " (not replayed: its shard was stopped before)\n";
  if (!F.What.Headline.empty())
    std::cout << "    " << F.What.Headline << '\n';
  const std::string File =
      F.File.find_first_of(" ,:\t\n") == std::string::npos
          ? F.File
          : quotedOption(F.File, "name another folder by --output");
  std::cout << "    replay it:  ATSAN_OPTIONS=" << quoted("schedule=" + File);
  for (const std::string &Word : O.Command)
    std::cout << ' ' << quoted(Word);
  std::cout << '\n';
}

int printSummary(const Explored &E, const Options &O) {
  std::cout << "atsan explore: " << coverageOf(E) << predictionsOf(E) << ": ";
  if (E.Findings.empty()) {
    std::cout << "nothing found\n";
    if (O.Unconfirmed)
      printUnconfirmed(E);
    return ExitNothingFound;
  }
  std::cout << E.Findings.size()
            << (E.Findings.size() == 1 ? " finding\n" : " findings\n");
  for (const auto &[Key, F] : E.Findings)
    printFinding(F, O.Search);
  if (O.Unconfirmed)
    printUnconfirmed(E);
  return ExitFinding;
}

void writeJson(const ShardedExploration &E, const std::string &File) {
  if (File.empty())
    return;
  OutputFile Out(File, /*Replace=*/true);
  Out.write(E.toJsonLines());
  Out.commit();
}

/// Makes the folder of findings before the search, which may take long.
void makeFolder(const std::string &Folder) {
  std::error_code Failed;
  fs::create_directories(Folder, Failed);
  if (Failed || access(Folder.c_str(), W_OK) != 0)
    throw InputError("--output " + Folder + ": findings cannot be written " +
                     "there; name another folder");
}

// --- The two things that the command does. -----------------------------------

/// The schedule of another machine's finding, as a file here.
void bringHere(ExploredFinding &F, const std::string &Folder) {
  // "queue_test.1.sched", or nothing if the shard was stopped.
  const std::string Name = fs::path(F.File).filename();
  const size_t End = Name.rfind('.', Name.rfind(".sched") - 1);
  writeFiles(F, Folder, Name.empty() ? "merged" : Name.substr(0, End));
}

int merge(Options &O) {
  makeFolder(O.Search.Output);
  ShardedExploration All;
  for (const std::string &File : O.Merge) {
    if (!fs::exists(File))
      throw InputError(File +
                       ": is not there; run that shard, or leave it out");
    All.addJsonLines(textOf(File), File);
  }
  writeJson(All, O.Json);
  O.Search.Command = All.division().Command;
  Explored Joined = All.joined();
  for (auto &[Key, F] : Joined.Findings)
    bringHere(F, O.Search.Output);
  const int Code = printSummary(Joined, O);
  const std::vector<std::string> Missing = All.missing();
  for (const std::string &Shard : Missing)
    std::cerr << "atsan explore: warning: " << Shard << "; run it again, and "
              << "merge again\n";
  return Missing.empty() || Code == ExitFinding ? Code : ExitBadInput;
}

int search(const Options &O) {
  ExploreOptions Search = O.Search;
  const unsigned Shard = Search.Shard + 1;
  ShardedExploration All;
  All.setDivision(
      {Search.Shards, Search.Strategy, Search.Seed, Search.Command});
  const auto Save = [&](const Explored &Seen, bool HasEnded) {
    All.add(Shard, {Seen, HasEnded});
    writeJson(All, O.Json);
  };
  makeFolder(Search.Output);
  Save({}, false);
  // Each schedule of a systematic search follows from the one before.
  if (Search.Strategy == "systematic" && Search.Shards > 1) {
    if (Shard > 1) {
      Save({}, true);
      std::cout << "atsan explore: a systematic search is not divided: shard 1 "
                   "does all of it, and this one nothing\n";
      return ExitNothingFound;
    }
    Search.Shards = 1;
  }
  const Explored Seen =
      explore(Search, [&](const Explored &E) { Save(E, false); });
  Save(Seen, true);
  return printSummary(Seen, O);
}

int run(Options &O) {
  if (!O.Merge.empty())
    return merge(O);
  if (O.Search.Command.empty())
    throw InputError("no command; write the test behind '--'");
  if (!O.Shard.empty())
    readShard(O.Shard, O.Search);
  else
    readShardVariables(O.Search);
  return search(O);
}

} // namespace

Action declareExplore(CLI::App &App) {
  auto O = std::make_shared<Options>();
  ExploreOptions &S = O->Search;
  App.add_option("--strategy", S.Strategy,
                 "predict, random, pct, pos, surw or systematic "
                 "(docs/explore.md)")
      ->check(CLI::IsMember(
                  {"predict", "random", "pct", "pos", "surw", "systematic"})
                  .description(""))
      ->type_name("NAME")
      ->capture_default_str();
  App.add_option("--runs", S.Runs, "Stop after so many schedules")
      ->check(notPositive)
      ->type_name("N")
      ->capture_default_str();
  App.add_option("--seconds", S.Seconds, "Stop after so many seconds")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("N");
  App.add_option("--seed", S.Seed, "Other schedules for another seed")
      ->type_name("N")
      ->capture_default_str();
  App.add_option("--depth", S.Depth,
                 "pct: how many ordering constraints a bug may need")
      ->check(notPositive)
      ->type_name("N")
      ->capture_default_str();
  App.add_option("--preemptions", S.Preemptions,
                 "systematic: only schedules with at most so many preemptions")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("N");
  App.add_option("--jobs", S.Jobs, "Run so many schedules at a time")
      ->check(notPositive)
      ->type_name("N")
      ->capture_default_str();
  App.add_option("--shard", O->Shard,
                 "The i-th of n machines that share the schedules")
      ->type_name("i/n");
  App.add_option("--timeout", S.Timeout,
                 "A schedule that takes more seconds is a finding")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("N")
      ->capture_default_str();
  App.add_option("--replays", S.Replays,
                 "Replay a finding so often before it is shown")
      ->check(notPositive)
      ->type_name("N")
      ->capture_default_str();
  App.add_flag("--all", S.All, "Go on behind the first finding");
  App.add_flag("--unconfirmed", O->Unconfirmed,
               "predict: also print what was predicted and did not happen");
  App.add_flag("--minimize", S.Minimize,
               "Leave out switches that a finding does not need");
  App.add_option("--output", S.Output,
                 "Folder for schedules and reports of findings")
      ->type_name("DIR")
      ->capture_default_str();
  App.add_option("--json", O->Json,
                 "Write what was found as lines of JSON, too")
      ->type_name("FILE");
  App.add_option("--merge", O->Merge,
                 "Join what shards have written by --json; runs nothing")
      ->type_name("FILE...");
  App.add_option("COMMAND", S.Command,
                 "After '--': a test that passes, of a program built with "
                 "-fatomicity-schedule");
  App.footer("Exit codes: 0 nothing found, 66 a finding, 2 bad usage or "
             "input, or nothing was checked.");
  return [O] { return run(*O); };
}

} // namespace atsan::tool
