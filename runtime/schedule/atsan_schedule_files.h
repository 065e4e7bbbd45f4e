//===-- atsan_schedule_files.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points for interceptors of calls that may wait in the kernel: for pipes,
// sockets and the like. A thread that would wait there without a limit is held
// until the kernel says that it would not: threads that talk to each other by a
// pipe have the same schedule in each run. Where there is a limit, or where the
// kernel cannot be asked, the thread stands outside until it is back, in real
// time: its schedule need not be the same again.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_FILES_H
#define ATSAN_SCHEDULE_FILES_H

#include "runtime/schedule/atsan_schedule_wait.h"
#include "runtime/schedule/atsan_scheduler.h"

namespace __atsan {

// Where a thread is about to call the kernel.
struct KernelCall {
  ScheduledThread *self;
  const Place *place;
  AccessPoint at;
};

// For how long a call waits, in nanoseconds; kNever: without a limit.
// The limit of poll and its like, where a negative number is none.
constexpr u64 LimitOf(s64 milliseconds) {
  return milliseconds < 0 ? kNever : milliseconds * 1000000ull;
}
// The limit of calls that take a timespec, or nullptr.
u64 LimitOf(const void *time);

// Before a call that reads the descriptor. `waits`: false if it is told not to.
void ReadPoint(const KernelCall &call, int fd, bool waits = true);
// Before a call that writes to it. If it has to wait, others find out.
void WritePoint(const KernelCall &call, int fd);
// Before a call that waits for some of the files, which FileToAwait describes.
void PollPoint(const KernelCall &call, const void *files, uptr count,
               u64 limit);
// Before a call of select or pselect; a set may be nullptr.
void SelectPoint(const KernelCall &call, int number, void *const (&sets)[3],
                 uptr set_size, u64 limit);
// Before a call that waits for what cannot be asked for: a process, a signal.
void OutsidePoint(const KernelCall &call);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_FILES_H
