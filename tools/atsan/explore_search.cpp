//===- explore_search.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each worker has a folder of its own, where its runs leave to the next ones
// what they know. The n-th schedule throws the n-th dice of the exploration's
// seed, whoever runs it, so that any number of machines share the work.
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_search.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/explore_confirm.h"
#include "tools/atsan/explore_jobs.h"
#include "tools/atsan/explore_predict.h"
#include "tools/atsan/interruption.h"
#include "tools/atsan/scratch_folder.h"
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <iostream>
#include <mutex>
#include <sstream>
#include <unistd.h>

namespace atsan::tool {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kSaveEach(5);

/// "1 second", "0.5 seconds".
std::string secondsOf(double Number) {
  std::ostringstream Text;
  Text << Number << (Number == 1 ? " second" : " seconds");
  return Text.str();
}

class Search {
public:
  Search(const ExploreOptions &O, const SaveExplored &Save)
      : O(O), Save(Save) {}

  Explored run() {
    try {
      untilInterrupted([this] { search(); });
    } catch (const std::exception &Error) {
      clearProgress();
      throw InputError(Error.what());
    }
    clearProgress();
    for (auto &[Key, F] : Seen.Findings)
      confirm(F, O, runner("replay"), Scratch.sub("replay"));
    if (!interruptedBy())
      checkThatSomethingWasChecked();
    if (WasLate)
      sayThatRunsWereLate();
    return std::move(Seen);
  }

private:
  void search() {
    checkTest();
    Save(Seen);
    if (O.Strategy == "predict")
      predictFirst();
    const unsigned Jobs = O.Strategy == "systematic" ? 1 : O.Jobs;
    runJobs(Jobs, Stop, [this](unsigned Job) { work(Job); });
  }

  Runner runner(const std::string &Name) const {
    return Runner(O.Command, Scratch.sub(Name), O.Timeout, ExitCode);
  }

  /// The test as it is, without control: it has to pass, or to be found wrong
  /// by the checker.
  void checkTest() {
    const Runner Alone = runner("usual");
    ExploredRun Usual = Alone.run("");
    // Time may be up on a machine that does much else; twice it hardly is.
    if (Usual.Result.TimedOut)
      Usual = Alone.run("");
    const RunResult &R = Usual.Result;
    if (R.TimedOut)
      throw InputError("the command does not end within " +
                       secondsOf(O.Timeout) +
                       " by itself; allow more by --timeout");
    if (R.Signal)
      throw InputError(std::string("the command by itself is ended by ") +
                       strsignal(R.Signal) + "; mend that first");
    if (Usual.Logs.Reports.empty())
      ExitCode = R.ExitCode;
    if (ExitCode == 0)
      return;
    const std::string Why = Usual.Finding && Usual.Finding->Kind == "crash"
                                ? Usual.Finding->Headline
                                : Usual.Error;
    throw InputError("the command by itself ends with exit code " +
                     std::to_string(ExitCode) +
                     (Why.empty() ? "" : " (" + Why + ")") +
                     "; explore a test that passes");
  }

  /// The dice of a schedule; runtime/schedule/atsan_explore.cpp throws them,
  /// too.
  uint64_t seedOf(uint64_t Number) const { return (O.Seed << 32) + Number; }

  std::string strategyOf(uint64_t Number) const {
    if (!TakesTurns)
      return O.Strategy;
    // Most bugs need the fewest schedules with surw, but some show with another
    // one only.
    static constexpr std::array<const char *, 4> Turns = {"surw", "pos", "surw",
                                                          "pct"};
    return Turns[Number / O.Shards % Turns.size()];
  }

  std::string optionsOf(uint64_t Number, const Runner &R) const {
    std::ostringstream Out;
    const std::string Strategy = strategyOf(Number);
    // Systematic search goes on where the last run has ended.
    const bool IsSystematic = Strategy == "systematic";
    Out << haltOption() << ":schedule_strategy=" << Strategy
        << ":schedule_seed=" << (IsSystematic ? O.Seed : seedOf(Number))
        << ":schedule_depth=" << O.Depth
        << ":schedule_preemptions=" << O.Preemptions << ":schedule_state="
        << quotedOption(R.stateFile() + "." + Strategy, kScratchRemedy);
    return Out.str();
  }

  /// How many seconds more than for the other strategies may go to predictions:
  /// those from a long run may take that long each.
  static constexpr double kMostAhead = 2;

  /// Forces what a recorded run predicts. For the rest of the schedules, other
  /// strategies take turns.
  void predictFirst() {
    TakesTurns = true;
    const Runner R = runner("predicted");
    const auto Run = [&](const std::string &Options) {
      return runInTime(R, Options, /*NamesSchedule=*/true);
    };
    Predictor P(Run, Scratch.sub("steps"));
    const Runner Others = runner("others");
    std::chrono::duration<double> Ahead = {};
    uint64_t Index = 0;
    for (bool IsFirst = true; !isOver() && (IsFirst || !P.isEmpty());) {
      const Clock::time_point Start = Clock::now();
      if (Ahead.count() > kMostAhead) {
        if (!takeNext(Others))
          break;
        Ahead -= Clock::now() - Start;
        continue;
      }
      if (!IsFirst && Index++ % O.Shards != O.Shard) {
        P.skip();
        continue;
      }
      const uint64_t Number = Next++ * O.Shards + O.Shard;
      if (Number >= O.Runs)
        break;
      take(IsFirst ? P.record() : P.force(haltOption()), Number + 1);
      IsFirst = false;
      Ahead += Clock::now() - Start;
    }
    Seen.Forced = P.forced();
    Seen.Confirmed = P.confirmed();
    Seen.NotConfirmed = P.unconfirmed();
  }

