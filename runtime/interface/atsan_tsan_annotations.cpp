//===-- atsan_tsan_annotations.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dynamic annotations, which ThreadSanitizer took over from older tools, in
// our meaning. What says something about data races only, means nothing here.
// Forwards only.
//
//===----------------------------------------------------------------------===//
#include "runtime/interface/atsan_lock_annotations.h"
#include "runtime/interface/atsan_memory_annotations.h"
#include "runtime/interface/atsan_tsan_interface.h"
#include "runtime/threads/atsan_fiber.h"
#include "runtime/threads/atsan_thread_registry.h"

using namespace __atsan;

#define TSAN_ANNOTATION_OF_ORDER(name, order)               \
  TSAN_INTERFACE void name(const char *, int, void *addr) { \
    if (Thread *thr = CurrentOrNewThread())                 \
      order(thr, addr, ATSAN_CALLER_POINT());               \
  }
TSAN_ANNOTATION_OF_ORDER(AnnotateHappensBefore, OrderRelease)
TSAN_ANNOTATION_OF_ORDER(AnnotateHappensAfter, OrderAcquire)
TSAN_ANNOTATION_OF_ORDER(WTFAnnotateHappensBefore, OrderRelease)
TSAN_ANNOTATION_OF_ORDER(WTFAnnotateHappensAfter, OrderAcquire)

TSAN_INTERFACE void AnnotateRWLockCreate(const char *, int, void *lock) {
  LockCreated(lock);
}

TSAN_INTERFACE void AnnotateRWLockCreateStatic(const char *, int, void *lock) {
  LockCreated(lock);
}

TSAN_INTERFACE void AnnotateRWLockDestroy(const char *, int, void *lock) {
  LockDestroyed(lock, 0);
}

TSAN_INTERFACE void AnnotateRWLockAcquired(const char *, int, void *lock,
                                           sptr is_write) {
  if (Thread *thr = CurrentOrNewThread())
    LockAcquired(thr, lock, is_write ? 0 : kReadLock, 0, ATSAN_CALLER_POINT());
}

TSAN_INTERFACE void AnnotateRWLockReleased(const char *, int, void *lock,
                                           sptr is_write) {
  if (Thread *thr = CurrentOrNewThread())
    LockReleased(thr, lock, is_write ? 0 : kReadLock, ATSAN_CALLER_POINT());
}

// Only together: code whose reads alone, or writes alone, are said to be benign
// races can still be meant to be atomic.
#define TSAN_ANNOTATION_TO_IGNORE(accesses, name, step)                   \
  TSAN_INTERFACE void AnnotateIgnore##accesses##name(const char *, int) { \
    if (Thread *thr = CurrentOrNewThread())                               \
      Ignore##accesses(thr, step);                                        \
  }
TSAN_ANNOTATION_TO_IGNORE(Reads, Begin, +1)
TSAN_ANNOTATION_TO_IGNORE(Reads, End, -1)
TSAN_ANNOTATION_TO_IGNORE(Writes, Begin, +1)
TSAN_ANNOTATION_TO_IGNORE(Writes, End, -1)

TSAN_INTERFACE void AnnotateNewMemory(const char *, int, void *addr,
                                      uptr size) {
  MemoryBirth(reinterpret_cast<uptr>(addr), size);
}

TSAN_INTERFACE void AnnotateThreadName(const char *, int, const char *name) {
  if (Thread *thr = CurrentOrNewThread())
    FiberSetName(thr, name);
}

// About data races only, or of no meaning for ThreadSanitizer either.
#define TSAN_ANNOTATION_OF_NOTHING(name, ...) \
  TSAN_INTERFACE void Annotate##name(const char *, int, ##__VA_ARGS__) {}
TSAN_ANNOTATION_OF_NOTHING(BenignRace, const volatile void *, const char *)
TSAN_ANNOTATION_OF_NOTHING(BenignRaceSized, const volatile void *, uptr,
                           const char *)
TSAN_INTERFACE void WTFAnnotateBenignRaceSized(const char *, int,
                                               const volatile void *, uptr,
                                               const char *) {}
TSAN_ANNOTATION_OF_NOTHING(CondVarSignal, void *)
TSAN_ANNOTATION_OF_NOTHING(CondVarSignalAll, void *)
TSAN_ANNOTATION_OF_NOTHING(CondVarWait, void *, void *)
TSAN_ANNOTATION_OF_NOTHING(EnableRaceDetection, int)
TSAN_ANNOTATION_OF_NOTHING(ExpectRace, void *, const char *)
TSAN_ANNOTATION_OF_NOTHING(FlushExpectedRaces)
TSAN_ANNOTATION_OF_NOTHING(FlushState)
TSAN_ANNOTATION_OF_NOTHING(IgnoreSyncBegin)
TSAN_ANNOTATION_OF_NOTHING(IgnoreSyncEnd)
TSAN_ANNOTATION_OF_NOTHING(MemoryIsInitialized, void *, uptr)
TSAN_ANNOTATION_OF_NOTHING(MemoryIsUninitialized, void *, uptr)
TSAN_ANNOTATION_OF_NOTHING(MutexIsNotPHB, void *)
TSAN_ANNOTATION_OF_NOTHING(MutexIsUsedAsCondVar, void *)
TSAN_ANNOTATION_OF_NOTHING(NoOp, void *)
TSAN_ANNOTATION_OF_NOTHING(PCQCreate, void *)
TSAN_ANNOTATION_OF_NOTHING(PCQDestroy, void *)
TSAN_ANNOTATION_OF_NOTHING(PCQGet, void *)
TSAN_ANNOTATION_OF_NOTHING(PCQPut, void *)
TSAN_ANNOTATION_OF_NOTHING(PublishMemoryRange, void *, uptr)
TSAN_ANNOTATION_OF_NOTHING(TraceMemory, void *)
TSAN_ANNOTATION_OF_NOTHING(UnpublishMemoryRange, void *, uptr)
