//===-- atsan_crash.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The report of a crash: that of all sanitizers, but for its summary, which
// says where the program was, not where libc was, and which assertion failed.
// `atsan explore` knows a crash by it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_CRASH_H
#define ATSAN_CRASH_H

namespace __atsan {

// The calling thread is about to abort since the condition, whose text this is,
// does not hold. The text is kept, not copied.
void NoteFailedAssertion(const char *condition);
// A thread begins or ends. In between, an overflow of its stack is reported.
void CrashThreadBegins();
void CrashThreadEnds();
// For a handler of a deadly signal. Ends the process.
[[noreturn]] void ReportCrash(int signal, void *siginfo, void *context);

}  // namespace __atsan

#endif  // ATSAN_CRASH_H
