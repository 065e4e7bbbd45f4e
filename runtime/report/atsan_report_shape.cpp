//===-- atsan_report_shape.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_report_internal.h"

namespace __atsan {

static bool OnlyReads(const ReportEvent &event) {
  return event.kind == AccessKind::kRead ||
         event.kind == AccessKind::kAtomicRead;
}

static bool OnlyWrites(const ReportEvent &event) {
  return event.kind == AccessKind::kWrite ||
         event.kind == AccessKind::kAtomicWrite;
}

static bool Writes(const ReportEvent &event) {
  return OnlyWrites(event) || event.kind == AccessKind::kAtomicRmw;
}

static bool IsAccess(const ReportEvent &event) {
  return event.role == EventRole::kAccess && event.located &&
         (OnlyReads(event) || Writes(event));
}

// Whether accesses overlap. Only one byte of an earlier one is known for
// certain.
static bool Overlap(const ReportEvent &a, const ReportEvent &b) {
  return a.addr < b.addr + b.size && b.addr < a.addr + a.size;
}

static bool GivesBackAndTakes(const ReportEvent &first,
                              const ReportEvent &last) {
  return first.kind == AccessKind::kLockRelease &&
         last.kind == AccessKind::kLockAcquire && first.addr == last.addr;
}

static constexpr Shape kReleasedTooEarly = {
    "lock released too early",
    "It gives the lock back, and takes it again for what belongs together."};

// How a region that reads first was interrupted.
static Shape ShapeOfReader(const ReportEvent &first, const ReportEvent &in,
                           const ReportEvent &out, const ReportEvent &last) {
  if (Overlap(first, last)) {
    if (OnlyWrites(last) && Writes(in) && Overlap(in, last))
      return {"lost update",
              "It wrote over what had been written after it read it."};
    return {"check-then-act",
            "What it had read was changed before it went on from there."};
  }
  if (OnlyReads(last) && Writes(out))
    return {"torn read",
            "It read one part before others wrote it, and another one after."};
  if (Writes(last))
    return {"check-then-act", "What it had read was changed before it wrote."};
  return {};
}

static Shape ObservedShape(const ViolationReport &report) {
  const ReportEvent &first = report.steps[0].first;
  const ReportEvent &in = report.steps[0].later;
  const ReportEvent &out = report.steps[report.steps.size() - 1].first;
  const ReportEvent &last = report.Closing();
  if (!ClosingRegionIsToBlame(report))
    return {};
  if (GivesBackAndTakes(first, last))
    return kReleasedTooEarly;
  if (!IsAccess(first) || !IsAccess(in) || !IsAccess(out) || !IsAccess(last))
    return {};
  if (OnlyReads(first))
    return ShapeOfReader(first, in, out, last);
  if (OnlyReads(in) && OnlyReads(out) && Writes(last))
    return {"dirty read", "Others read what it had not finished writing."};
  return {};
}

Shape ShapeOf(const ViolationReport &report) {
  if (!report.potential)
    return ObservedShape(report);
  const ReportStep &between = report.steps[0];
  if (GivesBackAndTakes(between.first, between.later))
    return kReleasedTooEarly;
  return {};
}

}  // namespace __atsan
