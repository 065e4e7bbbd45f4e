//===-- atsan_sweep.cpp -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the sweeps of a page say of another access there.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_sweep.h"

namespace __atsan {

u32 DropDeadSweeps(Page *page) {
  return ChangeSweeps(page,
                      [](Cell s) { return IsLive(TxnOf(s)) ? s : kEmptyCell; });
}

SweepNews LookAtSweeps(Page *page, Cell mine, u32 *live) {
  *live = DropDeadSweeps(page);
  bool is_write = IsWriteSweep(mine), conflicts = false, covered = false;
  ForEachSweep(page, [&](Cell s, LocId) {
    if (SelfOfSweep(s) == SelfOfSweep(mine))
      covered |= IsWithin(mine, s) && (IsWriteSweep(s) || !is_write);
    else if (SlotOf(s) != SlotOf(mine) && (is_write || IsWriteSweep(s)))
      conflicts |= SweepsOverlap(s, mine);
  });
  if (conflicts)
    return SweepNews::kOther;
  if (covered)
    return SweepNews::kNone;
  return *live < kPageSweeps ? SweepNews::kAdds : SweepNews::kOther;
}

bool ForgetInSweeps(Page *page, uptr begin, uptr end) {
  const uptr count = (end - begin) / kGranule;
  if (count < kMinSweep || page->sweep_credit < kSweepPays)
    return false;
  const u32 first = GranuleInPage(begin);
  const u32 last = first + count - 1;
  bool divides = false;
  ForEachSweep(page, [&](Cell s, LocId) {
    divides |=
        FirstOfSweep(s) < first && LastOfSweep(s) > last && IsLive(TxnOf(s));
  });
  if (divides)
    return false;
  ChangeSweeps(page, [=](Cell s) {
    if (FirstOfSweep(s) > last || LastOfSweep(s) < first)
      return s;
    if (FirstOfSweep(s) < first)
      return WithGranules(s, FirstOfSweep(s), first - 1);
    if (LastOfSweep(s) > last)
      return WithGranules(s, last + 1, LastOfSweep(s));
    return kEmptyCell;
  });
  return true;
}

}  // namespace __atsan
