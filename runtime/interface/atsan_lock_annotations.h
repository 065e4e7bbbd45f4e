//===-- atsan_lock_annotations.h --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locks that a program builds from atomic operations, and annotates.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LOCK_ANNOTATIONS_H
#define ATSAN_LOCK_ANNOTATIONS_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

// Part of the ABI: see sanitizer/atsan_interface.h, which a runtime that is
// itself not instrumented cannot include.
enum LockFlags : u32 {
  kLinkerInit = 1 << 0,
  kReadLock = 1 << 3,
  kTryLockFailed = 1 << 5,
  kRecursiveLock = 1 << 6,
  kRecursiveUnlock = 1 << 7,
};

// The code of a lock begins or ends: accesses in between do not count (rule 7).
void LockCodeBegin(Thread *thr);
void LockCodeEnd(Thread *thr);

void LockCreated(void *addr);
void LockDestroyed(void *addr, u32 how);
// `how` is a set of LockFlags.
void LockAcquired(Thread *thr, void *addr, u32 how, int recursion,
                  const AccessPoint &at);
// Returns the number of levels that are given back.
int LockReleased(Thread *thr, void *addr, u32 how, const AccessPoint &at);

// Order without a lock, for lock_edges=1: from the last release to each
// acquisition.
void OrderAcquire(Thread *thr, void *addr, const AccessPoint &at);
void OrderRelease(Thread *thr, void *addr, const AccessPoint &at);

// Accesses do not count while both are ignored. `step` is +1 or -1.
void IgnoreReads(Thread *thr, int step);
void IgnoreWrites(Thread *thr, int step);

}  // namespace __atsan

#endif  // ATSAN_LOCK_ANNOTATIONS_H
