//===-- atsan_quick.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recording an access inside a region where it needs no edge: nothing live of
// another thread is in the cell, or the transaction is in its list already.
// The most frequent way is inlined into the hooks, where it needs no push;
// whatever is none of this is for AccessGranule.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_QUICK_H
#define ATSAN_QUICK_H

#include "lib/checker/atsan_detail.h"
#include "lib/checker/atsan_page.h"
#include "lib/checker/atsan_read_log.h"
#include "lib/checker/atsan_single.h"
#include "lib/checker/atsan_sweep.h"

namespace __atsan {

// Does the list, if it is short, say that the access is known? The list belongs
// to a `cell` that held c.
template <bool kIsWrite>
ALWAYS_INLINE bool CoversInList(const AtomicCell *cell, Cell c, Cell self,
                                u32 bytes) {
  if (UNLIKELY(IsLogged(c))) {
    // What was read before the cell was logged may be read once more.
    return !kIsWrite &&
           CoversInLog(cell_work[SlotOf(self)], cell, c, self, bytes);
  }
  const DetailBlock *b = GetBlock(BlockOf(c));
  bool covered = false;
  for (u32 i = 0; i < kBlockEntries && (kIsWrite || !covered); i++) {
    Cell e = atomic_load(&b->entries[i], memory_order_relaxed);
    if (SameTxn(e, self))
      covered |= Covers<kIsWrite>(e, self, bytes);
    else if (kIsWrite && (BytesOf(e) & bytes))
      return false;
  }
  if (UNLIKELY(!covered) ||
      (kIsWrite && atomic_load(&b->next, memory_order_relaxed)))
    return false;
  // Did the cell hold this list all the time?
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return atomic_load(cell, memory_order_relaxed) == c;
}

// One entry of the list takes in the read: what the thread's last transaction
// has read is read again, or an entry is free or dead. Nobody else may be at
// work in the page.
ALWAYS_INLINE bool RereadInList(Cell self, u32 bytes, LocId loc,
                                AtomicCell *cell) {
  Cell c = atomic_load(cell, memory_order_relaxed);
  DetailBlock *b = GetBlock(BlockOf(c));
  if (atomic_load(&b->next, memory_order_relaxed) || IsLastInGroup(c))
    return false;
  u32 place = kBlockEntries;
  for (u32 i = 0; i < kBlockEntries; i++) {
    Cell e = atomic_load(&b->entries[i], memory_order_relaxed);
    if (SlotOf(e) == SlotOf(self) && (e & 0xffff) == bytes)
      place = i;
    else if ((WritesOf(e) & bytes) && IsLive(TxnOf(e)))
      return false;
  }
  for (u32 i = 0; place == kBlockEntries; i++) {
    if (i == kBlockEntries)
      return false;
    Cell e = atomic_load(&b->entries[i], memory_order_relaxed);
    if (!e || !IsLive(TxnOf(e)))
      place = i;
  }
  atomic_store(&b->entries[place], self | bytes, memory_order_relaxed);
  b->locs[place] = loc;
  atomic_store(cell, NextInGroup(c), memory_order_release);
  return true;
}

// Records an access where the transaction has been at work in the granule: what
// it did at another location, or others to other bytes, is in a list.
bool RecordInOwnList(Cell self, u32 bytes, bool is_write, LocId loc,
                     AtomicCell *cell);

// Records an access where nobody else is at work. False if it needs an edge or
// a new list of several. *dead: a transaction known to be dead, or an empty
// cell; neighbours often have one in common.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordInCell(Cell self, Page *page, AtomicCell *cell,
                                u32 bytes, LocId loc, Cell *dead) {
  LocId *locs = LocsOf(cell);
  Cell c = atomic_load(cell, memory_order_relaxed);
  if (SameTxn(c, self)) {
    if (!RecordMore<kIsWrite>(bytes, loc, &c, locs))
      return RecordInOwnList(self, bytes, kIsWrite, loc, cell);
  } else {
    if (!SameTxn(c, *dead)) {
      if (UNLIKELY(!IsSingle(c))) {
        if (!IsDetail(c))
          return false;
        if (IsLogged(c))
          return !kIsWrite && AddToLog(self, c, bytes, loc);
        if (!kIsWrite && RereadInList(self, bytes, loc, cell)) {
          ConsiderLog(page, cell);
          return true;
        }
        return RecordInOwnList(self, bytes, kIsWrite, loc, cell);
      }
      if (!IsLive(TxnOf(c)))
        *dead = c;
      else if (SlotOf(c) != SlotOf(self) || !Supersedes<kIsWrite>(c, bytes))
        return false;
    }
    RecordAnew<kIsWrite>(self, bytes, loc, &c, locs);
  }
  atomic_store(cell, c, memory_order_release);
  return true;
}

