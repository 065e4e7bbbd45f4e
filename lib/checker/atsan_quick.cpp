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

template <bool kIsWrite>
static bool Record(const CheckerThread *thr, uptr addr, u32 bytes, LocId loc) {
  uptr leaf = ShadowLeaf(addr);
  AtomicCell *cell = CellInLeaf(leaf, addr);
  Page *page = PageInLeaf(leaf, addr);
  Cell dead = kEmptyCell;
  const bool done =
      RecordInCell<kIsWrite>(thr->self, page, cell, bytes, loc, &dead);
  LeavePageQuietly(thr, page);
  return done;
}

bool RecordAtWork(const CheckerThread *thr, uptr addr, u32 bytes, bool is_write,
                  LocId loc) {
  return is_write ? Record<true>(thr, addr, bytes, loc)
                  : Record<false>(thr, addr, bytes, loc);
}

// Records an access in a cell that is of a single transaction and stays so.
template <bool kIsWrite>
static bool RecordInCellAlone(const CheckerThread *thr, uptr addr, u32 bytes,
                              LocId loc) {
  const uptr leaf = ShadowLeaf(addr);
  AtomicCell *cell = CellInLeaf(leaf, addr);
  const Cell old = atomic_load(cell, memory_order_relaxed);
  if (!IsSingle(old) ||
      !TryLockCell(thr, addr, PageInLeaf(leaf, addr), cell, old))
    return false;
  Cell c = old;
  const bool done =
      (!c || SlotOf(c) == thr->slot || !IsLive(TxnOf(c))) &&
      RecordSingle<kIsWrite>(thr->self, bytes, loc, &c, LocsOf(cell));
  UnlockCell(thr, cell, c);
  return done;
}

bool RecordInPageOfCells(const CheckerThread *thr, uptr addr, u32 bytes,
                         bool is_write, LocId loc) {
  return is_write ? RecordInCellAlone<true>(thr, addr, bytes, loc)
                  : RecordInCellAlone<false>(thr, addr, bytes, loc);
}

}  // namespace __atsan
