//===-- turns.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See turns.h. No pthread function either: their interceptors would see it.
//
//===----------------------------------------------------------------------===//

#include "turns.h"

#include <sched.h>

static int Step;

void waitForStep(int n) {
  while (__atomic_load_n(&Step, __ATOMIC_ACQUIRE) != n)
    sched_yield();
}

void stepDone() { __atomic_fetch_add(&Step, 1, __ATOMIC_RELEASE); }
