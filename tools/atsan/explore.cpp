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

#include "lib/finding/Words.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/child_process.h"
#include "tools/atsan/explore_gate.h"
#include "tools/atsan/explore_nested.h"
#include "tools/atsan/explore_print.h"
#include "tools/atsan/explore_search.h"
#include "tools/atsan/explore_shards.h"
#include "tools/atsan/explore_suite.h"
#include "tools/atsan/interruption.h"
#include "tools/atsan/output_file.h"
#include <filesystem>
#include <iostream>
#include <limits>
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
  std::string Gate, NewBaseline;
};

/// No baseline is written of half a search.
void endIfInterrupted() {
  if (const int Signal = interruptedBy()) {
    std::cout.flush();
    endBy(Signal);
  }
}

/// Prints what was found; findings that the gate knows fail nothing.
int printSummary(const Explored &E, const Options &O, ExploreGate &Gate) {
  std::cout << "atsan explore: " << (interruptedBy() ? "interrupted: " : "")
            << summaryOf(E) << '\n';
  printGap(E, O.Search);
  printNoRegions(E);
  printFindings(E, O.Search, "", Gate);
  if (O.Unconfirmed)
    printUnconfirmed(E);
  endIfInterrupted();
  return Gate.finish() ? ExitFinding : ExitNothingFound;
}

void writeJson(const ShardedExploration &E, const std::string &File) {
  if (File.empty())
    return;
  const std::string Text = E.toJsonLines();
  checkReplaceable(File, std::string_view(Text).substr(0, 9)); // {"type":"
  writeWhole(File, Text, /*Replace=*/true);
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
  O.Search.Strategy = All.division().Strategy;
  Explored Joined = All.joined();
  for (auto &[Key, F] : Joined.Findings)
    bringHere(F, O.Search.Output);
  ExploreGate Gate(O.Gate, O.NewBaseline);
  const int Code = printSummary(Joined, O, Gate);
  const std::vector<std::string> Missing = All.missing();
  for (const std::string &Shard : Missing)
    std::cerr << "atsan explore: warning: " << Shard << "; run it again, and "
              << "merge again\n";
  return Missing.empty() || Code == ExitFinding ? Code : ExitBadInput;
}

int search(const Options &O) {
  ExploreOptions Search = O.Search;
  makeFolder(Search.Output);
  ExploreGate Gate(O.Gate, O.NewBaseline);
  const unsigned Shard = Search.Shard + 1;
  ShardedExploration All;
  All.setDivision(
      {Search.Shards, Search.Strategy, Search.Seed, Search.Command});
  const auto Save = [&](const Explored &Seen, bool HasEnded) {
    All.add(Shard, {Seen, HasEnded});
    writeJson(All, O.Json);
  };
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
  Save(Seen, !interruptedBy());
  return printSummary(Seen, O, Gate);
}

std::string secondsText(double Seconds) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.1f s", Seconds);
  return Text;
}

/// Explores the tests of a suite, and says of each what it cost.
int suite(const Options &O) {
  if (!O.Json.empty() || O.Search.Shards > 1)
    throw InputError("a suite is explored on one machine, without --json and "
                     "--shard; name one test for these");
  ExploreOptions Search = O.Search;
  // Tests run in folders of their own.
  Search.Output = fs::absolute(Search.Output).lexically_normal();
  makeFolder(Search.Output);
  ExploreGate Gate(O.Gate, O.NewBaseline);
  const std::vector<SuiteTest> Tests = testsOf(Search.Command);
  size_t Explored = 0, Findings = 0;
  double Seconds = 0;
  exploreTests(Search, Tests, [&](const ExploredTest &T) {
    std::cout << T.Name << ": ";
    if (!T.Problem.empty())
      std::cout << "not explored: " << T.Problem << '\n';
    else
      std::cout << summaryOf(T.Seen) << "; " << secondsText(T.Seconds) << '\n';
    if (T.Problem.empty()) {
      printGap(T.Seen, T.By);
      printNoRegions(T.Seen);
    }
    printFindings(T.Seen, T.By, T.Name, Gate);
    if (O.Unconfirmed)
      printUnconfirmed(T.Seen);
    std::cout.flush();
    Explored += T.Problem.empty();
    Findings += T.Seen.Findings.size();
    Seconds += T.Seconds;
  });
  std::cout << "atsan explore: " << (interruptedBy() ? "interrupted: " : "")
            << Explored << " of " << Tests.size()
            << " tests explored: " << finding::counted(Findings, "finding")
            << ", " << Gate.news() << " of them new; " << secondsText(Seconds)
            << '\n';
  endIfInterrupted();
  if (!Explored)
    throw InputError("no test was explored; build them with "
                     "-fsanitize=atomicity -fatomicity-schedule");
  return Gate.finish() ? ExitFinding : ExitNothingFound;
}

