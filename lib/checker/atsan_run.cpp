//===-- atsan_run.cpp -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Granules in a row become a sweep, or each is recorded in its cell.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_run.h"

namespace __atsan {

namespace {

// Records the same bytes of `count` granules. Returns how many were done.
template <bool kIsWrite>
uptr RecordSameBytes(const RunMark &m, AtomicCell *cell, u32 bytes,
                     uptr count) {
  Cell dead = kEmptyCell;
  uptr i = 0;
  while (i < count && RecordUnlessKnown<kIsWrite>(m.self, m.page, cell + i,
                                                  bytes, m.loc, &dead))
    i++;
  return i;
}

// Can a sweep take the place of everything in the cell?
template <bool kIsWrite>
ALWAYS_INLINE bool IsReplaced(Cell c, Cell self, u32 bytes, Cell *dead) {
  if (SameTxn(c, *dead))
    return true;
  if (!IsSingle(c))
    return false;
  if (!IsLive(TxnOf(c))) {
    *dead = c;
    return true;
  }
  return SlotOf(c) == SlotOf(self) && Supersedes<kIsWrite>(c, bytes);
}

// Makes cells swept (`may_sweep`), or records in them, as far as that needs
// neither an edge nor a new list of several. *any_swept: some are now.
template <bool kIsWrite>
uptr SweepCells(Cell self, LocId loc, const CellRef &ref, u32 bytes, u32 first,
                uptr count, bool may_sweep, bool *any_swept) {
  Page *page = ref.page;
  Cell dead = kEmptyCell;
  uptr done = 0;
  uptr swept_from = 0;  // All cells since this one are swept.
  while (done < count) {
    u32 g = first + done;
    if (g >= page->swept_begin && g < page->swept_end) {
      *any_swept = true;
      done = Min<uptr>(count, page->swept_end - first);
      continue;
    }
    AtomicCell *cell = ref.cell + done;
    Cell c = atomic_load(cell, memory_order_relaxed);
    if (may_sweep && !IsSwept(c) && IsReplaced<kIsWrite>(c, self, bytes, &dead))
      atomic_store(cell, c = kSweptCell, memory_order_release);
    if (IsSwept(c))
      *any_swept = true;
    else if (RecordUnlessKnown<kIsWrite>(self, page, cell, bytes, loc, &dead))
      swept_from = done + 1;
    else
      break;
    done++;
  }
  uptr known = page->swept_end - page->swept_begin;
  if (done > swept_from + known) {
    page->swept_begin = first + swept_from;
    page->swept_end = first + done;
  }
  return done;
}

// Gives a page credit for a row of granules. Where sweeps have cost much, they
// are tried again late.
ALWAYS_INLINE void EarnSweepCredit(Page *page, uptr count) {
  const bool in_vain = page->sweep_credit < kSweepsInVain;
  ChangeSweepCredit(page, in_vain ? count / 64 : count);
}

// Records `bytes` of `count` granules from `addr` on as one sweep: as many as
// need neither an edge nor a list of several, nor more sweeps than a page has
// room for.
template <bool kIsWrite>
NOINLINE uptr RecordSweep(Cell self, LocId loc, uptr addr, const CellRef &ref,
                          u32 bytes, uptr count) {
  const u32 first = GranuleInPage(addr);
  Cell mine = MakeSweep(self, bytes, first, count, kIsWrite);
  u32 live;
  SweepNews news = LookAtSweeps(ref.page, mine, &live);
  if (news == SweepNews::kOther) {
    ChangeSweepCredit(ref.page, -kNoRoomCost);
    return 0;
  }
  bool may_sweep =
      !live && count >= kMinSweep && ref.page->sweep_credit >= kSweepPays;
  bool any_swept = false;
  uptr done = SweepCells<kIsWrite>(self, loc, ref, bytes, first, count,
                                   may_sweep, &any_swept);
  if (!any_swept || news == SweepNews::kNone)
    return done;
  mine = MakeSweep(self, bytes, first, done, kIsWrite);
  live = ChangeSweeps(ref.page, [&](Cell s) {
    bool superseded = SlotOf(s) == SlotOf(self) && IsWithin(s, mine) &&
                      (kIsWrite || !IsWriteSweep(s));
    return superseded ? kEmptyCell : s;
  });
  ref.page->sweep_locs[live] = loc;
  atomic_store(&ref.page->sweeps[live], mine, memory_order_release);
  return done;
}

// Makes a sweep of a row that another thread's transaction has read, and nobody
// else: the thread's own read of `count` granules would make a list of each.
// Not worth it for a few.
NOINLINE void SweepReadsOfOther(const CellRef &ref, u32 bytes, u32 first,
                                uptr count) {
  const Cell c = atomic_load(ref.cell, memory_order_relaxed);
  const LocId loc = ref.locs[bytes == 0xf0];
  if (IsMixed(loc))
    return;
  uptr alike = 0;
  for (; alike < count; alike++) {
    const LocId *locs = ref.locs + 2 * alike;
    if (atomic_load(ref.cell + alike, memory_order_relaxed) != c ||
        ((bytes & 0x0f) && locs[0] != loc) ||
        ((bytes & 0xf0) && locs[1] != loc))
      break;
  }
  if (alike < kMinSweep)
    return;
  Page *page = ref.page;
  if (DropDeadSweeps(page))
    return;
  page->sweep_locs[0] = loc;
  atomic_store(&page->sweeps[0],
               MakeSweep(WithMasks(c, 0, 0), bytes, first, alike,
                         /*is_write=*/false),
               memory_order_release);
  for (uptr i = 0; i < alike; i++)
    atomic_store(ref.cell + i, kSweptCell, memory_order_release);
}

// Has a live transaction of another thread read these bytes of the granule, and
// done nothing else there?
bool IsReadByOther(Cell c, Cell self, u32 bytes) {
  return IsSingle(c) && (c & 0xffff) == bytes && SlotOf(c) != SlotOf(self) &&
         IsLive(TxnOf(c));
}

// Skips cells from `cell` on as long as the next ones, up to `last`, are
// `word`.
AtomicCell *Skip(AtomicCell *cell, const AtomicCell *last, Cell word) {
#pragma clang loop unroll(disable)
  while (cell <= last && AreAlike(cell, word, ~0ull))
    cell += kTogether;
  return cell;
}

// Replaces cells from `cell` on as long as the next ones, up to `last`, have
// the bits `mask` of `word`.
template <bool kIsWrite>
AtomicCell *Replace(const RunMark &m, AtomicCell *cell, const AtomicCell *last,
                    Cell word, Cell mask) {
#pragma clang loop unroll(disable)
  while (cell <= last && AreAlike(cell, word, mask)) {
    ReplaceTogether<kIsWrite>(m, cell);
    cell += kTogether;
  }
  return cell;
}

// Records whole granules from `cell` up to `end`. Returns as RecordFew does.
template <bool kIsWrite>
AtomicCell *RecordMany(RunMark m, AtomicCell *cell, const AtomicCell *end) {
  const AtomicCell *last = end - kTogether;
  Cell dead = kEmptyCell;
  while (cell != end) {
    const AtomicCell *before = cell;
    cell =
        Skip(cell, last, kIsWrite ? WholeWritten(m.self) : WholeRead(m.self));
    if (!kIsWrite)
      cell = Skip(cell, last, WholeWritten(m.self));
    cell = Replace<kIsWrite>(m, cell, last, m.self, kSuperseded<kIsWrite>);
    cell = Replace<kIsWrite>(m, cell, last, dead, ~0ull << kIndexShift);
    if (cell != before)
      continue;
    AtomicCell *next = cell + Min<uptr>(kTogether, end - cell);
    cell = RecordFew<kIsWrite>(m, cell, next, &dead);
    if (UNLIKELY(cell != next))
      break;
  }
  return cell;
}

template <bool kIsWrite>
uptr RecordRunOf(const RunMark &m, uptr addr, u32 bytes, uptr count) {
  const CellRef ref = ShadowGet(addr);
  const bool is_row = count >= kMinSweep;
  if (is_row)
    EarnSweepCredit(ref.page, count);
  if (is_row && !kIsWrite && kSweeps &&
      IsReadByOther(atomic_load(ref.cell, memory_order_relaxed), m.self, bytes))
    SweepReadsOfOther(ref, bytes, GranuleInPage(addr), count);
  if ((is_row || IsSwept(atomic_load(ref.cell, memory_order_relaxed))) &&
      (ref.page->sweep_credit >= kSweepPays || HasSweeps(ref.page)))
    if (uptr done =
            RecordSweep<kIsWrite>(m.self, m.loc, addr, ref, bytes, count))
      return done;
  if (bytes != kWhole)
    return RecordSameBytes<kIsWrite>(m, ref.cell, bytes, count);
  return RecordMany<kIsWrite>(m, ref.cell, ref.cell + count) - ref.cell;
}

}  // namespace

uptr RecordRun(const RunMark &m, uptr addr, u32 bytes, uptr count,
               bool is_write) {
  return (is_write ? RecordRunOf<true> : RecordRunOf<false>)(m, addr, bytes,
                                                             count);
}

}  // namespace __atsan
