//===-- atsan_suppressions.h ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Findings that the user does not want to hear of: neither printed nor counted
// for the exit code, and the run goes on. docs/options.md has the syntax.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SUPPRESSIONS_H
#define ATSAN_SUPPRESSIONS_H

#include "runtime/report/atsan_report.h"

namespace __atsan {

// Reads __atsan_default_suppressions() and the file that the option
// suppressions names. A mistake in them ends the program with one message.
void SuppressionsInit();

// Does a suppression match the report's fingerprint, some region of it, or some
// frame of its accesses and regions? Counts it. The caller holds the error
// report lock.
bool IsSuppressed(const ViolationReport &report);

// How often each one matched, for print_suppressions=1; nothing if none did.
void PrintMatchedSuppressions();

}  // namespace __atsan

extern "C" {
// A program may define it, to bring suppressions along.
SANITIZER_INTERFACE_ATTRIBUTE const char *__atsan_default_suppressions();
}

#endif  // ATSAN_SUPPRESSIONS_H
