//===-- atsan_report_internal.h ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of runtime/report share: the verdict on a cycle, the shape of
// a mistake, and the words and colours of reports. Prints nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REPORT_INTERNAL_H
#define ATSAN_REPORT_INTERNAL_H

#include "runtime/report/atsan_report.h"
#include "sanitizer_common/sanitizer_report_decorator.h"

namespace __atsan {

// --- Regions. ----------------------------------------------------------------

// Returns the index of the region of transaction `txn`; kNone: nothing is known
// of it. `info` is scratch space: 2 KiB of stacks are kept off the stack.
u32 AddRegion(ViolationReport *report, const TxnRef &txn, u32 tid, u32 context,
              RegionInfo *info);
// Finds what the regions are called, when all events are there.
void NameRegions(ViolationReport *report);
bool IsSameFunction(const AddressInfo *a, const AddressInfo *b);

// --- What a cycle amounts to: which regions are not atomic. ------------------

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

// --- The names that people have for the usual mistakes. ----------------------

// A report has a shape if one region is to blame and its accesses on the cycle
// show it; docs/report.md says what each means. lib/check/Shape.cpp finds these
// shapes in traces.
struct Shape {
  const char *name;      // "lost update"...; nullptr: none of these.
  const char *sentence;  // A sentence on what happened, in general.
};
Shape ShapeOf(const ViolationReport &report);

// --- Names within the sentences of a report. ---------------------------------

// Returns "atomic read", "free", "thread start"...
const char *KindName(AccessKind kind);

// Returns the name of an event's kind, "thread begin" or "thread end"; "access"
// if nothing is known.
const char *EventName(const ReportEvent &event);
// Returns "global", "heap"...
const char *MemoryKindName(MemoryKind kind);

// Appends "read of 8 bytes at 0x1234", "start of T2"...
void AppendAccess(InternalScopedString *out, const ViolationReport &report,
                  const ReportEvent &event);

// AppendUnit names the transaction of an event: "T1's region 'x'", "T2's
// write", or without the thread "region 'x'", "the write".
enum class UnitStyle { kWithThread, kWithoutThread };
void AppendUnit(InternalScopedString *out, const ViolationReport &report,
                const ReportEvent &event, UnitStyle style);

// Appends "region 'x' of T1", and which run of it, if the report has several.
void AppendRegionName(InternalScopedString *out, const ViolationReport &report,
                      uptr index, bool with_run = true);

// Appends the threads on the cycle but `tid`: "T1, T2 and the main thread".
void AppendThreadsBeside(InternalScopedString *out,
                         const ViolationReport &report, u32 tid);
void AppendCapitalized(InternalScopedString *out, const char *text);

// Appends "global 'balance'", "heap block of 16 bytes"...
void AppendMemoryLabel(InternalScopedString *out, const ViolationReport &report,
                       const ReportMemory &item);
// Appends everything that is known of the memory, as a sentence.
void AppendMemorySentence(InternalScopedString *out,
                          const ViolationReport &report,
                          const ReportMemory &item);

// --- Colours. ----------------------------------------------------------------

// The colours of a report's parts, where it is shown on a terminal.
class Decorator : public SanitizerCommonDecorator {
 public:
  const char *Step() const { return Bold(); }
  const char *Access() const { return Blue(); }
  const char *Memory() const { return Green(); }
  const char *Thread() const { return Cyan(); }
  const char *Conclusion() const { return Red(); }
};

}  // namespace __atsan

#endif  // ATSAN_REPORT_INTERNAL_H
