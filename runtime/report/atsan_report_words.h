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

// "atomic read", "free", "thread start"...
const char *KindName(AccessKind kind);

// The same, and "thread begin" and "thread end"; "access" if nothing is known.
const char *EventName(const ReportEvent &event);
// "global", "heap"...
const char *MemoryKindName(MemoryKind kind);

// "read of 8 bytes at 0x1234", "start of T2"...
void AppendAccess(InternalScopedString *out, const ViolationReport &report,
                  const ReportEvent &event);

// The transaction of the event: "T1's region 'x'", "T2's write", or without the
// thread "region 'x'", "the write".
enum class UnitStyle { kWithThread, kWithoutThread };
void AppendUnit(InternalScopedString *out, const ViolationReport &report,
                const ReportEvent &event, UnitStyle style);

// "region 'x' of T1", and which run of it, if the report has several.
void AppendRegionName(InternalScopedString *out, const ViolationReport &report,
                      uptr index, bool with_run = true);

// The threads on the cycle but `tid`: "T1, T2 and the main thread".
void AppendThreadsBeside(InternalScopedString *out,
                         const ViolationReport &report, u32 tid);
void AppendCapitalized(InternalScopedString *out, const char *text);

// "global 'balance'", "heap block of 16 bytes"...
void AppendMemoryLabel(InternalScopedString *out, const ViolationReport &report,
                       const ReportMemory &item);
// The same with everything that is known, as a sentence.
void AppendMemorySentence(InternalScopedString *out,
                          const ViolationReport &report,
                          const ReportMemory &item);

}  // namespace __atsan

#endif  // ATSAN_REPORT_WORDS_H
