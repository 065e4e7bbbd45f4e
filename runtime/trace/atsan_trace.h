//===-- atsan_trace.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ATSAN_OPTIONS=trace=FILE: an observer that writes every event to a file
// (docs/trace-format.md), from which the offline checkers read it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_TRACE_H
#define ATSAN_TRACE_H

namespace __atsan {

// Begins, if the option is given. By the main thread, when it has its state.
void TraceInit();
// The program ends, by the calling thread. May be called more than once, with
// events in between: what atexit runs, or the parent of vfork.
void TraceAtExit();

}  // namespace __atsan

#endif  // ATSAN_TRACE_H
