//===-- atsan_critical_section.h --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Critical sections as regions, if the option critical_sections or a module
// (-fatomicity-regions=critical-sections) asks for it: from the first lock that
// a thread takes to the last one that it gives back. Mutexes, reader-writer and
// spin locks and annotated ones; not semaphores, which belong to no thread.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_CRITICAL_SECTION_H
#define ATSAN_CRITICAL_SECTION_H

#include "runtime/options/atsan_flags.h"
#include "runtime/state/atsan_thread.h"

namespace __atsan {

void CriticalSectionsInit();

void LockTakenSlow(Thread *thr, const void *lock, const AccessPoint &at);
void LockGivenBackSlow(Thread *thr, const void *lock);

// `thr` may be nullptr. After the lock was taken, before it is given back.
inline void SectionLockTaken(Thread *thr, const void *lock,
                             const AccessPoint &at) {
  if (UNLIKELY(critical_sections_are_regions) && thr)
    LockTakenSlow(thr, lock, at);
}
inline void SectionLockGivenBack(Thread *thr, const void *lock) {
  if (UNLIKELY(critical_sections_are_regions) && thr)
    LockGivenBackSlow(thr, lock);
}

}  // namespace __atsan

extern "C" {
// Called by the constructors of modules that were compiled with
// -fatomicity-regions=critical-sections.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_critical_sections();
}

#endif  // ATSAN_CRITICAL_SECTION_H
