//===-- atsan_forget.cpp -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that is born has no history: what a page knows of it ends. Most of it
// is dead anyway, and then nothing is written.
//
//===----------------------------------------------------------------------===//
#include "atsan_access.h"
#include "atsan_detail.h"
#include "atsan_page.h"
#include "atsan_read_log.h"
#include "atsan_sweep.h"

namespace __atsan {

namespace {

// The caller, whose slot is `own`, if it has one, is at work in the page.
NOINLINE void ForgetInCell(SlotId own, uptr granule, CellRef ref, u32 bytes) {
  auto Without = [bytes](Cell e) {
    Cell rest = WithMasks(e, WritesOf(e) & ~bytes, ReadsOf(e) & ~bytes);
    return BytesOf(rest) ? rest : kEmptyCell;
  };
  Cell c = atomic_load(ref.cell, memory_order_relaxed);
  if (IsSwept(c)) {
    EndsSwept(ref.page, granule);
    c = bytes == 0xff ? kEmptyCell : Unsweep(granule, ref);
  }
  if (IsDetail(c)) {
    BeginListChange(ref.cell);
    if (IsLogged(c))
      c = CollectLogs(own, granule, ref, c);
    ForEachEntry(BlockOf(c), [&](Cell e, LocId, atomic_uint64_t *place) {
      atomic_store_relaxed(place, Without(e));
      return true;
    });
    c = FinishDetail(BlockOf(c), ref.locs);
  } else {
    c = Without(c);
  }
  atomic_store(ref.cell, c, memory_order_release);
}

// Enters a page when there is something to do.
class LateEntry {
 public:
  LateEntry(const CheckerThread *thr, uptr addr, Page *page)
      : thr_(thr), addr_(addr), page_(page) {}
  ~LateEntry() {
    if (!entered_)
      return;
    if (thr_)
      LeavePage(thr_, page_);
    else
      LeavePageUnseen(page_);
  }
  SlotId Own() const { return thr_ ? thr_->slot : kNoSlot; }
  void Enter() {
    if (entered_)
      return;
    entered_ = true;
    if (thr_)
      EnterPage(thr_, addr_, page_);
    else
      EnterPageUnseen(addr_, page_);
  }

 private:
  const CheckerThread *thr_;
  uptr addr_;
  Page *page_;
  bool entered_ = false;
};

void ForgetPart(LateEntry *entry, uptr granule, const CellRef &ref, u32 bytes) {
  Cell c = atomic_load(ref.cell, memory_order_acquire);
  // Dead is as good as forgotten.
  if (IsSingle(c) && (!(BytesOf(c) & bytes) || !IsLive(TxnOf(c))))
    return;
  entry->Enter();
  ForgetInCell(entry->Own(), granule, ref, bytes);
}

void ForgetWhole(LateEntry *entry, uptr begin, uptr end, CellRef ref) {
  const uptr count = (end - begin) / kGranule;
  auto Load = [&](uptr i) {
    return atomic_load(ref.cell + i, memory_order_acquire);
  };
  Cell dead = kEmptyCell;  // Neighbours often have their transaction in common.
  uptr i = 0;
  for (; i < count; i++) {
    // Most of a frame is empty.
    while (i + 4 < count &&
           !(Load(i) | Load(i + 1) | Load(i + 2) | Load(i + 3)))
      i += 4;
    Cell c = Load(i);
    if (SameTxn(c, dead))
      continue;
    if (!IsSingle(c) || IsLive(TxnOf(c)))
      break;
    dead = c;
  }
  if (i == count)
    return;
  entry->Enter();
  const bool sweeps_forgot = ForgetInSweeps(ref.page, begin, end);
  for (; i < count; i++) {
    Cell c = atomic_load(ref.cell + i, memory_order_relaxed);
    if (LIKELY(IsSingle(c)))
      atomic_store(ref.cell + i, kEmptyCell, memory_order_release);
    else if (!IsSwept(c) || !sweeps_forgot)
      ForgetInCell(entry->Own(), begin + i * kGranule,
                   {ref.cell + i, ref.locs + 2 * i, ref.page}, 0xff);
  }
}

}  // namespace

bool ForgetFew(const CheckerThread *thr, uptr addr, uptr size) {
  uptr base = ShadowLeaf(addr);
  if (!base || !IsTouched(base, addr))
    return true;
  AtomicCell *cell = CellInLeaf(base, addr);
  const uptr count = size / kGranule;
  Cell all = kEmptyCell;
  for (uptr i = 0; i < count; i++)
    all |= atomic_load(cell + i, memory_order_relaxed);
  if (all == kEmptyCell)
    return true;
  // Outside regions they are mostly dead; then nothing is to be written.
  Page *page = PageInLeaf(base, addr);
  if (!IsSingle(all) || !thr->active || !TryEnterPage(thr, addr, page))
    return false;
  uptr done = 0;
  for (; done < count; done++) {
    // It may have become a list meanwhile.
    if (!IsSingle(atomic_load(cell + done, memory_order_relaxed)))
      break;
    atomic_store(cell + done, kEmptyCell, memory_order_release);
  }
  LeavePage(thr, page);
  return done == count;
}

void ForgetInPage(const CheckerThread *thr, uptr begin, uptr end) {
  const CellRef ref = ShadowGet(begin);
  LateEntry entry(thr, begin, ref.page);
  auto RefAt = [&](uptr granule) {
    uptr i = granule / kGranule - begin / kGranule;
    return CellRef{ref.cell + i, ref.locs + 2 * i, ref.page};
  };
  const uptr whole = RoundUpTo(begin, kGranule);
  const uptr past = RoundDownTo(end, kGranule);
  if (UNLIKELY(begin < whole))
    ForgetPart(&entry, RoundDownTo(begin, kGranule), ref,
               BytesBetween(RoundDownTo(begin, kGranule), begin, end));
  if (whole < past)
    ForgetWhole(&entry, whole, past, RefAt(whole));
  if (UNLIKELY(past < end && whole <= past))
    ForgetPart(&entry, past, RefAt(past), BytesBetween(past, begin, end));
}

}  // namespace __atsan
