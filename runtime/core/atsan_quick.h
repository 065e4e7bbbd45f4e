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

enum class Foreign { kMayBeLive, kMustBeDead };

// Does the access leave a single transaction in the cell (which is no list),
// with at most one location for each half? Then *cell and locs become that.
// Superseding a live transaction of another thread is for who has seen to the
// edges.
template <bool kIsWrite, Foreign kForeign>
ALWAYS_INLINE bool RecordSingle(Cell self, u32 bytes, LocId loc, Cell *cell,
                                LocId *locs) {
  Cell old = *cell;
  u32 added = bytes;
  if (SameTxn(old, self)) {
    // A read adds nothing to what the transaction has done to a byte before.
    if (!kIsWrite)
      added &= ~BytesOf(old);
    u32 kept = BytesOf(old) & ~added;
    if (((added & 0x0f) && (kept & 0x0f) && locs[0] != loc) ||
        ((added & 0xf0) && (kept & 0xf0) && locs[1] != loc))
      return false;
  } else {
    if (old && IsLive(TxnOf(old))) {
      // Superseded: by a write of all its bytes, or by a later read of the same
      // thread where it had only read.
      bool own = SlotOf(old) == SlotOf(self);
      if ((BytesOf(old) & ~bytes) ||
          !(own || kForeign == Foreign::kMayBeLive) ||
          !(kIsWrite || (own && !WritesOf(old))))
        return false;
    }
    old = self;
  }
  if (added & 0x0f)
    locs[0] = loc;
  if (added & 0xf0)
    locs[1] = loc;
  *cell = kIsWrite ? (old & ~static_cast<Cell>(bytes)) | bytes << kWriteShift
                   : old | added;
  return true;
}

template <bool kIsWrite>
ALWAYS_INLINE bool Covers(Cell c, Cell self, u32 bytes) {
  return kIsWrite ? CoversWrite(c, self, bytes) : CoversRead(c, self, bytes);
}

// In a page that the thread has entered as its owner.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordOwned(Cell self, AtomicCell *cell, LocId *locs,
                               u32 bytes, LocId loc) {
  Cell c = atomic_load(cell, memory_order_relaxed);
  if (!IsSingle(c) ||
      !RecordSingle<kIsWrite, Foreign::kMustBeDead>(self, bytes, loc, &c, locs))
    return false;
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
  bool done =
      RecordSingle<kIsWrite, Foreign::kMustBeDead>(self, bytes, loc, &c, locs);
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
    done = RecordOwned<kIsWrite>(thr->self, cell, locs, bytes, loc);
  else if (atomic_load(word, memory_order_acquire) == kSharedPage)
    done = RecordShared<kIsWrite>(thr->self, cell, locs, bytes, loc);
  LeavePage(thr);
  return done;
}

}  // namespace __atsan

#endif  // ATSAN_QUICK_H
