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
// A list was added when regions had begun that it may name.
extern ATSAN_HIDDEN bool has_late_exclusions;

// Reads the file of the option. A mistake in it ends the program.
void ExclusionsInit();

// The answers for names in constant memory, by their addresses: the address,
// with the answer in the lowest bit behind it. 0: none.
struct NameAnswers {
  static constexpr uptr kPlaces = 1024;  // Direct-mapped.
  atomic_uint64_t places[kPlaces];
};
extern ATSAN_HIDDEN NameAnswers name_answers;
inline u64 Bits(const char *name) { return reinterpret_cast<u64>(name); }
inline atomic_uint64_t *PlaceOfAnswer(const char *name) {
  constexpr u64 kSpread = 0x9e3779b97f4a7c15;
  return &name_answers
              .places[(Bits(name) * kSpread >> 32) % NameAnswers::kPlaces];
}

bool IsExcludedSlow(Thread *thr, const char *name, const AccessPoint &at);

// Does a list name the region that is about to begin?
inline bool IsExcluded(Thread *thr, const char *name, const AccessPoint &at) {
  if (LIKELY(!has_exclusions))
    return false;
  if (const u64 known = atomic_load_relaxed(PlaceOfAnswer(name));
      known >> 1 == Bits(name) && name)
    return known & 1;
  return IsExcludedSlow(thr, name, at);
}

// Whether it was asked before of the region of this name, which no list names.
inline bool IsKnownToBegin(const char *name) {
  return name && atomic_load_relaxed(PlaceOfAnswer(name)) == Bits(name) << 1;
}

// A library is unloaded: what is known of its code may be said of other code
// soon.
void ExclusionsForgetAnswers();

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
