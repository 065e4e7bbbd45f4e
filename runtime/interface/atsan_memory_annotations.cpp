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

#include "runtime/memory/atsan_heap.h"
#include "runtime/stream/atsan_observer.h"
#include "runtime/threads/atsan_thread_registry.h"

namespace __atsan {

void MemoryBirth(uptr addr, uptr size) {
  if (UNLIKELY(heap_is_unseen))
    heap_is_unseen = false;
  if (!GateIsOpen() || !size || (cur_thread && cur_thread->in_runtime))
    return;
  ScopedInRuntime in_runtime(cur_thread);
  ObserveMemory(cur_thread, EventKind::Birth, addr, size, {});
  CheckerForget(addr, size);
}

void MemoryDeath(uptr addr, uptr size, const AccessPoint &at) {
  if (!GateIsOpen() || !size)
    return;
  Thread *thr = CurrentOrNewThread();
  if (thr && !thr->ignore_accesses) {
    ScopedInRuntime in_runtime(thr);
    AccessHappens(thr, addr, size, AccessKind::kFree, at);
  }
  MemoryBirth(addr, size);
}

}  // namespace __atsan
