//===-- atsan_hook.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the hooks for plain accesses have in common. They are called behind the
// pass' inlined test of __atsan_gate.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_HOOK_H
#define ATSAN_HOOK_H

#include "lib/checker/atsan_quick.h"
#include "runtime/location/atsan_location.h"
#include "runtime/state/atsan_thread.h"
#include "runtime/stream/atsan_observer.h"

namespace __atsan {

// Calls record(thread) in the runtime, if the thread's accesses count.
template <class Record>
ALWAYS_INLINE void RecordInRuntime(Record record) {
  Thread *thr = CurrentAccessingThread();
  if (!thr)
    return;
  ScopedInRuntime in_runtime(thr);
  record(thr);
}

ALWAYS_INLINE void ReportAccess(uptr addr, uptr size, AccessKind kind,
                                const AccessPoint &at) {
  RecordInRuntime(
      [&](Thread *thr) { AccessHappens(thr, addr, size, kind, at); });
}

// Tells observers of the pointers that a write has left; called after the
// write.
ALWAYS_INLINE void ReportPointers(uptr addr, uptr size, const AccessPoint &at) {
  if (LIKELY(!IsObserved()))
    return;
  Thread *thr = CurrentAccessingThread();
  if (!thr)
    return;
  ScopedInRuntime in_runtime(thr);
  ObservePointers(thr, addr, size, at);
}

// Whether the calling thread may record an access in its region right now.
ALWAYS_INLINE bool RecordsInRegion(const Thread *thr) {
  return LIKELY(thr->checker.active && !thr->pauses);
}

// Whether an access has no effect: it is outside regions, nothing reaches it,
// and nothing live conflicts with it. Where MayGoOnOutside is false, the thread
// has to look at the gate, and the general way does that.
template <bool kIsWrite>
ALWAYS_INLINE bool IsOfNoConsequence(CheckerThread &self, Cell c, u32 bytes) {
  return !self.active && !IsReached(&self) &&
         (!c || (IsSingle(c) && (!ConflictingBytes(c, bytes, kIsWrite) ||
                                 !IsLiveNow(TxnOf(c))))) &&
         MayGoOnOutside(&self);
}

// The cell that a granule has most often when the access is recorded already.
template <AccessKind kKind>
ALWAYS_INLINE Cell Whole(Cell self) {
  return kKind == AccessKind::kWrite ? WholeWritten(self) : WholeRead(self);
}

// The cell of an aligned address. Any other address gets parts of two cells,
// which no cell is equal to.
ALWAYS_INLINE const AtomicCell *CellAt(uptr leaf, uptr addr) {
  return reinterpret_cast<const AtomicCell *>(leaf + addr % kLeafBytes);
}

// The code that called the hook, for functions without a frame: nothing has
// changed its frame pointer yet (test/runtime/hot_path.test).
#define ATSAN_HOOK_POINT()                                                     \
  AccessPoint {                                                                \
    reinterpret_cast<uptr>(__builtin_return_address(0)), CallersFramePointer() \
  }
ALWAYS_INLINE uptr CallersFramePointer() {
  uptr fp;
  asm volatile("movq %%rbp, %0" : "=r"(fp));
  return fp;
}
ALWAYS_INLINE uptr StackPointer() {
  uptr sp;
  asm volatile("movq %%rsp, %0" : "=r"(sp));
  return sp;
}

// Returns here, and not by a jump to where the function returns anyway.
#define ATSAN_RETURN_AT_ONCE() \
  do {                         \
    asm volatile("");          \
    return;                    \
  } while (0)

}  // namespace __atsan

#endif  // ATSAN_HOOK_H