/// What is said for another strategy than the one chosen does nothing.
void refuseMeaningless(const CLI::App &App, const std::string &Strategy) {
  const std::pair<const char *, const char *> Owners[] = {
      {"--depth", "pct"},
      {"--preemptions", "systematic"},
      {"--unconfirmed", "predict"}};
  for (const auto &[Name, Owner] : Owners)
    if (App.count(Name) && Strategy != Owner)
      throw InputError(std::string(Name) + " means nothing to " + Strategy +
                       "; leave it out, or choose --strategy=" + Owner);
  if (App.count("--seed") && Strategy == "systematic")
    throw InputError("--seed means nothing to systematic, which leaves nothing "
                     "to chance; leave it out");
}

int run(const CLI::App &App, Options &O) {
  refuseMeaningless(App, O.Search.Strategy);
  if (!O.Merge.empty() && !O.Search.Command.empty())
    throw InputError("the command behind '--' means nothing to --merge, which "
                     "runs none; leave it out");
  if (!O.Merge.empty())
    return merge(O);
  if (O.Search.Command.empty())
    throw InputError("no command; write the test behind '--'");
  takePlaceIfExplored(O.Search.Command);
  if (!O.Shard.empty())
    readShard(O.Shard, O.Search);
  else
    readShardVariables(O.Search);
  fixAddresses();
  watchForInterruption();
  return isSuite(O.Search.Command) ? suite(O) : search(O);
}

/// Each run of pct costs as much. No bug that is known needs more than some 5.
constexpr uint64_t MostDepth = 1000;

/// Declares what says which schedules are run, and how many.
void declareSchedules(CLI::App &App, ExploreOptions &S) {
  App.add_option("--strategy", S.Strategy,
                 "predict, random, pct, pos, surw or systematic "
                 "(docs/explore.md)")
      ->check(CLI::IsMember(
                  {"predict", "random", "pct", "pos", "surw", "systematic"})
                  .description(""))
      ->type_name("NAME")
      ->capture_default_str();
  declarePositive(App, "--runs", S.Runs, "Stop after so many schedules");
  App.add_option("--seconds", S.Seconds,
                 "Stop after so many seconds; 0: without a limit (default)")
      ->check(notSeconds)
      ->type_name("N");
  declarePositive(App, "--seed", S.Seed, "Other schedules for another seed");
  declarePositive(App, "--depth", S.Depth,
                  "pct: how many ordering constraints a bug may need",
                  MostDepth);
  App.add_option("--preemptions", S.Preemptions,
                 "systematic: only schedules with at most so many preemptions")
      ->check([](const std::string &Text) {
        return notWhole(Text, 0, std::numeric_limits<int>::max());
      })
      ->type_name("N");
  declarePositive(App, "--jobs", S.Jobs, "Run so many schedules at a time");
}

} // namespace

Action declareExplore(CLI::App &App) {
  auto O = std::make_shared<Options>();
  ExploreOptions &S = O->Search;
  declareSchedules(App, S);
  App.add_option("--shard", O->Shard,
                 "The i-th of n machines that share the schedules")
      ->type_name("i/n");
  App.add_option("--timeout", S.Timeout,
                 "A schedule that takes more seconds is a finding; 0: "
                 "without a limit")
      ->check(notSeconds)
      ->type_name("N")
      ->capture_default_str();
  declarePositive(App, "--replays", S.Replays,
                  "Replay a finding so often before it is shown");
  App.add_flag("--all", S.All, "Go on behind the first finding");
  App.add_option_function<std::string>(
         "--gate",
         [O](const std::string &File) {
           O->Gate = File;
           O->Search.All = true;
         },
         "Go on behind findings; those that the baseline FILE has fail "
         "nothing")
      ->type_name("FILE");
  App.add_option("--write-baseline", O->NewBaseline,
                 "Write what was found, and what --gate has, to FILE; then "
                 "nothing fails the run")
      ->type_name("FILE");
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
                 "-fatomicity-schedule, or ctest with its options, for all "
                 "its tests");
  App.footer("Exit codes: 0 nothing found, 66 a finding, 2 bad usage or "
             "input, or nothing was checked.");
  return [&App, O] { return run(App, *O); };
}

} // namespace atsan::tool
