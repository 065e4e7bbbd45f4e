//===-- atsan_fiber.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fibers: stacks that a program switches between by itself. Each is a thread of
// its own for the checker, with its own program order and its own regions.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_FIBER_H
#define ATSAN_FIBER_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

// A thread start (rule 5), of a thread that nothing runs yet.
Thread *FiberCreate(Thread *thr, const AccessPoint &at);
// The join of a fiber, which FiberCreate must have made and nobody may run.
void FiberDestroy(Thread *thr, Thread *fiber, const AccessPoint &at);
// From now on `fiber` does what the calling thread does. No edge: who runs what
// when is up to a scheduler, and is not data.
void FiberSwitch(Thread *fiber, const AccessPoint &at);
// The fiber that runs on the calling thread, or the thread itself. nullptr once
// the thread has ended.
Thread *FiberCurrent();
void FiberSetName(Thread *fiber, const char *name);

}  // namespace __atsan

#endif  // ATSAN_FIBER_H
