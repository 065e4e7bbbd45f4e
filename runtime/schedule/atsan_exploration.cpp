//===-- atsan_exploration.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explores the schedules of a function within the process. No state of the
// checker has to be reset between runs: when no region is active, nothing that
// has happened can be on a cycle any more.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_exploration.h"

#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_log.h"
#include "runtime/options/atsan_output_file.h"
#include "runtime/report/atsan_report.h"
#include "runtime/schedule/atsan_schedule_options.h"
#include "runtime/schedule/atsan_schedule_shared.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_schedule_wait.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

constexpr u32 kReplays = 20;
constexpr u64 kDefaultRuns = 1000;
// A test of some calls that has more points waits in a loop for ever.
constexpr uptr kMostPointsOfTest = 100000;

Exploration exploration;

namespace {

const Place kExplore = {"atsan::explore", "", 0, 0, 0, 0};

// Threads that were not joined end by themselves, or are said to be left.
void WaitForOthers(ScheduledThread *self) {
  GetDirector().FunctionReturned();
  for (u32 number = 1; number < ThreadsOfRun(); number++)
    WaitForEndOf(self, &kExplore, number, exploration.at);
}

}  // namespace

bool RunOnce(Strategy *strategy, const InternalMmapVector<Switch> *schedule) {
  Thread *thr = cur_thread;
  exploration.has_failed = false;
  findings_of_run = 0;
  const uptr most_points = flags()->schedule_points;
  BeginDirectedRun(
      thr, strategy, schedule,
      exploration.test ? Min(kMostPointsOfTest, most_points) : most_points);
  exploration.function(exploration.argument);
  WaitForOthers(thr->scheduled);
  exploration.threads = Max(exploration.threads, ThreadsOfRun());
  exploration.accesses += NumAccesses();
  EndRun();
  if (exploration.has_failed_after &&
      exploration.has_failed_after(exploration.argument))
    exploration.has_failed = true;
  return findings_of_run || exploration.has_failed;
}

// --- Findings. ---------------------------------------------------------------

