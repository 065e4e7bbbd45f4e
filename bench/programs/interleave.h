//===-- interleave.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -DFORCE, for the tests: the interleaving that shows a program's bug,
// once per run. The first thread in the middle of the operation that is not
// atomic waits there until another one has got in between. Else everything is
// empty.
//
// The sanitizer must not notice, or the order would be an edge: the functions
// are not instrumented and use nothing that the runtime intercepts.
// atsan_test.h is in test/runtime/Inputs.
//
//===----------------------------------------------------------------------===//
#ifndef INTERLEAVE_H
#define INTERLEAVE_H

#ifdef FORCE

#ifdef FIXED
#error "-DFORCE shows the bug, which is not there with -DFIXED"
#endif

#include "atsan_test.h"

namespace interleave {

// The steps of atsan_test.h: one thread comes to the middle (step 1), another
// one gets in between (step 2).

// The calling thread is the first in the middle, or past it.
ATSAN_TEST_HELPER inline bool pastMiddle() {
  int None = 0;
  return __atomic_compare_exchange_n(&atsan_test_steps_done, &None, 1, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// In the middle. Only the first thread to come here waits.
ATSAN_TEST_HELPER inline void middle() {
  if (pastMiddle())
    step_begin(3);
}

// Returns when a thread is or was in the middle.
ATSAN_TEST_HELPER inline void awaitMiddle() {
  if (steps_done() == 0)
    step_begin(2);
}

// What was to get in between has happened.
ATSAN_TEST_HELPER inline void between() { step_end(2); }

// Everything again.
ATSAN_TEST_HELPER inline void again() { step_end(0); }

} // namespace interleave

#else // !FORCE

namespace interleave {

inline bool pastMiddle() { return false; }
inline void middle() {}
inline void awaitMiddle() {}
inline void between() {}
inline void again() {}

} // namespace interleave

#endif // FORCE

#endif // INTERLEAVE_H
