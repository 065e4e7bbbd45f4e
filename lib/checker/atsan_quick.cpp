//===-- atsan_quick.cpp -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the hooks do not inline.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_quick.h"

namespace __atsan {

// Records an access at work in the page, and leaves it.
template <bool kIsWrite>
static bool RecordInPage(const CheckerThread *thr, uptr addr, Page *page,
                         AtomicCell *cell, u32 bytes, LocId loc) {
  Cell dead = kEmptyCell;
  bool done = RecordInCell<kIsWrite>(thr->self, page, cell, bytes, loc, &dead);
  if (UNLIKELY(!done) && IsSwept(atomic_load(cell, memory_order_relaxed)))
    done = RecordInSweeps(thr->self, page, addr, bytes, kIsWrite, loc);
  LeavePageQuietly(thr, page);
  return done;
}

// Records an access of a granule that is empty, dead or of the same thread, in
// a page whose cells are locked one by one, since a thread that has all of the
// page would make the others wait: the cell stays that of a single transaction.
template <bool kIsWrite>
static bool RecordInCellAlone(const CheckerThread *thr, uptr addr, Page *page,
                              AtomicCell *cell, u32 bytes, LocId loc) {
  const Cell old = atomic_load(cell, memory_order_relaxed);
  bool done = false;
  if (IsSingle(old) && TryLockCell(thr, addr, page, cell, old)) {
    Cell c = old;
    done = (!c || SlotOf(c) == thr->slot || !IsLive(TxnOf(c))) &&
           RecordSingle<kIsWrite>(thr->self, bytes, loc, &c, LocsOf(cell));
    atomic_store(cell, c, memory_order_release);
  }
  ClearCellWork(thr);
  return done;
}

template <bool kIsWrite>
static bool Record(const CheckerThread *thr, uptr addr, u32 bytes, LocId loc) {
  const uptr leaf = ShadowLeaf(addr);
  AtomicCell *cell = CellInLeaf(leaf, addr);
  Page *page = PageInLeaf(leaf, addr);
  const u32 word = atomic_load(&page->word, memory_order_acquire);
  if (word == thr->owner_word || LockIfShared(page, word))
    return RecordInPage<kIsWrite>(thr, addr, page, cell, bytes, loc);
  if (word == kPageOfCells)
    return RecordInCellAlone<kIsWrite>(thr, addr, page, cell, bytes, loc);
  ClearCellWork(thr);
  return false;
}

bool RecordAtWork(const CheckerThread *thr, uptr addr, u32 bytes, bool is_write,
                  LocId loc) {
  return is_write ? Record<true>(thr, addr, bytes, loc)
                  : Record<false>(thr, addr, bytes, loc);
}

}  // namespace __atsan
