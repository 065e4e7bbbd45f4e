//===-- atsan_report_build.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a cycle of the checker into a report: looks up what locations, regions
// and threads stand for, and what the cycle has more than once. Prints nothing.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_potential.h"
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_internal.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_stackdepot.h"

namespace __atsan {

static void FreeStack(SymbolizedStack *stack) {
  if (stack)
    stack->ClearAll();
}

ViolationReport::~ViolationReport() {
  for (ReportStep &step : steps) {
    FreeStack(step.first.stack);
    FreeStack(step.later.stack);
    InternalFree(step.why);
  }
  for (ReportRegion &region : regions) {
    InternalFree(region.name);
    InternalFree(region.title);
    FreeStack(region.begin);
    FreeStack(region.split);
  }
  for (ReportMemory &item : memory) {
    InternalFree(item.name);
    InternalFree(item.function);
    InternalFree(item.file);
    FreeStack(item.alloc_stack);
  }
  for (ReportThread &thread : threads)
    FreeStack(thread.creation);
  InternalFree(suppression);
}

const char *DemangledName(const char *name) {
  return internal_strncmp(name, "_Z", 2) == 0
             ? Symbolizer::GetOrInit()->Demangle(name)
             : name;
}

namespace {
// Scratch space of several KiB.
struct Scratch {
  LocationInfo location;
  RegionInfo region;
};
}  // namespace

static ReportEvent BuildEvent(ViolationReport *report, const TxnRef &txn,
                              u32 tid, LocId loc, uptr addr, Scratch *scratch) {
  ReportEvent event = {};
  event.role = EventRole::kAccess;
  event.txn = txn;
  event.tid = tid;
  event.loc = loc;
  event.addr = addr;
  event.region = kNone;
  event.memory = addr ? DescribeMemory(report, addr) : kNone;
  if (tid != kUnknownThread)
    AddThread(report, tid);
  LocationInfo *location = &scratch->location;
  event.located = DescribeLocation(loc, location);
  if (!event.located)
    return event;
  event.kind = location->kind;
  if (event.kind == AccessKind::kThreadStart)
    event.role = EventRole::kThreadStart;
  if (event.kind == AccessKind::kThreadJoin)
    event.role = EventRole::kThreadJoin;
  event.size = location->size;
  event.entered = location->entered;
  event.stack = SymbolizeStack(location->stack);
  event.left_out = location->left_out;
  if (location->region_context)
    event.region =
        AddRegion(report, txn, tid, location->region_context, &scratch->region);
  return event;
}

// An edge keeps only the first conflicting byte of its earlier access. That is
// where the access begins if it is aligned as compilers align accesses.
static bool LooksLikeBegin(const ReportEvent &event) {
  return event.size && event.size <= 8 && IsPowerOfTwo(event.size) &&
         event.addr % event.size == 0;
}

// The begin and the end of a thread have no location of their own; if a thread
// ends inside a region, other events of it tell which one.
static ReportEvent BuildThreadEvent(ViolationReport *report, EventRole role,
                                    const TxnRef &txn, u32 tid) {
  ReportEvent event = {};
  event.role = role;
  event.txn = txn;
  event.tid = tid;
  event.memory = event.region = kNone;
  if (tid != kUnknownThread)
    AddThread(report, tid);
  for (u32 i = 0; i < report->regions.size(); i++)
    if (SameTransaction(report->regions[i].txn, txn))
      event.region = i;
  return event;
}

static ReportStep BuildStep(ViolationReport *report, const Edge &edge,
                            Scratch *scratch) {
  ReportStep step = {};
  step.later_ran_whole = edge.dst_ran_whole;
  if (edge.addr || edge.src_loc) {
    step.first = BuildEvent(report, edge.src, edge.src_tid, edge.src_loc,
                            edge.addr, scratch);
    step.first.addr_is_begin = LooksLikeBegin(step.first);
  } else {
    step.first =
        BuildThreadEvent(report, EventRole::kThreadEnd, edge.src, edge.src_tid);
  }
  if (step.first.role == EventRole::kThreadStart) {
    step.later = BuildThreadEvent(report, EventRole::kThreadBegin, edge.dst,
                                  edge.dst_tid);
  } else {
    step.later = BuildEvent(report, edge.dst, edge.dst_tid, edge.dst_loc,
                            edge.addr ? edge.dst_addr : 0, scratch);
    step.later.addr_is_begin = true;
  }
  return step;
}

static void Complete(ViolationReport *report) {
  NameRegions(report);
  report->fingerprint = MakeFingerprint(*report);
  report->suppression = SuppressionLine(*report);
}

void BuildReport(const Cycle &cycle, ViolationReport *report) {
  Scratch *scratch =
      static_cast<Scratch *>(MmapOrDie(sizeof(Scratch), "atsan report"));
  for (uptr i = 0; i < cycle.size; i++)
    report->steps.push_back(BuildStep(report, cycle.edges[i], scratch));
  UnmapOrDie(scratch, sizeof(Scratch));
  Complete(report);
}

// What is not an access has a plain stack, which knows of no region.
static ReportEvent BuildEvent(ViolationReport *report, const PotentialEvent &of,
                              u32 context, Scratch *scratch) {
  // An event that is not of the region gets a transaction of its own.
  TxnRef txn = {of.in_region ? 0u : of.tid + 1, of.in_region ? 0u : of.loc};
  ReportEvent event = BuildEvent(report, txn, of.tid, of.loc, of.addr, scratch);
  event.addr_is_begin = !event.located || LooksLikeBegin(event);
  if (event.located)
    return event;
  event.located = true;
  switch (of.kind) {
    case StepKind::kAcquire:
      event.kind = AccessKind::kLockAcquire;
      break;
    case StepKind::kRelease:
      event.kind = AccessKind::kLockRelease;
      break;
    case StepKind::kStart:
      event.role = EventRole::kThreadStart;
      event.kind = AccessKind::kThreadStart;
      break;
    case StepKind::kJoin:
      event.role = EventRole::kThreadJoin;
      event.kind = AccessKind::kThreadJoin;
      break;
    default:  // The event is at a barrier or a condition.
      event.located = false;
  }
  if (DescribeStack(of.loc, &scratch->location.stack))
    event.stack = SymbolizeStack(scratch->location.stack);
  if (u32 region = of.in_region ? context : of.other_region)
    event.region = AddRegion(report, txn, of.tid, region, &scratch->region);
  return event;
}

void BuildReport(const PotentialFinding &finding, ViolationReport *report) {
  Scratch *scratch =
      static_cast<Scratch *>(MmapOrDie(sizeof(Scratch), "atsan report"));
  report->potential = true;
  for (uptr i = 0; i < finding.num_steps; i++) {
    const PotentialStep &of = finding.steps[i];
    ReportStep step = {};
    step.first = BuildEvent(report, of.first, finding.region_context, scratch);
    step.later = BuildEvent(report, of.later, finding.region_context, scratch);
    step.why = internal_strdup(of.why.data());
    report->steps.push_back(step);
  }
  UnmapOrDie(scratch, sizeof(Scratch));
  Complete(report);
}

}  // namespace __atsan