namespace {

void AppendFile(InternalScopedString *out) {
  const char *binary = GetProcessName();
  for (u32 i = 1;; i++) {
    out->clear();
    out->AppendF("%s.%u.sched", binary, i);
    if (!FileExists(out->data()))
      return;
  }
}

// Writes the schedule of the last run to a file, whose name is appended, unless
// it cannot be written.
void WriteScheduleFile(InternalScopedString *file) {
  InternalScopedString text;
  text.AppendF("atsan-schedule 1\nexplore %u\n", exploration.number);
  if (exploration.test)
    text.AppendF("test %s\n", exploration.test);
  text.Append(GetDirector().Switches());
  text.Append("end\n");
  AppendFile(file);
  if (WriteWhole(file->data(), text.data(), text.length()))
    return;
  Report(
      "WARNING: %s: explore: the schedule cannot be written to '%s'; run the "
      "program in a folder where it may write\n",
      SanitizerToolName, file->data());
  file->clear();
}

// Appends it as a word of the shell.
void AppendWord(InternalScopedString *out, const char *word) {
  constexpr char kSafe[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_./=+:,@%-";
  uptr safe = 0;
  while (word[safe] && internal_strchr(kSafe, word[safe]))
    safe++;
  if (safe && !word[safe])
    return out->Append(word);
  out->Append("'");
  for (; *word; word++)
    if (*word == '\'')
      out->Append("'\\''");
    else
      out->AppendF("%c", *word);
  out->Append("'");
}

// Appends the program and its arguments, as they were before it changed them:
// test frameworks take out those that they know.
void AppendCommand(InternalScopedString *out) {
  InternalMmapVector<char> words;
  if (!ReadFileToVector("/proc/self/cmdline", &words) || words.empty())
    return AppendWord(out, GetArgv()[0]);
  words.push_back(0);
  for (uptr at = 0; at + 1 < words.size();
       at += internal_strlen(&words[at]) + 1) {
    out->Append(at ? " " : "");
    AppendWord(out, &words[at]);
  }
}

// A name with characters that separate options is put into quotes.
void AppendOption(InternalScopedString *out, const char *file) {
  const bool is_plain = file[internal_strcspn(file, " ,:\t\n")] == 0;
  const char *quote = is_plain ? "" : internal_strchr(file, '"') ? "'" : "\"";
  InternalScopedString option;
  option.AppendF("schedule=%s%s%s", quote, file, quote);
  AppendWord(out, option.data());
}

// `file`: empty if there is none.
void PrintHowToReplay(const char *file, const char *confirmed) {
  InternalScopedString command;
  if (*file) {
    command.Append("\n    replay it:  ATSAN_OPTIONS=");
    AppendOption(&command, file);
    command.Append(" ");
    AppendCommand(&command);
  }
  ScopedLog log;
  Report("%s: explore: a finding in schedule %llu%s%s\n", SanitizerToolName,
         exploration.run, confirmed, command.data());
}

// A failed assertion. When the handler returns, abort ends the process as if
// there was none.
void OnAbort(int) { ExplorationBeforeDeath(); }

void HandleAborts() {
  constexpr int kAbort = 6;  // SIGABRT
  __sanitizer_sigaction usual, ours = {};
  internal_sigaction(kAbort, nullptr, &usual);
  if (usual.handler)
    return;  // The program's own, of which we are told, or handle_abort's.
  ours.handler = OnAbort;
  internal_sigaction(kAbort, &ours, nullptr);
}

// Runs the schedule until it is reported what it shows: nothing else than the
// schedule should matter, but a program may depend on more.
void ShowFinding(const ScheduleText &schedule) {
  hold_findings = false;
  exploration.is_shown = true;
  for (u32 i = 0; i < kReplays; i++)
    if (RunOnce(nullptr, &schedule.switches))
      return;
  Report(
      "WARNING: %s: explore: the finding did not happen again in %u runs of "
      "its "
      "schedule; the function does not do the same each time\n",
      SanitizerToolName, kReplays);
}

// Replays the schedule of the last run, and reports the finding.
void Confirm(const ScheduleText &schedule, const char *file) {
  const bool has_report = findings_of_run;
  // What a test says of a failure, it says each time; but a test that others
  // run says nothing.
  const bool is_quiet = !exploration.has_failed || exploration.test;
  const u32 replays = is_quiet ? kReplays : 1;
  u32 replayed = 0;
  for (u32 i = 0; i < replays; i++)
    replayed += RunOnce(nullptr, &schedule.switches);
  InternalScopedString confirmed;
  confirmed.AppendF(" (replayed %u of %u times)", replayed, replays);
  PrintHowToReplay(file, confirmed.data());
  if (has_report)
    ShowFinding(schedule);
}

}  // namespace

void ExplorationBeforeDeath() {
  if (!exploration.is_running || exploration.is_shown)
    return;
  exploration.is_running = false;
  InternalScopedString file;
  WriteScheduleFile(&file);
  PrintHowToReplay(file.data(), findings_of_run
                                    ? ", which ends the process; before that, "
                                      "a region was violated: the replay says "
                                      "how"
                                    : ", which ends the process");
}

void ScheduleOfLastRun(ScheduleText *schedule) {
  InternalScopedString text;
  text.AppendF("atsan-schedule 1\n%send\n", GetDirector().Switches());
  u32 line;
  ParseSchedule(text.data(), schedule, &line);
}

void ConfirmFinding() {
  InternalScopedString file;
  WriteScheduleFile(&file);
  ScheduleText schedule;
  ScheduleOfLastRun(&schedule);
  Confirm(schedule, file.data());
}

// --- Mistakes. ---------------------------------------------------------------

static bool are_wrong;

bool ExplorationsAreWrong() { return are_wrong; }

void SayWrong(const char *message) {
  static InternalScopedString *last;
  alignas(
      InternalScopedString) static char memory[sizeof(InternalScopedString)];
  are_wrong = true;
  if (last && !internal_strcmp(last->data(), message))
    return;
  if (!last)
    last = new (memory) InternalScopedString();
  last->clear();
  last->Append(message);
  Report("ERROR: %s: explore: %s\n", SanitizerToolName, message);
}

void CheckThatSomethingWasChecked() {
  if (!exploration.accesses)
    SayWrong(
        "nothing was checked: no access was under control; compile the program "
        "with -fatomicity-schedule, too (or, if it is, let the threads of the "
        "function share data)");
  else if (exploration.threads < 2 && !HasMetOthers())
    SayWrong(
        "nothing was checked: the function has started no thread; start those "
        "that are to be explored in it");
}

static bool is_child;

void ExplorationsAtExit() {
  const ScheduleText *schedule = ScheduleOfOptions();
  if (is_child || !schedule || exploration.number >= schedule->exploration)
    return;
  InternalScopedString message;
  message.AppendF(
      "the run could follow nothing of the schedule '%s': it is of exploration "
      "%u of the program, which has come to %u; run the same tests, or make "
      "the schedule anew",
      flags()->schedule, schedule->exploration, exploration.number);
  SayWrong(message.data());
}

void ExplorationsAfterForkInChild() {
  is_child = true;
  are_wrong = false;  // That is said of the parent.
}

// --- The search. -------------------------------------------------------------

static StrategyOptions OptionsOf(const __atsan_explore_options &o) {
  StrategyOptions options;
  // Runs of one seed are none of the next seed's, of which each has the next
  // number. (`atsan explore` does the same.)
  constexpr u32 kBitsOfRuns = 32;
  options.seed = (o.seed ? o.seed : 1) << kBitsOfRuns;
  options.depth = o.depth ? o.depth : options.depth;
  if (o.preemptions_1)
    options.preemptions = o.preemptions_1 - 1;
  return options;
}

int SearchSchedules(const __atsan_explore_options &o) {
  const char *name = o.strategy ? o.strategy : "surw";
  Strategy *strategy = NewStrategy(name, OptionsOf(o));
  if (!strategy) {
    InternalScopedString message;
    message.AppendF(
        "'%s' is no strategy; name surw, pct, pos, random or systematic", name);
    SayWrong(message.data());
    return -1;
  }
  const u64 runs = o.runs ? o.runs : kDefaultRuns;
  const u64 begin = RealTime(kMonotonicClock);
  for (u64 i = 0; i < runs; i++) {
    exploration.run++;
    if (RunOnce(strategy, nullptr))
      return 1;
    if (HasLearned() && !internal_strcmp(name, "systematic"))
      strategy = NewStrategy(name, OptionsOf(o));
    else if (!strategy->HasMore())
      break;
    if (o.seconds > 0 &&
        RealTime(kMonotonicClock) - begin > o.seconds * kSecond)
      break;
  }
  return 0;
}

bool ReplayOnce(const ScheduleText &schedule) {
  const bool found = RunOnce(nullptr, &schedule.switches);
  const u32 line = GetDirector().DivergedAtLine();
  if (GetDirector().FitsNowhere())
    SayWrong(
        "the run could follow nothing of the schedule: it is of another "
        "program, or the code was edited there; make it anew");
  else if (line)
    Report(
        "WARNING: %s: the run has diverged from the schedule at its line "
        "%u, and went on as it is usual\n",
        SanitizerToolName, line);
  return found;
}

const ScheduleText *BeginExploration() {
  static const ScheduleText *replayed;
  if (exploration.number == 0) {
    AddDieCallback(ExplorationBeforeDeath);
    HandleAborts();
    replayed = ScheduleOfOptions();
  }
  const u32 number = exploration.number + 1;
  exploration = {};
  exploration.number = number;
  return replayed;
}

}  // namespace __atsan
