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

SweepNews LookAtSweeps(Page *page, Cell mine, u32 *live) {
  *live = ChangeSweeps(
      page, [](Cell s) { return IsLive(TxnOf(s)) ? s : kEmptyCell; });
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

// Does `mine` go on where a sweep of the same transaction, kind and place ends?
// Then that sweep gets longer. The order of accesses of one transaction to
// different granules does not matter.
static bool ProlongSweep(Page *page, Cell mine, LocId loc) {
  for (u32 i = 0; i < kPageSweeps; i++) {
    Cell s = atomic_load(&page->sweeps[i], memory_order_relaxed);
    if (!s || ((s ^ mine) & ~kSweepGranules) || page->sweep_locs[i] != loc ||
        LastOfSweep(s) + 1 != FirstOfSweep(mine))
      continue;
    atomic_store(&page->sweeps[i], s + (1 << kSweepLastShift),
                 memory_order_release);
    return true;
  }
  return false;
}

bool RecordInSweeps(Cell self, Page *page, uptr addr, u32 bytes, bool is_write,
                    LocId loc) {
  if (!CanBeSwept(bytes) || page->sweep_credit < kSweepPays)
    return false;
  ChangeSweepCredit(page, -kSweptAccessCost);
  Cell mine = MakeSweep(self, bytes, GranuleInPage(addr), 1, is_write);
  u32 live;
  // What is known is accessed again and again: the hooks are quick in a cell of
  // its own.
  if (LookAtSweeps(page, mine, &live) != SweepNews::kAdds)
    return false;
  if (ProlongSweep(page, mine, loc))
    return true;
  // A place is left for whole sweeps.
  if (live + 1 == kPageSweeps)
    return false;
  page->sweep_locs[live] = loc;
  atomic_store(&page->sweeps[live], mine, memory_order_release);
  return true;
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
