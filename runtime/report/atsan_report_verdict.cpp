//===-- atsan_report_verdict.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_report_internal.h"

namespace __atsan {

bool SameTransaction(const TxnRef &a, const TxnRef &b) {
  return a.slot == b.slot && a.index == b.index;
}

// One line of code may have made several accesses. Of an event the first byte
// in conflict is known, which depends on the edge.
static bool MayOverlap(const ReportEvent &a, const ReportEvent &b) {
  return Max(a.addr, b.addr) - Min(a.addr, b.addr) < Max<uptr>(1, a.size);
}

bool SameEvent(const ReportEvent &a, const ReportEvent &b) {
  return SameTransaction(a.txn, b.txn) && a.tid == b.tid && a.loc == b.loc &&
         a.located && MayOverlap(a, b);
}

// A unary transaction may stand for several accesses of a thread.
bool SameUnit(const ReportEvent &a, const ReportEvent &b) {
  if (a.region != kNone || b.region != kNone)
    return a.region == b.region;
  return SameEvent(a, b);
}

// Whether it is certain of two events of one region that `first` was not the
// later one.
static bool IsInOrder(const ReportEvent &first, const ReportEvent &later) {
  return SameEvent(first, later) || later.role == EventRole::kThreadEnd ||
         (first.located && later.located && first.entered < later.entered);
}

bool ClosingRegionIsToBlame(const ViolationReport &report) {
  if (report.Closing().region == kNone)
    return false;
  for (uptr i = 1; i < report.steps.size(); i++) {
    const ReportStep &entering = report.steps[i - 1];
    const ReportEvent &in = entering.later, &out = report.steps[i].first;
    if (out.region != kNone && in.region == out.region && !IsInOrder(in, out) &&
        !entering.later_ran_whole)
      return false;
  }
  return true;
}

void AppendVerdict(InternalScopedString *out, const ViolationReport &report) {
  const ReportEvent &closing = report.Closing();
  if (report.potential) {
    InternalScopedString name;
    AppendRegionName(&name, report, closing.region);
    AppendCapitalized(out, name.data());
    out->Append(
        " may not be atomic: other threads may come in between two of "
        "its events");
    return;
  }
  if (ClosingRegionIsToBlame(report)) {
    InternalScopedString name;
    AppendRegionName(&name, report, closing.region);
    AppendCapitalized(out, name.data());
    out->Append(" is not atomic: ");
    AppendThreadsBeside(out, report, closing.tid);
    out->Append(" came in between");
    return;
  }
  out->Append("These regions cannot all be atomic: ");
  for (uptr i = 0; i < report.regions.size(); i++) {
    out->Append(i ? ", " : "");
    AppendRegionName(out, report, i);
  }
}

}  // namespace __atsan
