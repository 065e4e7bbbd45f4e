//===-- atsan_schedule_program.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_program.h"

#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_output_file.h"
#include "runtime/schedule/atsan_exploration.h"
#include "runtime/schedule/atsan_schedule_director.h"
#include "runtime/schedule/atsan_schedule_log.h"
#include "runtime/schedule/atsan_schedule_options.h"
#include "runtime/schedule/atsan_schedule_run.h"
#include "runtime/schedule/atsan_schedule_shared.h"
#include "runtime/schedule/atsan_steer.h"

namespace __atsan {
namespace {

Strategy *strategy;  // nullptr: a schedule is replayed.
bool is_controlled, is_steered, has_failed;
constexpr char kHeader[] = "atsan-schedule 1\n";
OutputFile schedule_file;

const char *CoverageWord(Coverage coverage) {
  switch (coverage) {
    case Coverage::kAllClasses:
      return "all-classes";
    case Coverage::kAllWithinBound:
      return "all-within-bound";
    default:
      return "sampled";
  }
}

const char *WordFor(Gap gap) {
  switch (gap) {
    case Gap::kNone:
      return "none";
    case Gap::kOthers:
      return "others";
    case Gap::kGuess:
      return "guess";
    case Gap::kCut:
      return "cut";
    case Gap::kDiverged:
      return "diverged";
    case Gap::kUnnamed:
      return "unnamed";
    case Gap::kOutside:
      return "outside";
    case Gap::kNoPoints:
      return "no-points";
  }
  UNREACHABLE("no gap");
}

// What `atsan explore` reads of a run, as comments of its schedule.
void AppendFacts(InternalScopedString *out) {
  out->AppendF("#: end %s\n", run_end);
  out->AppendF("#: points %llu\n", PointsOfRun());
  out->AppendF("#: accesses %llu\n", NumAccesses());
  out->AppendF("#: threads %u\n", ThreadsOfRun());
  out->AppendF("#: others %d\n", HasMetOthers());
  out->AppendF("#: class %016llx\n", ClassOfRun());
  const ModuleCounts modules = CountModules();
  out->AppendF("#: modules %u\n", modules.with_points);
  out->AppendF("#: modules_without_points %u\n", modules.without_points);
  if (const u32 line = GetDirector().DivergedAtLine())
    out->AppendF("#: diverged %u\n", line);
  if (!strategy)
    return;
  out->AppendF("#: coverage %s\n", CoverageWord(strategy->Covered()));
  out->AppendF("#: gap %s\n", WordFor(strategy->FirstGap()));
  out->AppendF("#: more %d\n", strategy->HasMore() || HasLearned());
  out->AppendF("#: learned %d\n", HasLearned());
}

// What became of the orders, as comments.
void AppendOrders(InternalScopedString *out) {
  out->AppendF("#: end %s\n", run_end);
  for (const OrderInRun &o : SteeredOrders())
    out->AppendF("#: order %u %s\n", o.order->line, WordFor(o.state));
}

void WriteSchedule() {
  if (!*flags()->schedule_out)
    return;
  InternalScopedString out;
  out.Append(kHeader);
  if (is_steered) {
    AppendOrders(&out);
  } else {
    AppendFacts(&out);
    out.Append(GetDirector().Switches());
  }
  out.Append("end\n");
  has_failed |= !schedule_file.Write(out.data(), out.length());
}

// Says which order the run has not kept, the first one of them.
void WarnOfOrders() {
  for (const OrderInRun &o : SteeredOrders()) {
    if (o.state == OrderState::kKept)
      continue;
    Report(
        "WARNING: %s: the run diverged at line %u of the schedule '%s': %s\n",
        SanitizerToolName, o.order->line, flags()->schedule,
        o.state == OrderState::kNeedsLock
            ? "the first thread needs a lock that is held"
            : "the first thread never came there");
    return;
  }
}

// What a run can write.
enum : u32 { kNothing = 0, kOut = 1, kLog = 2, kState = 4 };

// Ends the process if an output is asked for that a run of this kind, which
// writes `written`, does not write.
void RefuseOutputs(u32 written, const char *why) {
  const struct {
    u32 bit;
    const char *option, *value;
  } outputs[] = {{kOut, "schedule_out", flags()->schedule_out},
                 {kLog, "schedule_log", flags()->schedule_log},
                 {kState, "schedule_state", flags()->schedule_state}};
  for (const auto &output : outputs) {
    if (!*output.value || (output.bit & written))
      continue;
    Report("ERROR: %s: run-time option %s=%s means nothing %s\n",
           SanitizerToolName, output.option, output.value, why);
    ExitForBadSetup();
  }
}

void RefuseOutputs(const ScheduleText *schedule) {
  if (!schedule && !*flags()->schedule_strategy)
    RefuseOutputs(kNothing,
                  "without schedule or schedule_strategy; give one of them, or "
                  "leave it out");
  else if (schedule && schedule->exploration)
    RefuseOutputs(kNothing,
                  "where atsan::explore replays a schedule; leave it out");
  else if (schedule && schedule->orders.size())
    RefuseOutputs(kOut,
                  "with a schedule that only orders accesses; leave it out");
  else if (schedule)
    RefuseOutputs(kOut | kLog,
                  "with a schedule, which needs no strategy; leave it out");
}

void Steer(const ScheduleText *schedule) {
  is_controlled = is_steered = true;
  SteerRun(cur_thread, &schedule->orders);
  AddDieCallback(ScheduleProgramAtExit);
}

}  // namespace

void ScheduleProgramInit() {
  const ScheduleText *schedule = ScheduleOfOptions();
  RefuseOutputs(schedule);
  if (schedule && schedule->exploration)
    return;  // atsan::explore replays it.
  if (!schedule && !*flags()->schedule_strategy)
    return;
  if (const char *path = flags()->schedule_out; *path)
    schedule_file.Init("schedule_out", path, kHeader);
  if (schedule && schedule->orders.size())
    return Steer(schedule);
  if (!schedule)
    strategy = StrategyOfOptions();
  is_controlled = true;
  ScheduleLogInit();
  BeginDirectedRun(cur_thread, strategy,
                   schedule ? &schedule->switches : nullptr,
                   flags()->schedule_points);
  // Not what a crash or a finding ends goes unwritten.
  AddDieCallback(ScheduleProgramAtExit);
}

static constexpr char kNoPoints[] =
    "the program was compiled without -fatomicity-schedule; give the option to "
    "all of it";

void ScheduleProgramAtExit() {
  ExplorationsAtExit();
  if (!is_controlled)
    return;
  is_controlled = false;
  if (is_steered) {
    SteerOver();
    WarnOfOrders();
    return WriteSchedule();
  }
  __atomic_store_n(&__atsan_scheduled, 0, __ATOMIC_RELEASE);
  const bool has_points = CountModules().with_points;
  if (strategy) {
    if (CountModules().without_points)
      strategy->LeaveGap(Gap::kNoPoints);
    // `atsan explore` says it for all runs.
    if (!has_points && !*flags()->schedule_out)
      Report("WARNING: %s: schedule_strategy controls no access: %s\n",
             SanitizerToolName, kNoPoints);
    // What has been learned makes other points: counts of this run do not fit.
    strategy->EndRun(!HasLearned() && internal_strcmp(run_end, "too-long"));
    if (HasLearned())
      strategy = ForgetPoints(strategy);
    has_failed |= !SaveState(strategy);
  } else if (GetDirector().FitsNowhere() && !*flags()->schedule_out) {
    has_failed = true;
    Report(
        "ERROR: %s: the run could follow nothing of the schedule '%s' (from "
        "line %u on): %s\n",
        SanitizerToolName, flags()->schedule, GetDirector().DivergedAtLine(),
        has_points
            ? "it is of another program, or the code was edited there; make it "
              "anew"
            : kNoPoints);
  } else if (const u32 line = GetDirector().DivergedAtLine()) {
    Report(
        "WARNING: %s: the run has diverged from the schedule '%s' at its line "
        "%u, and went on as it is usual%s%s\n",
        SanitizerToolName, flags()->schedule, line, has_points ? "" : ": ",
        has_points ? "" : kNoPoints);
  }
  WriteSchedule();
  ScheduleLogAtExit();
}

bool ScheduleHasFailed() { return has_failed || ExplorationsAreWrong(); }

void ScheduleProgramCrashes() { run_end = "crash"; }

void ScheduleBeforeFatalHandler() {
  ExplorationBeforeDeath();
  if (!is_controlled)
    return;
  const char *end = run_end;
  run_end = "crash";
  WriteSchedule();
  run_end = end;
}

void ScheduleBeforeHandler() {
  if (is_controlled)
    LeaveGap(Gap::kOthers);
}

void ScheduleBeforeFork() {
  static const Place kFork = {"fork", "", 0, 0, 0, 0};
  ScheduledThread *self = CurrentScheduled();
  if (!self)
    return;
  Stop stop = {};
  stop.place = &kFork;
  StopAt(self, stop);
}

// Also before there is a run: what it waits for may come from the child.
void ScheduleAfterForkInParent() { LeaveGap(Gap::kOthers); }

void ScheduleAfterForkInChild() {
  // A thread that the child does not have may have held it.
  run_mutex.Init();
  ExplorationsAfterForkInChild();
  is_controlled = false;
  if (Thread *thr = cur_thread) {
    thr->scheduled = nullptr;
    thr->steered = nullptr;
  }
  __atomic_store_n(&__atsan_scheduled, 0, __ATOMIC_RELEASE);
}

}  // namespace __atsan
