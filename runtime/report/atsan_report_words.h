//===-- atsan_report_words.h ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of accesses, transactions, regions and memory, as they appear within
// the sentences of a report.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REPORT_WORDS_H
#define ATSAN_REPORT_WORDS_H

#include "runtime/report/atsan_report.h"

namespace __atsan {

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

}  // namespace __atsan

#endif  // ATSAN_REPORT_WORDS_H
