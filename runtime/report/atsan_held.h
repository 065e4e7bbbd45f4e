//===-- atsan_held.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Violations that a failed compare-exchange closed. The attempt that it ends
// may be given up by __atomic_restart() (rule 7), and only then is the
// violation none. So it is held until the thread's next atomic operation, or
// the end of its transaction. Plain accesses do not tell: the exchange itself
// writes what it has found to `expected`, and which of them are left is the
// optimizer's.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_HELD_H
#define ATSAN_HELD_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

// A thread holds one at most: the next exchange comes before another.
void HoldViolation(Thread *thr, const Cycle &cycle);
// The attempt was given up.
void DropHeldViolation(Thread *thr);
void ReportHeldViolationSlow(Thread *thr);
// The calling thread ends the process, or executes another program. Not to be
// called in a child by vfork. The attempts of other threads are cut off: they
// may have been about to be given up.
void ReportOwnHeldViolation();
// History begins at the fork: what was held is of the parent's threads.
void HeldAfterForkInChild();

// The attempt goes on, or its region ends.
inline void ReportHeldViolation(Thread *thr) {
  if (UNLIKELY(thr->holds_violation))
    ReportHeldViolationSlow(thr);
}

}  // namespace __atsan

#endif  // ATSAN_HELD_H
