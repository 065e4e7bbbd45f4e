//===-- atsan_report_region.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The regions of a report, and what they are called.
//
//===----------------------------------------------------------------------===//
#include "runtime/options/atsan_flags.h"
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_internal.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

static char *TitleAt(const char *name, const AddressInfo *code) {
  InternalScopedString title;
  if (name) {
    title.Append("region '");
    AppendPrintable(&title, name);
    title.Append("'");
  } else if (code && code->file) {
    title.AppendF("region at %s:%d", StripModuleName(code->file), code->line);
  } else if (code && code->module) {
    title.AppendF("region at (%s+0x%zx)", StripModuleName(code->module),
                  code->module_offset);
  } else {
    title.Append("region at an unknown place");
  }
  return internal_strdup(title.data());
}

char *RegionTitle(const char *name, const SymbolizedStack *begin) {
  return TitleAt(name, UserFrame(begin));
}

u32 AddRegion(ViolationReport *report, const TxnRef &txn, u32 tid, u32 context,
              RegionInfo *info) {
  for (u32 i = 0; i < report->regions.size(); i++)
    if (SameTransaction(report->regions[i].txn, txn))
      return i;
  if (!DescribeRegion(context, info))
    return kNone;
  ReportRegion region = {};
  region.txn = txn;
  region.tid = tid;
  region.context = context;
  region.begin = SymbolizeStack(info->begin_stack);
  region.split = SymbolizeStack(info->split_stack);
  region.section =
      critical_sections_are_regions && info->name && !info->name[0];
  // ATSAN_ATOMIC functions are named by their linkage names.
  if (info->name && info->name[0])
    region.name = internal_strdup(DemangledName(info->name));
  report->regions.push_back(region);
  return report->regions.size() - 1;
}

bool IsSameFunction(const AddressInfo *a, const AddressInfo *b) {
  return a && b && a->function && b->function &&
         !internal_strcmp(a->function, b->function);
}

static bool IsIn(const SymbolizedStack *stack, const AddressInfo *code) {
  for (; stack; stack = stack->next)
    if (IsSameFunction(&stack->info, code))
      return true;
  return false;
}

static bool AllAccessesAreIn(const ViolationReport &report, u32 region,
                             const AddressInfo *code) {
  const auto is_elsewhere = [&](const ReportEvent &event) {
    return event.region == region && event.stack && !IsIn(event.stack, code);
  };
  for (const ReportStep &step : report.steps)
    if (is_elsewhere(step.first) || is_elsewhere(step.later))
      return false;
  return true;
}

// Finds the function that the region is of: one that locks for others has
// returned by the time of the accesses.
static const SymbolizedStack *FindFrame(const ViolationReport &report,
                                        u32 region) {
  const SymbolizedStack *user = FromUserFrame(report.regions[region].begin);
  while (user && user->info.function &&
         !AllAccessesAreIn(report, region, &user->info))
    user = FromUserFrame(user->next);
  return user && user->info.function ? user : nullptr;
}

// Numbers regions that a reader could not tell apart, in program order.
static void NumberRuns(ViolationReport *report) {
  InternalMmapVector<ReportRegion> &regions = report->regions;
  for (ReportRegion &region : regions) {
    u32 alike = 0, before = 0;
    for (const ReportRegion &other : regions) {
      if (other.tid != region.tid ||
          internal_strcmp(other.title, region.title) != 0)
        continue;
      alike++;
      before += other.txn.index < region.txn.index;
    }
    region.run = alike > 1 ? before + 1 : 0;
  }
}

void NameRegions(ViolationReport *report) {
  for (u32 i = 0; i < report->regions.size(); i++) {
    ReportRegion &region = report->regions[i];
    if (!region.name)
      region.frame = FindFrame(*report, i);
    region.title = TitleAt(region.name, region.frame ? &region.frame->info
                                                     : UserFrame(region.begin));
  }
  NumberRuns(report);
}

}  // namespace __atsan
