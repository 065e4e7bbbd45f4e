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

namespace {

// A thread at work in a page, for as long as a short range takes.
struct ShortWork {
  const CheckerThread *thr;
  Page *page;
  u32 word;    // The page's word when the work began.
  bool is_in;  // Is nobody else at work there?
  Cell dead;   // See RecordInCell.

  bool Enter() {
    is_in = is_in || LockIfShared(page, word);
    return is_in;
  }
};

// Records an access of a granule that is empty, dead or of the same thread, in
// a page whose cells are locked one by one, since a thread that has all of the
// page would make the others wait: the cell stays that of a single transaction.
template <bool kIsWrite>
bool RecordInCellAlone(const CheckerThread *thr, AtomicCell *cell, u32 bytes,
                       LocId loc) {
  Cell c = atomic_load(cell, memory_order_relaxed);
  if (!IsSingle(c) || !TryLockCell(cell, c))
    return false;
  const bool done =
      (!c || SlotOf(c) == thr->slot || !IsLive(TxnOf(c))) &&
      RecordSingle<kIsWrite>(thr->self, bytes, loc, &c, LocsOf(cell));
  atomic_store(cell, c, memory_order_release);
  return done;
}

template <bool kIsWrite>
ALWAYS_INLINE bool RecordGranule(ShortWork *work, AtomicCell *cell, uptr addr,
                                 u32 bytes, LocId loc) {
  const CheckerThread *thr = work->thr;
  Cell c = atomic_load(cell, memory_order_acquire);
  if (Covers<kIsWrite>(c, thr->self, bytes))
    return true;
  if (UNLIKELY(IsDetail(c)) && !kIsWrite &&
      (IsLogged(c) ? LogAtWork(thr, cell, bytes, loc)
                   : CoversInList<false>(cell, c, thr->self, bytes)))
    return true;
  if (!work->Enter())
    return work->word == kPageOfCells &&
           RecordInCellAlone<kIsWrite>(thr, cell, bytes, loc);
  c = atomic_load(cell, memory_order_relaxed);
  if (IsOwnDead(thr, c)) {
    RecordAnew<kIsWrite>(thr->self, bytes, loc, &c, LocsOf(cell));
    atomic_store(cell, c, memory_order_release);
    return true;
  }
  if (LIKELY(RecordInCell<kIsWrite>(thr->self, work->page, cell, bytes, loc,
                                    &work->dead)))
    return true;
  return IsSwept(atomic_load(cell, memory_order_relaxed)) &&
         RecordInSweeps(thr->self, work->page, addr, bytes, kIsWrite, loc);
}

template <bool kIsWrite>
uptr Record(const CheckerThread *thr, uptr addr, uptr end, LocId loc) {
  const uptr leaf = ShadowLeaf(addr);
  if (UNLIKELY(!leaf))
    return addr;
  Page *page = PageInLeaf(leaf, addr);
  AtomicCell *cell = CellInLeaf(leaf, addr);
  MarkCellWork(thr, addr);
  atomic_signal_fence(memory_order_seq_cst);
  const u32 word = atomic_load(&page->word, memory_order_acquire);
  const bool is_own = word == thr->owner_word;
  ShortWork work = {thr, page, word, is_own, kEmptyCell};
  for (; addr != end; cell++) {
    const uptr size = Min(end - addr, kGranule - addr % kGranule);
    const u32 bytes = ((1u << size) - 1) << addr % kGranule;
    if (UNLIKELY(!RecordGranule<kIsWrite>(&work, cell, addr, bytes, loc)))
      break;
    addr += size;
  }
  if (work.is_in && !is_own)
    UnlockPage(thr, page);
  ClearCellWork(thr);
  return addr;
}

}  // namespace

uptr RecordShort(const CheckerThread *thr, uptr addr, uptr end, bool is_write,
                 LocId loc) {
  return (is_write ? Record<true> : Record<false>)(thr, addr, end, loc);
}

}  // namespace __atsan
