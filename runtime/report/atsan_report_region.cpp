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
#include "lib/base/CommonFrames.h"
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

typedef InternalMmapVector<const SymbolizedStack *> Frames;

static void Collect(const SymbolizedStack *stack, Frames *frames) {
  for (; stack; stack = stack->next)
    frames->push_back(stack);
}

static bool IsSamePlace(const AddressInfo &a, const AddressInfo &b) {
  return a.line && b.line ? a.line == b.line && a.column == b.column
                          : a.address == b.address;
}

static u32 CountCommon(const Frames &begin, const SymbolizedStack *access) {
  Frames frames;
  Collect(access, &frames);
  return atsan_frames::CommonFrames(
      begin.size(), frames.size(),
      [&](u32 i, u32 j) {
        return IsSameFunction(&begin[i]->info, &frames[j]->info);
      },
      [&](u32 i, u32 j) {
        return IsSamePlace(begin[i]->info, frames[j]->info);
      });
}

template <class F>
static void ForEachAccessIn(const ViolationReport &report, u32 region, F f) {
  const auto visit = [&](const ReportEvent &event) {
    if (event.region == region && event.stack)
      f(event);
  };
  for (const ReportStep &step : report.steps) {
    visit(step.first);
    visit(step.later);
  }
}

// Finds the function that the region is of: one that locks for others has
// returned by the time of the accesses. Where a stack lacks calls, functions go
// by their names alone.
static const SymbolizedStack *FindFrame(const ViolationReport &report,
                                        u32 region) {
  Frames begin;
  Collect(report.regions[region].begin, &begin);
  u32 common = begin.size();
  ForEachAccessIn(report, region, [&](const ReportEvent &event) {
    if (event.left_out == LeftOut::kNothing)
      common = Min(common, CountCommon(begin, event.stack));
  });
  if (!common)
    return nullptr;
  const SymbolizedStack *user = FromUserFrame(begin[begin.size() - common]);
  for (; user && user->info.function; user = FromUserFrame(user->next)) {
    bool is_in_all = true;
    ForEachAccessIn(report, region, [&](const ReportEvent &event) {
      is_in_all &= IsIn(event.stack, &user->info);
    });
    if (is_in_all)
      return user;
  }
  return nullptr;
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