// Records an access, unless it is known, as RecordInCell does.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordUnlessKnown(Cell self, Page *page, AtomicCell *cell,
                                     u32 bytes, LocId loc, Cell *dead) {
  return Covers<kIsWrite>(atomic_load(cell, memory_order_relaxed), self,
                          bytes) ||
         RecordInCell<kIsWrite>(self, page, cell, bytes, loc, dead);
}

enum class Quickly { kRecorded, kNotAtWork, kAtWork };

// Lets an access take the place of all that the cell says, such as of a
// transaction that is known to be dead. False if it may say more. The caller is
// at work in the page.
template <bool kIsWrite>
ALWAYS_INLINE bool ReplaceCell(const CheckerThread *thr, uptr addr, uptr leaf,
                               u32 bytes, LocId loc) {
  AtomicCell *cell = CellInLeaf(leaf, addr);
  // Hooks do with the registers that they need not save: one for leaf and
  // offset is enough, and (by the fence below) none to keep what can be loaded
  // again.
  asm("" : "+r"(cell));
  LocId *locs = LocsOf(cell);
  Cell c = atomic_load(cell, memory_order_acquire);
  if (!SupersedesOwn<kIsWrite>(c, thr->self, bytes) &&
      UNLIKELY(!IsKnownDead(c)))
    return false;
  atomic_signal_fence(memory_order_seq_cst);
  RecordAnew<kIsWrite>(thr->self, bytes, loc, &c, locs);
  atomic_store(cell, c, memory_order_release);
  return true;
}

// Records an access that takes the place of all that the cell says, such as of
// a transaction that is known to be dead. If kAtWork, the caller goes on at
// work in the page; otherwise not. `bytes` are of the granule of `addr`, which
// is in `leaf`.
template <bool kIsWrite>
ALWAYS_INLINE Quickly RecordAlone(const CheckerThread *thr, uptr addr,
                                  uptr leaf, u32 bytes, LocId loc) {
  Page *page = PageInLeaf(leaf, addr);
  MarkCellWork(thr, addr);
  atomic_signal_fence(memory_order_seq_cst);
  const u32 word = atomic_load(&page->word, memory_order_acquire);
  // Two copies of the code: the owner need not look at the page again.
  if (LIKELY(word == thr->owner_word)) {
    if (UNLIKELY(!ReplaceCell<kIsWrite>(thr, addr, leaf, bytes, loc)))
      return Quickly::kAtWork;
  } else {
    if (UNLIKELY(!LockIfShared(page, word))) {
      ClearCellWork(thr);
      return Quickly::kNotAtWork;
    }
    if (UNLIKELY(!ReplaceCell<kIsWrite>(thr, addr, leaf, bytes, loc)))
      return Quickly::kAtWork;
    UnlockPage(thr, page);
  }
  ClearCellWork(thr);
  return Quickly::kRecorded;
}

// Records an access that RecordAlone leaves undone. The caller was at work in
// the page, and no longer is.
bool RecordAtWork(const CheckerThread *thr, uptr addr, u32 bytes, bool is_write,
                  LocId loc);

// Records an access of a granule that is empty, dead or of the same thread, in
// a page whose cells are locked one by one, since a thread that has all of the
// page would make the others wait. False: it is for the general way. The caller
// is at work nowhere.
bool RecordInPageOfCells(const CheckerThread *thr, uptr addr, u32 bytes,
                         bool is_write, LocId loc);

template <bool kIsWrite>
ALWAYS_INLINE bool RecordQuickly(const CheckerThread *thr, uptr addr, u32 bytes,
                                 LocId loc) {
  uptr leaf = ShadowLeaf(addr);
  if (UNLIKELY(!leaf))
    return false;
  Quickly how = RecordAlone<kIsWrite>(thr, addr, leaf, bytes, loc);
  if (UNLIKELY(how == Quickly::kNotAtWork))
    return RecordInPageOfCells(thr, addr, bytes, kIsWrite, loc);
  return LIKELY(how == Quickly::kRecorded) ||
         RecordAtWork(thr, addr, bytes, kIsWrite, loc);
}

// Records an access of one granule in a region. False: it is for
// CheckerAccessInRegion.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordPart(const CheckerThread *thr, uptr addr, uptr size,
                              LocId loc) {
  const uptr leaf = ShadowLeaf(addr);
  if (UNLIKELY(!leaf))
    return false;
  const AtomicCell *cell = CellInLeaf(leaf, addr);
  const Cell c = atomic_load(cell, memory_order_acquire);
  const u32 bytes = ((1u << size) - 1) << addr % kGranule;
  if (Covers<kIsWrite>(c, thr->self, bytes))
    return true;
  if (UNLIKELY(IsDetail(c)) &&
      (!kIsWrite && IsLogged(c)
           ? LogReadAgain(thr, addr, leaf, bytes, loc) ||
                 LogRead(thr, addr, bytes, loc)
           : CoversInList<kIsWrite>(cell, c, thr->self, bytes)))
    return true;
  return RecordQuickly<kIsWrite>(thr, addr, bytes, loc);
}

}  // namespace __atsan

#endif  // ATSAN_QUICK_H
