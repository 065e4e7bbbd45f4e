//===-- atsan_report_text.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a report for a human. No logic beyond the choice of words; the text is
// fixed by golden tests (test/runtime/report) and explained in docs/report.md.
//
//===----------------------------------------------------------------------===//
#include "../atsan_symbolizer.h"
#include "atsan_report.h"
#include "atsan_report_decorator.h"
#include "atsan_report_words.h"

namespace __atsan {

// --- Header. -----------------------------------------------------------------

static void AppendThreadsBeside(InternalScopedString *out,
                                const ViolationReport &report, u32 tid) {
  InternalMmapVector<u32> others;
  for (const ReportStep &step : report.steps) {
    u32 other = step.later.tid;
    bool known = other == tid;
    for (u32 seen : others)
      known |= seen == other;
    if (!known)
      others.push_back(other);
  }
  for (uptr i = 0; i < others.size(); i++) {
    out->Append(!i ? "" : i + 1 == others.size() ? " and " : ", ");
    AppendThreadName(out, report, others[i]);
  }
}

static void AppendCapitalized(InternalScopedString *out, const char *text) {
  char first = text[0] >= 'a' && text[0] <= 'z' ? text[0] - 'a' + 'A' : text[0];
  out->AppendF("%c%s", first, text + 1);
}

static bool SameEvent(const ReportEvent &a, const ReportEvent &b) {
  return a.txn.slot == b.txn.slot && a.txn.index == b.txn.index &&
         a.tid == b.tid && a.loc == b.loc && a.located;
}

// A unary transaction may stand for several accesses of a thread.
static bool SameUnit(const ReportEvent &a, const ReportEvent &b) {
  if (a.region != kNone || b.region != kNone)
    return a.region == b.region;
  return SameEvent(a, b);
}

// Is the region that the cycle closes in to blame? It surely is if the others
// on the cycle did not have something come in between, which is known if the
// cycle enters and leaves them at one event. Otherwise it takes all of them
// together.
static bool ClosingRegionIsToBlame(const ViolationReport &report) {
  if (report.Closing().region == kNone)
    return false;
  for (uptr i = 1; i < report.steps.size(); i++) {
    const ReportEvent &in = report.steps[i - 1].later;
    const ReportEvent &out = report.steps[i].first;
    if (out.region != kNone && in.region == out.region && !SameEvent(in, out))
      return false;
  }
  return true;
}

static void PrintVerdict(const ViolationReport &report) {
  const ReportEvent &closing = report.Closing();
  InternalScopedString out;
  if (ClosingRegionIsToBlame(report)) {
    InternalScopedString name;
    AppendRegionName(&name, report, closing.region);
    AppendCapitalized(&out, name.data());
    out.Append(" is not atomic: ");
    AppendThreadsBeside(&out, report, closing.tid);
    out.Append(" came in between,\nso");
  } else {
    out.Append("These regions cannot all be atomic:\n");
    for (uptr i = 0; i < report.regions.size(); i++) {
      out.Append("  ");
      AppendRegionName(&out, report, i);
      out.Append("\n");
    }
    out.Append("They ran in between each other, so");
  }
  out.Append(
      " that no order of whole regions, one after the other, explains "
      "this run.\n");
  Printf("%s", out.data());
}

// --- The cycle. --------------------------------------------------------------

static bool IsThreadEdge(const ReportEvent &event) {
  return event.role != EventRole::kAccess;
}

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

static void PrintEvent(const char *when, const ViolationReport &report,
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
}

// What leads from the end of one step to the beginning of the next one, when
// these are different transactions.
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
    out.Append(" after ");
    if (from.role == EventRole::kThreadBegin)
      out.Append("it began");
    else
      AppendUnit(&out, report, from, UnitStyle::kWithoutThread);
  } else {
    out.Append("Order of threads: ");
    AppendUnit(&out, report, to, UnitStyle::kWithThread);
    out.Append(" could only come after ");
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

static void PrintCycle(const ViolationReport &report) {
  Printf(
      "\nWhat happened, step by step around the cycle. Two accesses to the "
      "same "
      "memory, one of\nthem a write, settle which of their regions comes "
      "first:\n\n");
  for (uptr i = 0; i < report.steps.size(); i++) {
    if (i)
      PrintProgramOrder(report, report.steps[i - 1].later,
                        report.steps[i].first, i);
    PrintStep(report, i);
  }
  PrintContradiction(report);
}

// --- Regions and memory. -----------------------------------------------------

// The index of the first region that began like this one did.
static uptr FirstAlike(const ViolationReport &report, uptr index) {
  const ReportRegion &region = report.regions[index];
  uptr i = 0;
  while (report.regions[i].context != region.context ||
         report.regions[i].tid != region.tid)
    i++;
  return i;
}

static void PrintRegions(const ViolationReport &report) {
  Decorator d;
  for (uptr i = 0; i < report.regions.size(); i++) {
    const ReportRegion &region = report.regions[i];
    if (FirstAlike(report, i) != i)
      continue;
    bool is_only = true;
    for (uptr j = i + 1; j < report.regions.size(); j++)
      is_only &= FirstAlike(report, j) != i;
    InternalScopedString name, out;
    AppendRegionName(&name, report, i, /*with_run=*/is_only);
    AppendCapitalized(&out, name.data());
    Printf("  %s%s began:%s\n", d.Step(), out.data(), d.Default());
    PrintStackText(region.begin, kStackIndent);
    if (region.split) {
      Printf(
          "    It is divided (see region_splits); this part of it began "
          "after:\n");
      PrintStackText(region.split, kStackIndent);
    }
    Printf("\n");
  }
}

static void PrintMemory(const ViolationReport &report) {
  Decorator d;
  for (const ReportMemory &item : report.memory) {
    InternalScopedString out;
    AppendMemorySentence(&out, report, item);
    Printf("  %s%s%s\n", d.Memory(), out.data(), d.Default());
    if (item.alloc_stack)
      PrintStackText(item.alloc_stack, kStackIndent);
  }
  if (report.memory.size())
    Printf("\n");
}

// Only what is certain to help: with threads started or joined in between, a
// lock would not.
static void PrintHint(const ViolationReport &report) {
  for (const ReportStep &step : report.steps)
    if (IsThreadEdge(step.first) || IsThreadEdge(step.later))
      return;
  if (ClosingRegionIsToBlame(report)) {
    InternalScopedString others;
    AppendThreadsBeside(&others, report, report.Closing().tid);
    Printf(
        "  To fix it, let nothing that conflicts come in between: for "
        "example, hold one lock in\n  %s, from its first access above to "
        "its last, and around the accesses of %s.\n\n",
        report.regions[report.Closing().region].title, others.data());
    return;
  }
  Printf(
      "  To fix it, keep these regions out of each other: for example, hold "
      "one lock in each of\n  them, from its first access above to its "
      "last, and around the other accesses.\n\n");
}

void PrintReportText(const ViolationReport &report) {
  Decorator d;
  Printf("%s", d.Error());
  Report(
      "ERROR: AtomicitySanitizer: atomicity violation (observed, not "
      "conflict-serializable)\n");
  Printf("%s", d.Default());
  SymbolizerWarnIfMissing();
  PrintVerdict(report);
  PrintCycle(report);
  PrintRegions(report);
  PrintMemory(report);
  PrintThreads(report);
  PrintHint(report);
  PrintSummary("atomicity-violation", report.Closing().stack);
}

}  // namespace __atsan
