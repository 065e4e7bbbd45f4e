//===-- atsan_trace_thread.h ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the recorder keeps for each thread, and how records get into its block.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_TRACE_THREAD_H
#define ATSAN_TRACE_THREAD_H

#include "runtime/state/atsan_thread.h"
#include "runtime/trace/atsan_trace_file.h"
#include "sanitizer_common/sanitizer_stacktrace.h"

namespace __atsan {

// A thread's part of the trace. Zeros are a fresh one: see TraceFile.
struct TraceThread {
  TraceBlock block;
  u64 run;         // The number of the thread's last run; 0: none.
  uptr next_size;  // The size of the next block; 0: the smallest.
  format::Encoder code;
  BufferedStackTrace scratch;  // Too big for a user's stack.
};

// The state of the calling thread, or of a thread which cannot run now.
TraceThread *GetTraceThread(Thread *thr);

// Makes room for a record, in the run that it belongs to. False: recording has
// stopped. When the record is put, TraceBlock::Publish tells so.
bool TraceBegin(Thread *thr, TraceThread *trace, uptr room);

// Puts what an event's numbers stand for into the trace, before the event.
void TraceDefineLocation(Thread *thr, TraceThread *trace, LocId loc);
// Returns the name's number.
u64 TraceDefineRegion(Thread *thr, TraceThread *trace, const char *name);
void TraceDefineThread(Thread *thr, TraceThread *trace, u32 number,
                       const char *name);
void TraceNamesInit();
// In the child of a fork: nothing is defined yet.
void TraceNamesAfterFork();

}  // namespace __atsan

#endif  // ATSAN_TRACE_THREAD_H
