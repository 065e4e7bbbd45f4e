//===-- atsan_interface.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The public C interface (sanitizer/atsan_interface.h) but for the marks of
// regions (hooks/atsan_region_hooks.cpp), and the entry points of instrumented
// code that are about jumps: __atsan_setjmp and __atsan_builtin_longjmp. What
// ThreadSanitizer has under another name, too, is here for both. Forwards only.
//
//===----------------------------------------------------------------------===//
#include "runtime/interface/atsan_lock_annotations.h"
#include "runtime/interface/atsan_memory_annotations.h"
#include "runtime/interface/atsan_tsan_interface.h"
#include "runtime/regions/atsan_region.h"
#include "runtime/schedule/atsan_steer.h"
#include "runtime/threads/atsan_fiber.h"
#include "runtime/threads/atsan_jump.h"
#include "runtime/threads/atsan_thread_registry.h"

using namespace __atsan;

// Makes __atsan_NAME known to code that is annotated for ThreadSanitizer, by
// the name that <sanitizer/tsan_interface.h> has for it.
#define ALSO_FOR_TSAN(name)                             \
  TSAN_INTERFACE decltype(__atsan_##name) __tsan_##name \
      __attribute__((alias("__atsan_" #name)));

extern "C" {

SANITIZER_INTERFACE_ATTRIBUTE void __atomic_restart() {
  if (Thread *thr = CurrentObservedThread())
    RegionRestart(thr, ATSAN_CALLER_POINT());
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_setjmp(void *env) {
  if (Thread *thr = CurrentObservedThread())
    JumpRecordTarget(thr, reinterpret_cast<uptr>(env), ATSAN_CALLER_SP(),
                     ATSAN_CALLER_POINT().pc);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_builtin_longjmp(void *env) {
  if (Thread *thr = cur_thread)
    JumpUnwind(thr, env, JumpBuffer::kCompilers);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_mutex_create(void *addr,
                                                        unsigned flags) {
  LockCreated(addr);
}
ALSO_FOR_TSAN(mutex_create)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_mutex_destroy(void *addr,
                                                         unsigned flags) {
  LockDestroyed(addr, flags);
}
ALSO_FOR_TSAN(mutex_destroy)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_mutex_pre_lock(void *addr,
                                                          unsigned flags) {
  if (Thread *thr = CurrentOrNewThread())
    LockCodeBegin(thr);
}
ALSO_FOR_TSAN(mutex_pre_lock)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_mutex_post_lock(void *addr,
                                                           unsigned flags,
                                                           int recursion) {
  Thread *thr = CurrentOrNewThread();
  if (!thr)
    return;
  LockAcquired(thr, addr, flags, recursion, ATSAN_CALLER_POINT());
  LockCodeEnd(thr);
}
ALSO_FOR_TSAN(mutex_post_lock)

SANITIZER_INTERFACE_ATTRIBUTE int __atsan_mutex_pre_unlock(void *addr,
                                                           unsigned flags) {
  Thread *thr = CurrentOrNewThread();
  if (!thr)
    return 1;
  int levels = LockReleased(thr, addr, flags, ATSAN_CALLER_POINT());
  LockCodeBegin(thr);
  return levels;
}
ALSO_FOR_TSAN(mutex_pre_unlock)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_mutex_post_unlock(void *addr,
                                                             unsigned flags) {
  if (Thread *thr = CurrentOrNewThread())
    LockCodeEnd(thr);
}
ALSO_FOR_TSAN(mutex_post_unlock)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_mutex_pre_signal(void *addr,
                                                            unsigned flags) {
  if (Thread *thr = CurrentOrNewThread())
    LockCodeBegin(thr);
}
ALSO_FOR_TSAN(mutex_pre_signal)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_mutex_post_signal(void *addr,
                                                             unsigned flags) {
  if (Thread *thr = CurrentOrNewThread())
    LockCodeEnd(thr);
}
ALSO_FOR_TSAN(mutex_post_signal)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_mutex_pre_divert(void *addr,
                                                            unsigned flags) {
  if (Thread *thr = CurrentOrNewThread())
    LockCodeEnd(thr);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_mutex_post_divert(void *addr,
                                                             unsigned flags) {
  if (Thread *thr = CurrentOrNewThread())
    LockCodeBegin(thr);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_memory_birth(const void *addr,
                                                        uptr size) {
  MemoryBirth(reinterpret_cast<uptr>(addr), size);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_memory_death(const void *addr,
                                                        uptr size) {
  MemoryDeath(reinterpret_cast<uptr>(addr), size, ATSAN_CALLER_POINT());
}

SANITIZER_INTERFACE_ATTRIBUTE void *__atsan_get_current_fiber() {
  return FiberCurrent();
}
ALSO_FOR_TSAN(get_current_fiber)

SANITIZER_INTERFACE_ATTRIBUTE void *__atsan_create_fiber(unsigned flags) {
  return FiberCreate(CurrentOrNewThread(), ATSAN_CALLER_POINT());
}
ALSO_FOR_TSAN(create_fiber)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_destroy_fiber(void *fiber) {
  FiberDestroy(CurrentOrNewThread(), static_cast<Thread *>(fiber),
               ATSAN_CALLER_POINT());
}
ALSO_FOR_TSAN(destroy_fiber)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_switch_to_fiber(void *fiber,
                                                           unsigned flags) {
  FiberSwitch(static_cast<Thread *>(fiber), ATSAN_CALLER_POINT());
}
ALSO_FOR_TSAN(switch_to_fiber)

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_set_fiber_name(void *fiber,
                                                          const char *name) {
  FiberSetName(static_cast<Thread *>(fiber), name);
}
ALSO_FOR_TSAN(set_fiber_name)

}  // extern "C"
