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

#include "atsan_thread.h"

namespace __atsan {

// The code of a lock begins or ends: accesses in between do not count (rule 7).
void LockCodeBegin(Thread *thr);
void LockCodeEnd(Thread *thr);

void LockCreated(void *addr);
void LockDestroyed(void *addr, u32 how);
// `how`: flags of sanitizer/atsan_interface.h.
void LockAcquired(Thread *thr, void *addr, u32 how, int recursion,
                  const AccessPoint &at);
// Returns the number of levels that are given back.
int LockReleased(Thread *thr, void *addr, u32 how, const AccessPoint &at);

}  // namespace __atsan

#endif  // ATSAN_LOCK_ANNOTATIONS_H
