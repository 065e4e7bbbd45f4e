//===-- atsan_report_verdict.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a cycle amounts to: which regions are not atomic. Prints nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REPORT_VERDICT_H
#define ATSAN_REPORT_VERDICT_H

#include "runtime/report/atsan_report.h"

namespace __atsan {

bool SameTransaction(const TxnRef &a, const TxnRef &b);
bool SameEvent(const ReportEvent &a, const ReportEvent &b);
// Whether both are of one region, or one and the same event outside regions.
bool SameUnit(const ReportEvent &a, const ReportEvent &b);

// Whether the region that the cycle closes in is alone to blame: each other
// region on the cycle began and ended while that one was open, or the cycle
// leaves it at the event that it was entered at, or at a later one. Otherwise
// all of them together are to blame.
bool ClosingRegionIsToBlame(const ViolationReport &report);

// Appends "Region 'x' of T1 is not atomic: T2 came in between", on one line.
void AppendVerdict(InternalScopedString *out, const ViolationReport &report);

}  // namespace __atsan

#endif  // ATSAN_REPORT_VERDICT_H