  /// All of a run counts, if all runs do.
  std::string haltOption() const {
    return ":halt_on_error=" + std::to_string(!O.All);
  }

  bool isOver() const {
    const std::chrono::duration<double> Took = Clock::now() - Begin;
    return Stop || (O.Seconds > 0 && Took.count() >= O.Seconds);
  }

  /// A run that was late is made once more, and may take longer. On a machine
  /// that does much else, time may be up before a report is written, or its
  /// places have names. \p NamesSchedule: the options alone say what the
  /// schedule is.
  static constexpr double kPatience = 3;
  ExploredRun runInTime(const Runner &R, const std::string &Options,
                        bool NamesSchedule) {
    ExploredRun Run = R.run(Options);
    if (!Run.Result.TimedOut)
      return Run;
    const std::string File = R.stateFile() + ".late";
    writeText(File, Run.Schedule, kScratchRemedy);
    // A run that was killed before it could write a schedule has saved no state
    // either.
    const Runner Patient(O.Command, R.folder(), kPatience * O.Timeout,
                         ExitCode);
    ExploredRun Again = NamesSchedule || Run.Schedule.empty()
                            ? Patient.run(Options)
                            : Patient.replay(File);
    if (!Again.Facts || Again.Result.TimedOut)
      return Run;
    if (Run.Facts)
      Again.Facts->HasMore = Run.Facts->HasMore;
    WasLate = true;
    return Again;
  }

  void work(unsigned Job) {
    const Runner R = runner("job" + std::to_string(Job));
    while (!isOver() && takeNext(R))
      ;
  }

  /// Runs the next schedule, if there is one.
  bool takeNext(const Runner &R) {
    const uint64_t Number = Next++ * O.Shards + O.Shard;
    if (Number >= O.Runs)
      return false;
    take(runInTime(R, optionsOf(Number, R), /*NamesSchedule=*/false),
         Number + 1);
    return true;
  }

  void take(const ExploredRun &Run, uint64_t Number) {
    const std::lock_guard<std::mutex> Guard(Lock);
    if (!Run.Facts && !Run.Result.Signal && !Run.Result.TimedOut)
      throw InputError(
          !Run.Error.empty()
              ? "the program cannot be run: " + Run.Error
              : "the command says nothing of its schedule; is it linked with "
                "-fsanitize=atomicity, and does it hand ATSAN_OPTIONS on to "
                "the program?");
    const bool IsNew = Seen.add(Run, Number);
    if (IsNew || Clock::now() >= NextSave) {
      Save(Seen);
      NextSave = Clock::now() + kSaveEach;
    }
    if ((!Seen.Findings.empty() && !O.All) ||
        (Run.Facts && !Run.Facts->HasMore))
      Stop = true;
    showProgress();
  }

  void showProgress() {
    if (!isatty(STDERR_FILENO))
      return;
    const auto Now = Clock::now();
    if (Now < NextLine)
      return;
    NextLine = Now + std::chrono::milliseconds(200);
    std::cerr << "\r\033[K" << Seen.Runs << " schedules, "
              << Seen.Classes.size() << " classes, " << Seen.Findings.size()
              << " findings" << std::flush;
    IsShown = true;
  }

  void clearProgress() {
    if (IsShown)
      std::cerr << "\r\033[K" << std::flush;
  }

  void sayThatRunsWereLate() {
    // What comes behind the place where a run was stopped was not seen.
    Seen.Coverage = "sampled";
    Seen.Gap = "late";
    std::cerr << "warning: a run did not end within " << secondsOf(O.Timeout)
              << ", but did when it was made again, with more time: that is "
                 "no finding; if the machine is busy, allow more by "
                 "--timeout\n";
  }

  void checkThatSomethingWasChecked() const {
    if (!Seen.Findings.empty())
      return;
    if (!Seen.Runs)
      throw InputError("no schedule was run; allow more by --runs or "
                       "--seconds");
    if (!Seen.Accesses || !Seen.Modules)
      throw InputError("no access was under control; build the program with "
                       "-fsanitize=atomicity -fatomicity-schedule (or, if it "
                       "is, let its threads share data: these do not)");
    if (Seen.Threads < 2 && !Seen.HasMetOthers)
      throw InputError("nothing was checked: no run of the test has started a "
                       "second thread; name one that does");
  }

  const ExploreOptions &O;
  const SaveExplored &Save;
  bool TakesTurns = false;
  const ScratchFolder Scratch;
  const Clock::time_point Begin = Clock::now();
  Clock::time_point NextLine, NextSave = Begin + kSaveEach;
  int ExitCode = 0; // What a run without findings ends with.
  std::atomic<uint64_t> Next{0};
  std::atomic<bool> Stop{false}, WasLate{false};
  bool IsShown = false;
  std::mutex Lock; // Guards what follows.
  Explored Seen;
};

} // namespace

Explored explore(const ExploreOptions &O, const SaveExplored &Save) {
  return Search(O, Save).run();
}

} // namespace atsan::tool
