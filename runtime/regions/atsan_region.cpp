//===-- atsan_region.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions. Knows neither the checker's insides nor how a report looks.
//
//===----------------------------------------------------------------------===//
#include "runtime/regions/atsan_region.h"

#include "runtime/location/atsan_location.h"
#include "runtime/memory/atsan_constant_memory.h"
#include "runtime/regions/atsan_region_exclusion.h"
#include "runtime/regions/atsan_region_quick.h"
#include "runtime/report/atsan_held.h"
#include "runtime/report/atsan_report.h"
#include "runtime/state/atsan_init.h"
#include "runtime/stream/atsan_observer.h"

namespace __atsan {

// Called while the thread is in the runtime.
static void BeginTransaction(Thread *thr) {
  CheckerRegionBegin(&thr->checker);
  thr->recording_fp = thr->region_frame.fp;
}

static void EndTransaction(Thread *thr) {
  if (!thr->checker.active)
    return;
  ReportHeldViolation(thr);
  ScopedInRuntime in_runtime(thr);
  thr->recording_fp = no_frame;
  CheckerRegionEnd(&thr->checker);
}

// Begins any region.
static void Begin(Thread *thr, const char *name, AccessPoint at, uptr sp,
                  bool section) {
  if (UNLIKELY(!__atsan_enabled))
    RegionsMayBegin();
  // A handler sees the region begun or not, nothing in between.
  ScopedInRuntime in_runtime(thr);
  const bool excluded = UNLIKELY(has_exclusions) && IsExcluded(thr, name, at);
  const bool outermost = !excluded && !thr->region_context;
  if (outermost) {
    InternRegionContext(thr, section ? kSectionName : name, at, [&] {
      return section || !name || IsConstant(reinterpret_cast<uptr>(name), 1);
    });
    thr->num_regions++;
  }
  if (UNLIKELY(excluded))
    thr->num_excluded++;
  Region *region = thr->regions.Add(name, at.pc, at.fp, sp);
  region->excluded = excluded;
  region->section = section;
  if (!excluded)
    Observe(thr, EventKind::RegionBegin, 0, at, name);
  if (outermost)
    BeginTransaction(thr);
}

void RegionBeginRest(Thread *thr) {
  GateCount(&thr->checker);
  LeaveRuntime(thr);
}

void RegionEndRest(Thread *thr) {
  GraphEndRest(&thr->checker);
  LeaveRuntime(thr);
}

// Is none open any more, but excluded ones?
static bool HasLeftRegions(Thread *thr) {
  for (uptr i = thr->regions.First(); i < thr->regions.size(); i++)
    if (!thr->regions[i].excluded)
      return false;
  return true;
}

// Drops the i-th region. Jumps come back to where it was open, and now is not.
static void Drop(Thread *thr, uptr i) {
  const auto forget_in = [i](InternalMmapVectorNoCtor<JumpRecord> &records) {
    for (JumpRecord &record : records)
      if (record.num_regions > i)
        record.num_regions--;
  };
  if (UNLIKELY(thr->regions[i].in_jumps)) {
    forget_in(thr->jumps_by_env);
    forget_in(thr->jumps_by_call);
  }
  thr->regions.Remove(i);
}

static void EndIfLeft(Thread *thr) {
  if (!thr->region_context || !HasLeftRegions(thr))
    return;
  EndTransaction(thr);
  thr->region_context = 0;
}

// Ends the innermost region of its kind: locks need not be given back where
// regions nest. False if there is none.
static bool EndInnermost(Thread *thr, bool section, const AccessPoint &at) {
  auto &regions = thr->regions;
  const uptr first = regions.First();
  uptr i = regions.size();
  while (i > first && regions[i - 1].section != section)
    i--;
  if (i == first)
    return false;
  if (!regions[i - 1].excluded)
    Observe(thr, EventKind::RegionEnd, 0, at);
  {
    ScopedInRuntime in_runtime(thr);
    Drop(thr, i - 1);
  }
  EndIfLeft(thr);
  return true;
}

void RegionBegin(Thread *thr, const char *name, AccessPoint at, uptr sp) {
  Begin(thr, name, at, sp, /*section=*/false);
}

void RegionEnd(Thread *thr, const char *error, AccessPoint at) {
  if (EndInnermost(thr, /*section=*/false, at))
    return;
  Observe(thr, EventKind::RegionEnd, 0, at);
  ReportUsageError(thr, at, error, "region-end-without-begin");
}

void RegionBeginSection(Thread *thr, AccessPoint at) {
  RegionMarked how = RegionBeginQuickly(
      quick_thread, nullptr, at, [&] { return at.fp; },
      /*section=*/true, GET_CURRENT_FRAME());
  if (UNLIKELY(how == RegionMarked::kNot))
    Begin(thr, nullptr, at, at.fp, /*section=*/true);
  else if (UNLIKELY(how == RegionMarked::kInRuntime))
    RegionBeginRest(thr);
  else
    SignalsDeliver(thr);
}

void RegionEndSection(Thread *thr) { EndInnermost(thr, /*section=*/true, {}); }

// The region goes on with another transaction, which reports tell from the part
// before `at`.
static void BeginNextPart(Thread *thr, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  thr->region_context = InternRegionPart(thr, thr->region_context, at);
  BeginTransaction(thr);
}

void RegionRestart(Thread *thr, const AccessPoint &at) {
  if (!thr->checker.active)
    return;
  Observe(thr, EventKind::Restart, 0, at);
  DropHeldViolation(thr);
  EndTransaction(thr);
  BeginNextPart(thr, at);
}

// The transaction goes on: it ends when no region is left.
void RegionEndAt(Thread *thr, uptr i) {
  auto &regions = thr->regions;
  if (regions[i].IsFloor()) {
    EndTransaction(thr);
    thr->region_context = regions[i].context;
    thr->region_frame = regions[i].frame;
  }
  if (!regions[i].excluded)
    Observe(thr, EventKind::RegionEnd, 0, {});
  Drop(thr, i);
}

void RegionUnwound(Thread *thr) {
  EndIfLeft(thr);
  if (thr->region_context && !thr->checker.active) {
    ScopedInRuntime in_runtime(thr);
    BeginTransaction(thr);  // Out of a wait that divides the region.
  }
}

// Whether a boundary of any of these kinds divides a region of the thread.
static bool DividesRegion(const Thread *thr, u32 splits) {
  return thr && thr->checker.active && flags()->region_splits.Has(splits);
}

void RegionBoundary::Enter(Thread *thr, RegionSplit split,
                           const AccessPoint &at) {
  if (!DividesRegion(thr, split))
    return;
  thr_ = thr;
  at_ = at;
  EndTransaction(thr);
}

void RegionBoundary::Leave() {
  // A signal handler may have left the wait by longjmp, and begun already.
  if (thr_ && thr_->region_context && !thr_->checker.active)
    BeginNextPart(thr_, at_);
  thr_ = nullptr;
}

bool RegionsSetAside(Thread *thr, u32 splits, const AccessPoint &at, uptr sp) {
  if (!DividesRegion(thr, splits))
    return false;
  EndTransaction(thr);
  ScopedInRuntime in_runtime(thr);
  for (uptr i = thr->regions.First(); i < thr->regions.size(); i++)
    if (!thr->regions[i].excluded)
      Observe(thr, EventKind::RegionEnd, 0, at, thr->regions[i].name);
  Region *floor = thr->regions.AddFloor(at.pc, at.fp, sp);
  floor->context = thr->region_context;
  floor->frame = thr->region_frame;
  thr->region_context = 0;
  return true;
}

void RegionsResume(Thread *thr, const AccessPoint &at) {
  auto &regions = thr->regions;
  const uptr first = regions.First();
  if (!first)
    return;
  {
    ScopedInRuntime in_runtime(thr);
    RegionEndAt(thr, first - 1);
    ObserveOpenRegions(thr);
  }
  BeginNextPart(thr, at);
}

}  // namespace __atsan
