//===-- atsan_blocking.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls in which a thread waits, and may be cancelled.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BLOCKING_H
#define ATSAN_BLOCKING_H

#include "lib/checker/atsan_cell.h"
#include "runtime/location/atsan_location.h"
#include "runtime/regions/atsan_region.h"
#include "runtime/state/atsan_thread.h"

// A function of libc: ends the thread if it is cancelled.
extern "C" void pthread_testcancel();

namespace __atsan {

// Makes the frames of a waiting thread known to reports. `thr` may be nullptr.
class ScopedBlocked {
 public:
  ScopedBlocked(Thread *thr, const AccessPoint &at) : thr_(thr) {
    if (!thr_)
      return;
    thr_->blocked_pc = at.pc;
    thr_->blocked_fp = at.fp;
  }
  ~ScopedBlocked() { Leave(); }
  void Leave() {
    if (!thr_)
      return;
    thr_->blocked_pc = 0;
    thr_->blocked_fp = 0;
  }
  ScopedBlocked(const ScopedBlocked &) = delete;
  ScopedBlocked &operator=(const ScopedBlocked &) = delete;

 private:
  Thread *thr_;
};

// Lets a report say that the region has waited: a lock is of no use where two
// regions wait for each other.
inline void NoteWaitInRegion(Thread *thr, const char *function,
                             const AccessPoint &at) {
  if (thr && thr->checker.active)
    thr->waited = {function, InternStack(thr, at), IndexOf(thr->checker.self)};
}

// Calls call(context); if the thread is cancelled there, on_cancel(context).
int CallCancellable(int (*call)(void *), void (*on_cancel)(void *),
                    void *context);

// Calls call(); if the thread is cancelled there, on_cancel().
template <class Call, class OnCancel>
int CallCancellable(Call call, OnCancel on_cancel) {
  struct Context {
    Call *call;
    OnCancel *on_cancel;
  } context = {&call, &on_cancel};
  return CallCancellable(
      [](void *c) { return (*static_cast<Context *>(c)->call)(); },
      [](void *c) { (*static_cast<Context *>(c)->on_cancel)(); }, &context);
}

}  // namespace __atsan

#endif  // ATSAN_BLOCKING_H
