//===-- atsan_atomic.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What others need to know of the brackets around atomic operations.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_ATOMIC_H
#define ATSAN_ATOMIC_H

#include "atsan_thread.h"

namespace __atsan {

// The thread unwinds out of a signal handler to where `depth` brackets were
// open: an operation that was interrupted will not go on.
void AtomicUnwind(Thread *thr, u32 depth);

// In the child of a fork: threads that held stripes are gone.
void AtomicAfterForkInChild();

}  // namespace __atsan

#endif  // ATSAN_ATOMIC_H
