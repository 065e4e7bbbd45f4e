//===-- atsan_region_exclusion.h --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions that do not begin because a list names them: exclude_regions=FILE at
// run time, -fatomicity-exclude=FILE when a module was compiled. A region
// without a name goes by its place, "file:line", and by the function that it
// begins in.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REGION_EXCLUSION_H
#define ATSAN_REGION_EXCLUSION_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

extern ATSAN_HIDDEN bool has_exclusions;

// Reads the file of the option. A mistake in it ends the program.
void ExclusionsInit();

bool IsExcludedSlow(Thread *thr, const char *name, const AccessPoint &at);

// Does a list name the region that is about to begin?
inline bool IsExcluded(Thread *thr, const char *name, const AccessPoint &at) {
  return UNLIKELY(has_exclusions) && IsExcludedSlow(thr, name, at);
}

// Called around fork.
void ExclusionsLockForFork();
void ExclusionsUnlockAfterFork();

}  // namespace __atsan

extern "C" {
// Called with the text of a list by the constructors of modules that were
// compiled with one.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_exclude_regions(const char *list);
}

#endif  // ATSAN_REGION_EXCLUSION_H
