//===-- atsan_stack_hooks.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks for stack variables whose address escapes: there their life begins
// or ends (rule 9). Most have no history then, and nobody wants to know.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_forget.h"
#include "runtime/stream/atsan_observer.h"

using namespace __atsan;

namespace {

NOINLINE void ForgetStackObject(uptr addr, uptr size, uptr first,
                                AtomicCell *cell, Page *page) {
  Thread *thr = CurrentObservedThread();
  if (!thr)
    return;
  ScopedInRuntime in_runtime(thr);
  ForgetHistory(&thr->checker, addr, size, {cell, page, first});
}

NOINLINE void ObserveStackObject(uptr addr, uptr size, EventKind kind,
                                 AccessPoint at) {
  Thread *thr = CurrentObservedThread();
  if (!thr)
    return;
  ScopedInRuntime in_runtime(thr);
  ObserveMemory(thr, kind, addr, size, at, /*is_stack=*/true);
  CheckerForget(&thr->checker, addr, size);
}

// To look at the cells needs no register that would have to be saved.
ALWAYS_INLINE void ReportStackObject(uptr addr, uptr size, EventKind kind,
                                     const AccessPoint &at) {
  if (IsObserved())
    return ObserveStackObject(addr, size, kind, at);
  History history;
  if (FindHistory(addr, size, &history))
    ForgetStackObject(addr, size, history.first, history.cell, history.page);
}

}  // namespace

// The most frequent sizes have hooks with the size in the name: a call needs
// one instruction less.
#define ATSAN_STACK_HOOKS(name, kind)                                      \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_stack_##name(      \
      void *addr, uptr size) {                                             \
    ReportStackObject(reinterpret_cast<uptr>(addr), size, EventKind::kind, \
                      ATSAN_CALLER_POINT());                               \
  }                                                                        \
  ATSAN_STACK_HOOK(name, kind, 8)                                          \
  ATSAN_STACK_HOOK(name, kind, 16)                                         \
  ATSAN_STACK_HOOK(name, kind, 32)
#define ATSAN_STACK_HOOK(name, kind, size)                                  \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_stack_##name##size( \
      void *addr) {                                                         \
    ReportStackObject(reinterpret_cast<uptr>(addr), size, EventKind::kind,  \
                      ATSAN_CALLER_POINT());                                \
  }
ATSAN_STACK_HOOKS(birth, Birth)
ATSAN_STACK_HOOKS(death, Death)

// For all of the frame of the calling function: what lies between its stack
// pointer and its frame pointer. Nothing there is known to another function
// yet, or any more.
#define ATSAN_FRAME_HOOK(name, kind)                                           \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_frame_##name() {       \
    AccessPoint at = ATSAN_CALLER_POINT();                                     \
    uptr begin =                                                               \
        reinterpret_cast<uptr>(__builtin_frame_address(0)) + 2 * sizeof(uptr); \
    ReportStackObject(begin, at.fp - begin, EventKind::kind, at);              \
  }
ATSAN_FRAME_HOOK(birth, Birth)
ATSAN_FRAME_HOOK(death, Death)
