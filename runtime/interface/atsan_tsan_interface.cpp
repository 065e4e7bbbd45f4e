//===-- atsan_tsan_interface.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that is annotated for ThreadSanitizer works as it is: the functions of
// <sanitizer/tsan_interface.h>, in our meaning. What says something about data
// races only, means nothing here. Forwards only. Those that do what one of ours
// does are with it, in atsan_interface.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/interface/atsan_tsan_interface.h"

#include "runtime/interface/atsan_lock_annotations.h"
#include "runtime/threads/atsan_thread_registry.h"

using namespace __atsan;

// --- <sanitizer/tsan_interface.h>: order and locks. --------------------------

TSAN_INTERFACE void __tsan_acquire(void *addr) {
  if (Thread *thr = CurrentOrNewThread())
    OrderAcquire(thr, addr, ATSAN_CALLER_POINT());
}

TSAN_INTERFACE void __tsan_release(void *addr) {
  if (Thread *thr = CurrentOrNewThread())
    OrderRelease(thr, addr, ATSAN_CALLER_POINT());
}

// A lock diverts to what puts threads to sleep and wakes them: ThreadSanitizer
// wants to see the order that comes of it. For us it is still the lock's own
// business, and not the data of the region that waits.
TSAN_INTERFACE void __tsan_mutex_pre_divert(void *, unsigned) {}
TSAN_INTERFACE void __tsan_mutex_post_divert(void *, unsigned) {}

// --- <sanitizer/tsan_interface.h>: objects of uninstrumented libraries. ------

// A tag stands for the name of a type, which our reports do not print.
TSAN_INTERFACE void *__tsan_external_register_tag(const char *type) {
  return const_cast<char *>(type);
}
TSAN_INTERFACE void __tsan_external_register_header(void *, const char *) {}
TSAN_INTERFACE void __tsan_external_assign_tag(void *, void *) {}

// --- <sanitizer/tsan_interface.h>: about ThreadSanitizer itself. -------------

TSAN_INTERFACE void __tsan_check_no_mutexes_held() {}
TSAN_INTERFACE void __tsan_flush_memory() {}

// --- <sanitizer/tsan_interface.h>: reports of ThreadSanitizer. ---------------

// ThreadSanitizer never has a report to ask about: ours are told to
// __atsan_on_report. The result 0 says that nothing was stored.
TSAN_INTERFACE void *__tsan_get_current_report() { return nullptr; }
TSAN_INTERFACE int __tsan_get_report_data(void *, const char **, int *, int *,
                                          int *, int *, int *, int *, int *,
                                          void **, uptr) {
  return 0;
}
TSAN_INTERFACE int __tsan_get_report_stack(void *, uptr, void **, uptr) {
  return 0;
}
TSAN_INTERFACE int __tsan_get_report_mop(void *, uptr, int *, void **, int *,
                                         int *, int *, void **, uptr) {
  return 0;
}
TSAN_INTERFACE int __tsan_get_report_loc(void *, uptr, const char **, void **,
                                         void **, uptr *, int *, int *, int *,
                                         void **, uptr) {
  return 0;
}
TSAN_INTERFACE int __tsan_get_report_mutex(void *, uptr, u64 *, void **, int *,
                                           void **, uptr) {
  return 0;
}
TSAN_INTERFACE int __tsan_get_report_thread(void *, uptr, int *, u64 *, int *,
                                            const char **, int *, void **,
                                            uptr) {
  return 0;
}
TSAN_INTERFACE int __tsan_get_report_unique_tid(void *, uptr, int *) {
  return 0;
}
