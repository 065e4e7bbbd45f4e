//===-- atsan_memory_annotations.cpp --------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same events as those of malloc and free, from annotations.
//
//===----------------------------------------------------------------------===//
#include "runtime/interface/atsan_memory_annotations.h"

#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/memory/atsan_heap.h"
#include "runtime/stream/atsan_observer.h"
#include "runtime/threads/atsan_thread_registry.h"

namespace __atsan {

void MemoryBirth(uptr addr, uptr size) {
  if (UNLIKELY(heap_is_unseen))
    heap_is_unseen = false;
  if (size)
    ForgetRange(reinterpret_cast<void *>(addr), size, EventKind::Birth);
}

void MemoryDeath(uptr addr, uptr size, const AccessPoint &at) {
  if (!GateIsOpen() || !size)
    return;
  Thread *thr = CurrentOrNewThread();
  if (thr && !thr->ignore_accesses) {
    ScopedInRuntime in_runtime(thr);
    AccessHappens(thr, addr, size, AccessKind::kFree, at);
  }
  heap_is_unseen = false;
  ForgetRange(reinterpret_cast<void *>(addr), size, EventKind::Death, at);
}

}  // namespace __atsan

using namespace __atsan;

extern "C" {
// Both are called by std::pmr::memory_resource (pass/MemoryResources.h). As
// with free, who still uses the memory means the old object, until it is handed
// out again.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_resource_allocate(const void *memory,
                                                             uptr size) {
  ForgetRange(memory, size, EventKind::Birth);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_resource_deallocate(
    const void *memory, uptr size) {
  const AccessPoint at = ATSAN_CALLER_POINT();
  Thread *thr = CurrentAccessingThread();
  if (!GateIsOpen() || !thr || !size)
    return;
  ScopedInRuntime in_runtime(thr);
  const uptr addr = reinterpret_cast<uptr>(memory);
  AccessHappens(thr, addr, size, AccessKind::kFree, at);
  ObserveMemory(thr, EventKind::Death, addr, size, at);
}
}
