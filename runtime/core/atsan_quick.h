//===-- atsan_quick.h --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recording an access inside a region where it needs neither an edge nor a
// list: nothing live of another thread is in the cell. Inlined into the hooks;
// whatever else there is returns false and is for AccessGranule.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_QUICK_H
#define ATSAN_QUICK_H

#include "atsan_graph.h"
#include "atsan_page.h"

namespace __atsan {

// What a transaction adds to its own cell, with at most one location for each
// half.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordMore(u32 bytes, LocId loc, Cell *cell, LocId *locs) {
  Cell old = *cell;
  // A read adds nothing to what the transaction has done to a byte before.
  u32 added = kIsWrite ? bytes : bytes & ~BytesOf(old);
  u32 kept = BytesOf(old) & ~added;
  if (((added & 0x0f) && (kept & 0x0f) && locs[0] != loc) ||
      ((added & 0xf0) && (kept & 0xf0) && locs[1] != loc))
    return false;
  if (added & 0x0f)
    locs[0] = loc;
  if (added & 0xf0)
    locs[1] = loc;
  *cell = kIsWrite ? (old & ~static_cast<Cell>(bytes)) | bytes << kWriteShift
                   : old | added;
  return true;
}

// The access takes the place of everything in the cell.
template <bool kIsWrite>
ALWAYS_INLINE void RecordAnew(Cell self, u32 bytes, LocId loc, Cell *cell,
                              LocId *locs) {
  if (bytes & 0x0f)
    locs[0] = loc;
  if (bytes & 0xf0)
    locs[1] = loc;
  *cell = self | bytes << (kIsWrite ? kWriteShift : 0);
}

// Does the access leave a single transaction in the cell (which is no list)?
// Then *cell and locs become that. Edges have been seen to.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordSingle(Cell self, u32 bytes, LocId loc, Cell *cell,
                                LocId *locs) {
  Cell old = *cell;
  if (SameTxn(old, self))
    return RecordMore<kIsWrite>(bytes, loc, cell, locs);
  // Superseded: by a write of all its bytes, or by a later read of the same
  // thread where it had only read.
  if (old && IsLive(TxnOf(old)) &&
      ((BytesOf(old) & ~bytes) ||
       !(kIsWrite || (SlotOf(old) == SlotOf(self) && !WritesOf(old)))))
    return false;
  RecordAnew<kIsWrite>(self, bytes, loc, cell, locs);
  return true;
}

template <bool kIsWrite>
ALWAYS_INLINE bool Covers(Cell c, Cell self, u32 bytes) {
  return kIsWrite ? CoversWrite(c, self, bytes) : CoversRead(c, self, bytes);
}

// In a page that the thread has entered as its owner: all that is there is of
// its own slot. A transaction there that has ended is live if others reach it.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordOwned(const CheckerThread *thr, AtomicCell *cell,
                               LocId *locs, u32 bytes, LocId loc) {
  Cell c = atomic_load(cell, memory_order_relaxed);
  if (SameTxn(c, thr->self)) {
    if (!RecordMore<kIsWrite>(bytes, loc, &c, locs))
      return false;
  } else {
    if (UNLIKELY(!IsSingle(c)))
      return false;
    if (UNLIKELY(c && IsReachedFromOutside(thr->slot, IndexOf(c))) &&
        ((BytesOf(c) & ~bytes) || (!kIsWrite && WritesOf(c))))
      return false;
    RecordAnew<kIsWrite>(thr->self, bytes, loc, &c, locs);
  }
  atomic_store(cell, c, memory_order_release);
  return true;
}

// In a shared page.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordShared(Cell self, AtomicCell *cell, LocId *locs,
                                u32 bytes, LocId loc) {
  Cell c = atomic_load(cell, memory_order_acquire), old = c;
  if (!IsSingle(c) || (c && SlotOf(c) != SlotOf(self) && IsLive(TxnOf(c))) ||
      !atomic_compare_exchange_strong(cell, &old, kLockedCell,
                                      memory_order_acquire))
    return false;
  bool done = RecordSingle<kIsWrite>(self, bytes, loc, &c, locs);
  atomic_store(cell, c, memory_order_release);
  return done;
}

// `bytes` of the granule of `addr`.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordQuickly(const CheckerThread *thr, uptr addr, u32 bytes,
                                 LocId loc) {
  uptr leaf = atomic_load(&shadow_leaves[(addr >> kLeafBits) % kNumLeaves],
                          memory_order_acquire);
  if (UNLIKELY(!leaf))
    return false;
  PageWord *word = PageInLeaf(leaf, addr);
  AtomicCell *cell = CellInLeaf(leaf, addr);
  LocId *locs = LocsInLeaf(leaf, addr);
  bool done = false;
  if (LIKELY(EnterPage(thr, addr, word)))
    done = RecordOwned<kIsWrite>(thr, cell, locs, bytes, loc);
  else if (atomic_load(word, memory_order_acquire) == kSharedPage)
    done = RecordShared<kIsWrite>(thr->self, cell, locs, bytes, loc);
  LeavePage(thr);
  return done;
}

}  // namespace __atsan

#endif  // ATSAN_QUICK_H
