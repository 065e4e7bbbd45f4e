//===-- atsan_schedule_watch.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that the scheduler does not see: one that has ended, and is still on
// its way out through libc and the kernel, and one with the baton that comes to
// no point, since it waits for a thread that is held.
//
// A schedule must not depend on how fast either of them is. So the next thread
// goes on only when the ended one is gone: both would use the locks and the
// memory of libc at the same time. And whoever sleeps in the kernel loses the
// baton only when nobody but a held thread can wake it; where that cannot be
// known, only when it has slept for long.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_WATCH_H
#define ATSAN_SCHEDULE_WATCH_H

#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

// Threads that have ended, by their kernel ids. The caller has a lock for it.
class LeavingThreads {
 public:
  void Add(int kernel_id);
  bool Any() const { return !ids_.empty(); }
  int Last() { return ids_.back(); }
  void RemoveLast() { ids_.pop_back(); }

 private:
  InternalMmapVector<int> ids_;
};

// Waits until the thread is gone. One that cannot go, since it needs what a
// held thread has, is not awaited for long.
void AwaitLeaving(int kernel_id);

// Looks now and then at the thread with the baton.
class Watch {
 public:
  // Whether the thread, which runs the program's code and has come to no point
  // since the last look, waits for one that is held. `alone`: no other thread
  // of the program goes on.
  bool MustGiveUp(int kernel_id, bool alone);
  // The thread has come to a point, or does not sleep.
  void Forget() { call_ = 0; }

 private:
  u64 call_ = 0;  // The system call that it slept in at the last look; 0: none.
  u64 since_ = 0;  // Real time of the first look that found it there.
};

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_WATCH_H
