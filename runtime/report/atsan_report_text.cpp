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
#include "runtime/location/atsan_symbolizer.h"
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_internal.h"

namespace __atsan {

// --- Header. -----------------------------------------------------------------

static void PrintVerdict(const ViolationReport &report) {
  InternalScopedString out;
  if (ClosingRegionIsToBlame(report)) {
    AppendVerdict(&out, report);
    out.Append(",\nso");
  } else {
    out.Append("These regions cannot all be atomic:\n");
    for (uptr i = 0; i < report.regions.size(); i++) {
      out.Append("  ");
      AppendRegionName(&out, report, i);
      out.Append("\n");
    }
    out.Append("At least one of them was interrupted, so");
  }
  out.Append(
      " that no order of whole regions, one after the other, explains "
      "this run.\n");
  if (const char *sentence = ShapeOf(report).sentence)
    out.AppendF("%s\n", sentence);
  Printf("%s", out.data());
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

static void PrintSuppression(const ViolationReport &report) {
  if (!report.suppression)
    return;
  Printf(
      "  To suppress it, put this line into FILE and set "
      "ATSAN_OPTIONS=suppressions=FILE:\n%s%s\n\n",
      kStackIndent, report.suppression);
}

// "HEADING: shape (notion)".
static void PrintHeading(const char *colour, const char *heading,
                         const char *shape, const char *notion) {
  Printf("%s", colour);
  Report("%s%s%s (%s)\n", heading, shape ? ": " : "", shape ? shape : "",
         notion);
  Printf("%s", Decorator().Default());
  SymbolizerWarnIfMissing();
}

static void PrintObserved(const ViolationReport &report) {
  PrintHeading(Decorator().Error(),
               "ERROR: AtomicitySanitizer: atomicity violation",
               ShapeOf(report).name, "observed, not conflict-serializable");
  PrintVerdict(report);
  PrintCycle(report);
}

// The two events, and why each is of its class.
static void PrintPotential(const ViolationReport &report) {
  Decorator d;
  PrintHeading(d.Warning(),
               "WARNING: AtomicitySanitizer: region may not be atomic",
               ShapeOf(report).name,
               "potential: by reduction, no bad schedule was observed");
  InternalScopedString verdict;
  AppendVerdict(&verdict, report);
  const char *sentence = ShapeOf(report).sentence;
  Printf("%s.\n%s%s\n", verdict.data(), sentence ? sentence : "",
         sentence ? "\n" : "");
  for (const ReportStep &step : report.steps) {
    Printf("  %s%s:%s\n", d.Step(), step.why, d.Default());
    PrintEvent("First", report, step.first);
    PrintEvent("Later", report, step.later);
    Printf("\n");
  }
}

void PrintReportText(const ViolationReport &report) {
  if (report.potential)
    PrintPotential(report);
  else
    PrintObserved(report);
  PrintRegions(report);
  PrintMemory(report);
  PrintThreads(report);
  if (!report.potential)
    PrintHints(report);
  PrintSuppression(report);
  PrintSummary(report.Kind(), report.Closing().stack);
}

}  // namespace __atsan
