//===-- atsan_critical_section.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/regions/atsan_critical_section.h"

#include "runtime/location/atsan_location.h"
#include "runtime/memory/atsan_library_new.h"
#include "runtime/options/atsan_flags.h"
#include "runtime/regions/atsan_region.h"
#include "runtime/regions/atsan_region_exclusion.h"
#include "runtime/state/atsan_init.h"

namespace __atsan {

static void Enable() {
  critical_sections_are_regions = true;
  __atsan_enabled = 1;
}

void CriticalSectionsInit() {
  if (flags()->critical_sections)
    Enable();
}

// Whether a section that the thread has begun at this place, by these calls,
// was not excluded.
static bool HasBegunSection(const Thread *thr, const AccessPoint &at,
                            uptr here) {
  return !has_late_exclusions && FindRegionMemo(thr, kSectionName, at, here);
}

void LockTakenSlow(Thread *thr, const void *lock, const AccessPoint &at) {
  LockList &locks = thr->section_locks;
  uptr addr = reinterpret_cast<uptr>(lock);
  const bool is_held = locks.Find(addr);
  // Such a lock does not count at all: one that is held for good would make one
  // section of all that follow.
  if (!is_held && UNLIKELY(has_exclusions) &&
      !HasBegunSection(thr, at, GET_CURRENT_FRAME()) &&
      IsExcluded(thr, nullptr, at)) {
    thr->num_excluded++;
    return;
  }
  {
    ScopedInRuntime in_runtime(thr);
    locks.Take(addr);
  }
  if (!is_held && locks.size() == 1)
    RegionBeginSection(thr, at);
}

// Locks that were taken before this was turned on, or by another thread, are
// not known, and no end of anything.
void LockGivenBackSlow(Thread *thr, const void *lock) {
  LockList &locks = thr->section_locks;
  HeldLock *held = locks.Find(reinterpret_cast<uptr>(lock));
  if (held && locks.GiveBack(held) && locks.empty())
    RegionEndSection(thr);
}

}  // namespace __atsan

void __atsan_critical_sections() {
  __atsan_init();
  __atsan::Enable();
  __atsan::LibraryNewInit();
}
