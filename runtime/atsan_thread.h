//===-- atsan_thread.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All per-thread state of the runtime, and how hooks get at it. A thread is
// known from pthread_create (or the first event that we see of it) until its
// last key destructor; hooks before and after find no Thread and do nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_THREAD_H
#define ATSAN_THREAD_H

#include "core/atsan_checker.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

// One entry of the stack of open regions of a thread.
struct Region {
  const char *name;  // nullptr: named by its location. Never freed.
  uptr pc;           // Return address of the begin mark.
  uptr fp;           // Frame that called the begin mark.
  uptr sp;           // Stack pointer of that frame at the mark, for longjmp.
  bool excluded;     // It did not begin, but its end will come.
  bool section;      // A critical section: its end is that of a lock.
};

// What a setjmp call saw, for the longjmp that comes back to it.
struct JumpRecord {
  uptr env;
  uptr sp;
  u32 num_regions;
  u32 ignore_accesses;
  u32 atomic_depth;
};

// A lock that the thread holds, with its recursion count.
struct HeldLock {
  uptr addr;
  u32 count;
};

struct LocationCache;  // atsan_location.cpp

struct Thread {
  CheckerThread checker;

  // Nonzero: hooks do nothing. Set by ScopedInRuntime while our own code runs,
  // so that a signal handler or a library called by us is not analysed.
  u32 in_runtime;
  // A signal came while in_runtime or atomic_depth was set, and waits for the
  // end of that with all others blocked; the mask to restore then
  // (atsan_signal.cpp).
  bool signals_deferred;
  u64 signal_mask;
  // Nonzero between the pre and post calls of lock annotations (rule 7).
  u32 ignore_accesses;
  // What ThreadSanitizer's annotations ask for; both make one of
  // ignore_accesses.
  u32 ignore_reads;
  u32 ignore_writes;
  // Nonzero inside an atomic bracket (which a signal handler may interrupt).
  u32 atomic_depth;

  // The stripes that the open bracket holds (atsan_atomic.cpp).
  u16 first_stripe;
  u16 last_stripe;

  // While a failed compare-exchange is analysed, and what it closed.
  bool in_failed_exchange;
  struct HeldViolation *held;

  u32 tid;
  u32 number;  // Unlike the tid, nobody else's ever.
  bool is_fiber;
  uptr stack_bottom;  // Lowest address.
  uptr stack_top;     // One past the highest.
  uptr tls_begin;     // Static thread-local storage, for reports.
  uptr tls_end;
  // Frame pointer at the last blocking interceptor (join, wait, ...), from
  // which a report can walk this thread's frames while it is blocked; or 0.
  uptr blocked_fp;
  uptr blocked_pc;

  InternalMmapVectorNoCtor<Region> regions;
  // Interned begin stack and name of the outermost region (atsan_location.h);
  // 0 outside regions.
  u32 region_context;
  InternalMmapVectorNoCtor<JumpRecord> jumps;
  InternalMmapVectorNoCtor<HeldLock> held_locks;
  InternalMmapVectorNoCtor<HeldLock> section_locks;  // atsan_critical_section.h
  // Of all kinds, as observers were told: atsan_observer.cpp.
  InternalMmapVectorNoCtor<HeldLock> observed_locks;

  // Allocated when first needed; LocationThreadEnd frees it.
  LocationCache *location_cache;
  // As above; trace/atsan_trace.cpp frees it.
  struct TraceThread *trace;
};

// The Thread of the calling thread, or nullptr. Initial-exec: one load.
extern ATSAN_HIDDEN
    __attribute__((tls_model("initial-exec"))) THREADLOCAL Thread *cur_thread;

// The thread if its events count, else nullptr.
inline Thread *CurrentObservedThread() {
  Thread *thr = cur_thread;
  return thr && !thr->in_runtime ? thr : nullptr;
}

// The thread if its accesses count now, else nullptr.
inline Thread *CurrentAccessingThread() {
  Thread *thr = CurrentObservedThread();
  return thr && !thr->ignore_accesses ? thr : nullptr;
}

inline bool GateIsOpen() {
  return UNLIKELY(__atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED) != 0);
}

void SignalsDeliverNow(Thread *thr);

// To be called when in_runtime or atomic_depth has become 0. Handlers run here,
// and may jump away.
inline void SignalsDeliver(Thread *thr) {
  if (UNLIKELY(thr->signals_deferred))
    SignalsDeliverNow(thr);
}

inline void EnterRuntime(Thread *thr) {
  if (!thr)
    return;
  thr->in_runtime++;
  // For the signal handlers of this thread.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

inline void LeaveRuntime(Thread *thr) {
  if (!thr)
    return;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  thr->in_runtime--;
  SignalsDeliver(thr);
}

class ScopedInRuntime {
 public:
  explicit ScopedInRuntime(Thread *thr) : thr_(thr) { EnterRuntime(thr); }
  ~ScopedInRuntime() { LeaveRuntime(thr_); }
  ScopedInRuntime(const ScopedInRuntime &) = delete;
  ScopedInRuntime &operator=(const ScopedInRuntime &) = delete;

 private:
  Thread *thr_;
};

// The code that called the current function. Only in functions that are
// themselves the hook or interceptor.
#define ATSAN_CALLER_POINT()                                  \
  AccessPoint {                                               \
    reinterpret_cast<uptr>(__builtin_return_address(0)),      \
        *reinterpret_cast<uptr *>(__builtin_frame_address(0)) \
  }

}  // namespace __atsan

#endif  // ATSAN_THREAD_H
