//===-- atsan_report_cycle.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the steps of the cycle and what they amount to, in the text of a
// report.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_internal.h"

namespace __atsan {

static void AppendEvent(InternalScopedString *out,
                        const ViolationReport &report,
                        const ReportEvent &event) {
  AppendAccess(out, report, event);
  if (event.role == EventRole::kThreadBegin ||
      event.role == EventRole::kThreadEnd) {
    out->Append(" of ");
    AppendThreadName(out, report, event.tid);
    return;
  }
  if (event.memory != kNone) {
    out->Append(" (");
    AppendMemoryLabel(out, report, report.memory[event.memory]);
    out->Append(")");
  }
  out->Append(" by ");
  AppendThreadName(out, report, event.tid);
  if (event.region != kNone) {
    out->Append(", in ");
    AppendUnit(out, report, event, UnitStyle::kWithoutThread);
  } else if (event.located) {
    out->Append(", outside any region");
  }
}

void PrintEvent(const char *when, const ViolationReport &report,
                const ReportEvent &event) {
  Decorator d;
  InternalScopedString out;
  AppendEvent(&out, report, event);
  Printf("    %s%s: %s%s\n", d.Access(), when, out.data(), d.Default());
  if (event.role == EventRole::kThreadBegin ||
      event.role == EventRole::kThreadEnd)
    return;
  if (event.stack)
    PrintStackText(event.stack, kStackIndent);
  else
    Printf("%s[no stack was recorded for this event]\n", kStackIndent);
  if (event.left_out == LeftOut::kRepeated)
    Printf("%s[of a recursion, each call is shown once]\n", kStackIndent);
  if (event.left_out == LeftOut::kCallers)
    Printf("%s[callers are left out: there are too many]\n", kStackIndent);
}

// Prints what leads from the end of `step` to the beginning of the next one,
// when these are different transactions.
static void PrintProgramOrder(const ViolationReport &report,
                              const ReportEvent &from, const ReportEvent &to,
                              uptr step) {
  if (SameUnit(from, to))
    return;
  Decorator d;
  InternalScopedString out;
  if (from.tid == to.tid && from.tid != kUnknownThread) {
    out.Append("Program order: ");
    AppendThreadName(&out, report, from.tid);
    if (to.role == EventRole::kThreadEnd) {
      out.Append(" ended");
    } else {
      out.Append(" ran ");
      AppendUnit(&out, report, to, UnitStyle::kWithoutThread);
    }
    out.AppendF(" (step %zu) after ", step + 1);
    if (from.role == EventRole::kThreadBegin)
      out.Append("it began");
    else
      AppendUnit(&out, report, from, UnitStyle::kWithoutThread);
  } else {
    out.Append("Order of threads: ");
    AppendUnit(&out, report, to, UnitStyle::kWithThread);
    out.AppendF(" (step %zu) could only come after ", step + 1);
    AppendUnit(&out, report, from, UnitStyle::kWithThread);
  }
  Printf("  %s%s (step %zu).%s\n\n", d.Step(), out.data(), step, d.Default());
}

static void PrintStep(const ViolationReport &report, uptr i) {
  Decorator d;
  const ReportStep &step = report.steps[i];
  InternalScopedString title;
  AppendUnit(&title, report, step.first, UnitStyle::kWithThread);
  title.Append(" must come before ");
  AppendUnit(&title, report, step.later, UnitStyle::kWithThread);
  Printf("  %sStep %zu: %s.%s\n", d.Step(), i + 1, title.data(), d.Default());
  if (i && SameEvent(report.steps[i - 1].later, step.first)) {
    InternalScopedString out;
    AppendEvent(&out, report, step.first);
    Printf("    %sFirst: %s (shown in step %zu)%s\n", d.Access(), out.data(), i,
           d.Default());
  } else {
    PrintEvent("First", report, step.first);
  }
  PrintEvent("Later", report, step.later);
  Printf("\n");
}

static void PrintContradiction(const ViolationReport &report) {
  Decorator d;
  uptr n = report.steps.size();
  InternalScopedString out;
  AppendUnit(&out, report, report.Closing(), UnitStyle::kWithThread);
  out.Append(" would have to come before ");
  if (n == 2) {
    AppendUnit(&out, report, report.steps[0].later, UnitStyle::kWithThread);
    out.Append(" (step 1) and after ");
    if (SameUnit(report.steps[0].later, report.steps[1].first))
      out.Append("it");
    else
      AppendUnit(&out, report, report.steps[1].first, UnitStyle::kWithThread);
    out.Append(" (step 2)");
  } else {
    out.AppendF("itself (steps 1 to %zu)", n);
  }
  Printf("  %sContradiction: %s.%s\n\n", d.Conclusion(), out.data(),
         d.Default());
}

static bool HasLockOrder(const ViolationReport &report) {
  for (const ReportStep &step : report.steps)
    if (step.first.located && step.first.kind == AccessKind::kLockRelease)
      return true;
  return false;
}

void PrintCycle(const ViolationReport &report) {
  Printf(
      "\nWhat happened, step by step around the cycle. Two accesses to the "
      "same "
      "memory, one of\nthem a write, settle which of their regions comes "
      "first%s:\n\n",
      HasLockOrder(report) ? ", and so do the\nrelease of a lock and its next "
                             "acquire (lock_edges=1)"
                           : "");
  for (uptr i = 0; i < report.steps.size(); i++) {
    if (i)
      PrintProgramOrder(report, report.steps[i - 1].later,
                        report.steps[i].first, i);
    PrintStep(report, i);
  }
  PrintContradiction(report);
}

}  // namespace __atsan
