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
#include "atsan_region.h"

#include "atsan_location.h"
#include "report/atsan_held.h"
#include "report/atsan_report.h"

namespace __atsan {

static void BeginTransaction(Thread *thr) {
  ScopedInRuntime in_runtime(thr);
  CheckerRegionBegin(&thr->checker);
}

static void EndTransaction(Thread *thr) {
  if (!thr->checker.active)
    return;
  ReportHeldViolation(thr);
  ScopedInRuntime in_runtime(thr);
  CheckerRegionEnd(&thr->checker);
}

void RegionBegin(Thread *thr, const char *name, const AccessPoint &at,
                 uptr sp) {
  bool outermost = thr->regions.empty();
  {
    ScopedInRuntime in_runtime(thr);
    u32 context = outermost ? InternRegionContext(thr, name, at) : 0;
    thr->regions.push_back({name, at.pc, at.fp, sp, context});
  }
  if (outermost)
    BeginTransaction(thr);
}

void RegionEnd(Thread *thr, const char *error, const AccessPoint &at) {
  if (UNLIKELY(thr->regions.empty())) {
    ReportUsageError(thr, at, error, "region-end-without-begin");
    return;
  }
  thr->regions.pop_back();
  if (thr->regions.empty())
    EndTransaction(thr);
}

// The region goes on with another transaction, which reports tell from the part
// before `at`.
static void BeginNextPart(Thread *thr, const AccessPoint &at) {
  Region &outermost = thr->regions[0];
  outermost.context = InternRegionPart(thr, outermost.context, at);
  BeginTransaction(thr);
}

void RegionRestart(Thread *thr, const AccessPoint &at) {
  if (!thr->checker.active)
    return;
  DropHeldViolation(thr);
  EndTransaction(thr);
  BeginNextPart(thr, at);
}

void RegionUnwind(Thread *thr, uptr num_regions) {
  while (thr->regions.size() > num_regions)
    thr->regions.pop_back();
  if (thr->regions.empty())
    EndTransaction(thr);
  else if (!thr->checker.active)
    BeginTransaction(thr);  // Out of a wait that divides the region.
}

void RegionBoundary::Enter(Thread *thr, RegionSplit split,
                           const AccessPoint &at) {
  if (!thr || !thr->checker.active || !flags()->region_splits.Has(split))
    return;
  thr_ = thr;
  at_ = at;
  EndTransaction(thr);
}

void RegionBoundary::Leave() {
  // A signal handler may have left the wait by longjmp, and begun already.
  if (thr_ && !thr_->regions.empty() && !thr_->checker.active) {
    Region &outermost = thr_->regions[0];
    outermost.context = InternRegionPart(thr_, outermost.context, at_);
    BeginTransaction(thr_);
  }
  thr_ = nullptr;
}

}  // namespace __atsan
