//===-- tsan_hooks.c ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ThreadSanitizer's tests take from its runtime, for programs without it:
// the barrier that they order their threads with, and annotations that do
// nothing. A shared library, never instrumented. Where our own runtime has an
// annotation, an instrumented program uses that.
//
//===----------------------------------------------------------------------===//
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// Its ten lowest bits are the number of threads, the rest counts arrivals.
enum { kArrival = 1 << 10, kThreads = kArrival - 1 };

void __tsan_testonly_barrier_init(unsigned *barrier, unsigned count) {
  *barrier = count;
}

void __tsan_testonly_barrier_wait(unsigned *barrier) {
  unsigned state = __atomic_fetch_add(barrier, kArrival, __ATOMIC_SEQ_CST);
  unsigned threads = state & kThreads;
  unsigned round = (state / kArrival) / threads;
  for (;;) {
    unsigned now = __atomic_load_n(barrier, __ATOMIC_SEQ_CST);
    if ((now / kArrival) / threads != round)
      break;
    syscall(SYS_futex, barrier, FUTEX_WAIT, now, NULL, NULL, 0);
  }
  syscall(SYS_futex, barrier, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

// --- Annotations. ------------------------------------------------------------

void __tsan_acquire(void *addr) {}
void __tsan_release(void *addr) {}
void __tsan_mutex_create(void *addr, unsigned flags) {}
void __tsan_mutex_destroy(void *addr, unsigned flags) {}
void __tsan_mutex_pre_lock(void *addr, unsigned flags) {}
void __tsan_mutex_post_lock(void *addr, unsigned flags, int recursion) {}
int __tsan_mutex_pre_unlock(void *addr, unsigned flags) { return 1; }
void __tsan_mutex_post_unlock(void *addr, unsigned flags) {}
void __tsan_mutex_pre_signal(void *addr, unsigned flags) {}
void __tsan_mutex_post_signal(void *addr, unsigned flags) {}
void __tsan_mutex_pre_divert(void *addr, unsigned flags) {}
void __tsan_mutex_post_divert(void *addr, unsigned flags) {}
void __tsan_check_no_mutexes_held(void) {}
void __tsan_flush_memory(void) {}

static char a_fiber;
void *__tsan_get_current_fiber(void) { return &a_fiber; }
void *__tsan_create_fiber(unsigned flags) { return &a_fiber; }
void __tsan_destroy_fiber(void *fiber) {}
void __tsan_switch_to_fiber(void *fiber, unsigned flags) {}
void __tsan_set_fiber_name(void *fiber, const char *name) {}

void AnnotateThreadName(const char *f, int l, const char *name) {}
void AnnotateRWLockCreate(const char *f, int l, void *m) {}
void AnnotateRWLockCreateStatic(const char *f, int l, void *m) {}
void AnnotateRWLockDestroy(const char *f, int l, void *m) {}
void AnnotateRWLockAcquired(const char *f, int l, void *m, long w) {}
void AnnotateRWLockReleased(const char *f, int l, void *m, long w) {}
void AnnotateIgnoreReadsBegin(const char *f, int l) {}
void AnnotateIgnoreReadsEnd(const char *f, int l) {}
void AnnotateIgnoreWritesBegin(const char *f, int l) {}
void AnnotateIgnoreWritesEnd(const char *f, int l) {}
void AnnotateIgnoreSyncBegin(const char *f, int l) {}
void AnnotateIgnoreSyncEnd(const char *f, int l) {}
void AnnotateHappensBefore(const char *f, int l, void *addr) {}
void AnnotateHappensAfter(const char *f, int l, void *addr) {}
void AnnotateBenignRaceSized(const char *f, int l, const volatile void *addr,
                             size_t size, const char *why) {}
void WTFAnnotateBenignRaceSized(const char *f, int l, const volatile void *addr,
                                size_t size, const char *why) {}
