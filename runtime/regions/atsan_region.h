//===-- atsan_region.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack of open regions of a thread, and how it becomes transactions: the
// outermost region is one, unless a boundary (rule 5) divides it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REGION_H
#define ATSAN_REGION_H

#include "runtime/options/atsan_flags.h"
#include "runtime/state/atsan_thread.h"

namespace __atsan {

// `sp` is the stack pointer of the marked code.
void RegionBegin(Thread *thr, const char *name, AccessPoint at, uptr sp);
// `error` is what a report says if no region is open.
void RegionEnd(Thread *thr, const char *error, AccessPoint at);
// Begins and ends a critical section; an end without a begin is no error.
void RegionBeginSection(Thread *thr, AccessPoint at);
void RegionEndSection(Thread *thr);
// The attempt so far is given up: a new transaction begins. Outside every
// region, where a retry loop may be used just as well, there is nothing to do.
void RegionRestart(Thread *thr, const AccessPoint &at);
// Ends the regions, innermost first, of which ends(region, i) is true: the i-th
// of those that are open, by the first one that was begun.
template <class Ends>
void RegionUnwind(Thread *thr, Ends ends);
// Ends all regions: the thread ends.
inline void RegionEndAll(Thread *thr) {
  RegionUnwind(thr, [](const Region &, uptr) { return true; });
}

// Ends the transaction that the thread is in, if region_splits says so, and
// begins another one in Leave(): what happens in between is unary. Not a scoped
// object, because a cancelled thread runs no destructors of ours.
class RegionBoundary {
 public:
  // `at` is the boundary's place, for reports about what follows it.
  void Enter(Thread *thr, RegionSplit split, const AccessPoint &at);
  void Leave();

 private:
  Thread *thr_ = nullptr;
  AccessPoint at_;
};

// Ends the transaction of the open regions, if there is one and region_splits
// has any of `splits` (of RegionSplit), and sets the regions aside: until
// RegionsResume, the thread is in none of them, and may begin others, which
// count. Observers see them end, and begin again. `at` and `sp` are those of
// the call in which that is so.
bool RegionsSetAside(Thread *thr, u32 splits, const AccessPoint &at, uptr sp);
// Takes up again what was set aside last, if it has not been left meanwhile.
void RegionsResume(Thread *thr, const AccessPoint &at);

// --- Implementation. ---------------------------------------------------------

void RegionEndAt(Thread *thr, uptr i);
void RegionUnwound(Thread *thr);

template <class Ends>
void RegionUnwind(Thread *thr, Ends ends) {
  for (uptr i = thr->regions.size(); i-- > 0;)
    if (ends(thr->regions[i], i))
      RegionEndAt(thr, i);
  RegionUnwound(thr);
}

}  // namespace __atsan

#endif  // ATSAN_REGION_H
