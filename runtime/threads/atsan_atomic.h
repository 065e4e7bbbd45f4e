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

#include "lib/base/Abi.h"
#include "runtime/state/atsan_thread.h"

namespace __atsan {

using atsan_abi::AtomicKind;
using atsan_abi::kAtomicRead;
using atsan_abi::kAtomicReadModifyWrite;
using atsan_abi::kAtomicWrite;
using atsan_abi::kFailedExchange;
using atsan_abi::kFailedUpdate;

// Around an atomic operation: exit analyses it, as enter's result, the token,
// says. After the token 0, which stands for nothing to do, there is no exit.
u32 AtomicEnter(uptr addr, uptr size);
void AtomicExit(uptr addr, uptr size, u32 kind, u32 token,
                const AccessPoint &at);

// The thread unwinds out of a signal handler to where `depth` brackets were
// open: an operation that was interrupted will not go on.
void AtomicUnwind(Thread *thr, u32 depth);

// Called in the child of a fork: threads that held stripes are gone.
void AtomicAfterForkInChild();

}  // namespace __atsan

#endif  // ATSAN_ATOMIC_H
