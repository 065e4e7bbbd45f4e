//===-- atsan_lock_edges.h --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lock operations as events: for observers, and for the checker with
// lock_edges=1 (rule 6).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LOCK_EDGES_H
#define ATSAN_LOCK_EDGES_H

#include "runtime/intercept/atsan_blocking.h"
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/options/atsan_flags.h"
#include "runtime/stream/atsan_observer.h"
#include "sanitizer_common/sanitizer_errno_codes.h"

namespace __atsan {

// The result of a lock function: taken, or taken from a dead owner.
inline bool HasLocked(int res) { return res == 0 || res == errno_EOWNERDEAD; }

// How the calling thread holds a pthread_rwlock_t.
LockMode RwlockMode(const void *rwlock);

// `thr` may be nullptr.
inline void LockWasAcquired(Thread *thr, const void *addr, LockMode mode,
                            const AccessPoint &at) {
  ObserveAcquire(thr, reinterpret_cast<uptr>(addr), mode, at);
  if (!thr || !flags()->lock_edges || !GateIsOpen())
    return;
  ScopedInRuntime in_runtime(thr);
  CheckerAcquire(&thr->checker, reinterpret_cast<uptr>(addr), mode, at);
}

inline void LockWillBeReleased(Thread *thr, const void *addr, LockMode mode,
                               const AccessPoint &at) {
  ObserveRelease(thr, reinterpret_cast<uptr>(addr), mode, at);
  if (!thr || !flags()->lock_edges || !GateIsOpen())
    return;
  ScopedInRuntime in_runtime(thr);
  CheckerRelease(&thr->checker, reinterpret_cast<uptr>(addr), mode, at);
}

}  // namespace __atsan

#endif  // ATSAN_LOCK_EDGES_H
