//===-- atsan_even.cpp -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many granules at once, page by page: ranges and loops. What needs an edge or
// a new list of several transactions is left to AccessGranule.
//
//===----------------------------------------------------------------------===//
#include "atsan_access.h"
#include "atsan_quick.h"
#include "atsan_sweep.h"

namespace __atsan {

namespace {

// How many of `count` accesses begin in the page of the first.
uptr CountInPage(uptr addr, sptr stride, uptr count) {
  uptr from_begin = addr % kShadowPage;
  if (stride > 0)
    return Min<uptr>(count, (kShadowPage - 1 - from_begin) / stride + 1);
  return stride ? Min<uptr>(count, from_begin / -stride + 1) : count;
}

// One of the accesses of RecordInPage.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordOne(EventContext *ev, Cell self, AtomicCell *cell,
                             LocId *locs, u32 bytes, Cell *dead) {
  Cell c = atomic_load(cell, memory_order_relaxed);
  return Covers<kIsWrite>(c, self, bytes) ||
         RecordInCell<kIsWrite>(self, cell, locs, bytes, ev->Loc(), dead);
}

// The whole of kTogether granules side by side, if all are known, or hold
// nothing but one dead transaction.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordTogether(EventContext *ev, Cell self, CellRef ref,
                                  Cell dead) {
  Cell not_self = 0, not_dead = 0, bytes = 0xff;
  for (uptr i = 0; i < kTogether; i++) {
    Cell c = atomic_load(ref.cell + i, memory_order_relaxed);
    not_self |= c ^ self;
    not_dead |= c ^ dead;
    bytes &= kIsWrite ? WritesOf(c) : BytesOf(c);
  }
  if (not_self >> kIndexShift == 0 && bytes == 0xff)
    return true;
  if (not_dead >> kIndexShift != 0)
    return false;
  LocId loc = ev->Loc();
  for (uptr i = 0; i < 2 * kTogether; i++)
    ref.locs[i] = loc;
  for (uptr i = 0; i < kTogether; i++)
    atomic_store(ref.cell + i, self | (kIsWrite ? 0xff << kWriteShift : 0xff),
                 memory_order_release);
  return true;
}

// The whole of `count` granules in a row, which are many.
template <bool kIsWrite>
uptr RecordWhole(EventContext *ev, Cell self, CellRef ref, uptr count) {
  Cell dead = kEmptyCell;
  for (uptr i = 0; i < count;) {
    CellRef at = {ref.cell + i, ref.locs + 2 * i, ref.page};
    uptr n = Min(kTogether, count - i);
    if (n == kTogether && RecordTogether<kIsWrite>(ev, self, at, dead)) {
      i += n;
      continue;
    }
    for (; n; n--, i++)
      if (!RecordOne<kIsWrite>(ev, self, ref.cell + i, ref.locs + 2 * i, 0xff,
                               &dead))
        return i;
  }
  return count;
}

// The same bytes of `count` granules, each `step` after the one before.
template <bool kIsWrite>
ALWAYS_INLINE uptr RecordSameBytes(EventContext *ev, Cell self, CellRef ref,
                                   u32 bytes, sptr step, uptr count) {
  Cell dead = kEmptyCell;
  uptr i = 0;
  while (i < count &&
         RecordOne<kIsWrite>(ev, self, ref.cell, ref.locs, bytes, &dead)) {
    i++;
    ref.cell += step;
    ref.locs += 2 * step;
  }
  return i;
}

template <bool kIsWrite>
uptr RecordOtherBytes(EventContext *ev, Cell self, CellRef ref, uptr addr,
                      u32 size, sptr stride, uptr count) {
  Cell dead = kEmptyCell;
  u32 mask = (1u << size) - 1;
  uptr first = addr / kGranule;
  uptr i = 0;
  for (; i < count; i++, addr += stride) {
    u32 bytes = mask << addr % kGranule;
    sptr step = addr / kGranule - first;
    if (bytes > 0xff || !RecordOne<kIsWrite>(ev, self, ref.cell + step,
                                             ref.locs + 2 * step, bytes, &dead))
      break;
  }
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
uptr SweepCells(EventContext *ev, CellRef ref, u32 bytes, u32 first, uptr count,
                bool may_sweep, bool *any_swept) {
  const Cell self = ev->thr->self;
  Page *page = ref.page;
  Cell dead = kEmptyCell;
  uptr done = 0;
  uptr swept_from = 0;  // Since then, all were.
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
    else if (RecordOne<kIsWrite>(ev, self, cell, ref.locs + 2 * done, bytes,
                                 &dead))
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

// `bytes` of `count` granules from `addr` on as one sweep: as many as need
// neither an edge nor a list of several, nor more sweeps than a page has room
// for.
template <bool kIsWrite>
NOINLINE uptr RecordSweep(EventContext *ev, uptr addr, CellRef ref, u32 bytes,
                          uptr count) {
  const Cell self = ev->thr->self;
  const u32 first = GranuleInPage(addr);
  if (count >= kMinSweep)
    ChangeSweepCredit(ref.page, count);
  if (ref.page->sweep_credit < kSweepPays && !HasSweeps(ref.page))
    return 0;
  Cell mine = MakeSweep(self, bytes, first, count, kIsWrite);
  u32 live;
  SweepNews news = LookAtSweeps(ref.page, mine, &live);
  if (news == SweepNews::kOther)
    return 0;
  bool may_sweep =
      !live && count >= kMinSweep && ref.page->sweep_credit >= kSweepPays;
  bool any_swept = false;
  uptr done =
      SweepCells<kIsWrite>(ev, ref, bytes, first, count, may_sweep, &any_swept);
  if (!any_swept || news == SweepNews::kNone)
    return done;
  mine = MakeSweep(self, bytes, first, done, kIsWrite);
  live = ChangeSweeps(ref.page, [&](Cell s) {
    bool superseded = SlotOf(s) == SlotOf(self) && IsWithin(s, mine) &&
                      (kIsWrite || !IsWriteSweep(s));
    return superseded ? kEmptyCell : s;
  });
  ref.page->sweep_locs[live] = ev->Loc();
  atomic_store(&ref.page->sweeps[live], mine, memory_order_release);
  return done;
}

template <bool kIsWrite>
uptr RecordCells(EventContext *ev, CellRef ref, uptr addr, u32 size,
                 sptr stride, uptr count) {
  constexpr sptr kStep = kGranule;
  const Cell self = ev->thr->self;
  u32 bytes = ((1u << size) - 1) << addr % kGranule;
  if (bytes > 0xff || stride % kStep)
    return RecordOtherBytes<kIsWrite>(ev, self, ref, addr, size, stride, count);
  if (bytes == 0xff)
    return RecordSameBytes<kIsWrite>(ev, self, ref, 0xff, stride / kStep,
                                     count);
  return RecordSameBytes<kIsWrite>(ev, self, ref, bytes, stride / kStep, count);
}

// The same bytes of `count` granules in a row, as a sweep if that pays.
template <bool kIsWrite>
uptr RecordRun(EventContext *ev, uptr addr, CellRef ref, u32 bytes,
               uptr count) {
  uptr done = 0;
  if (count >= kMinSweep ||
      IsSwept(atomic_load(ref.cell, memory_order_relaxed)))
    done = RecordSweep<kIsWrite>(ev, addr, ref, bytes, count);
  if (done)
    return done;
  const Cell self = ev->thr->self;
  if (bytes != 0xff)
    return RecordSameBytes<kIsWrite>(ev, self, ref, bytes, 1, count);
  return count >= kMany
             ? RecordWhole<kIsWrite>(ev, self, ref, count)
             : RecordSameBytes<kIsWrite>(ev, self, ref, 0xff, 1, count);
}

// Part of RecordEvenly: as many as begin in the page of the first.
template <bool kIsWrite>
uptr RecordInPage(EventContext *ev, uptr addr, u32 size, sptr stride,
                  uptr count) {
  const CellRef ref = ShadowGet(addr);
  u32 bytes = ((1u << size) - 1) << addr % kGranule;
  EnterPage(ev->thr, addr, ref.page);
  uptr done = stride == kGranule && CanBeSwept(bytes)
                  ? RecordRun<kIsWrite>(ev, addr, ref, bytes, count)
                  : RecordCells<kIsWrite>(ev, ref, addr, size, stride, count);
  LeavePage(ev->thr, ref.page);
  return done;
}

// Part of RecordRange, at work in the page.
template <bool kIsWrite>
ALWAYS_INLINE uptr RecordRangeInPage(EventContext *ev, CellRef ref, uptr begin,
                                     uptr end) {
  const Cell self = ev->thr->self;
  Cell dead = kEmptyCell;
  while (begin < end) {
    if (begin % kGranule || end - begin < kGranule) {
      uptr granule = RoundDownTo(begin, kGranule);
      u32 bytes = BytesBetween(granule, begin, end);
      if (!RecordOne<kIsWrite>(ev, self, ref.cell, ref.locs, bytes, &dead))
        break;
      begin = Min(granule + kGranule, end);
      ref.cell++;
      ref.locs += 2;
      continue;
    }
    uptr count = (end - begin) / kGranule;
    bool are_few = count < kMinSweep &&
                   !IsSwept(atomic_load(ref.cell, memory_order_relaxed));
    uptr done = are_few
                    ? RecordSameBytes<kIsWrite>(ev, self, ref, 0xff, 1, count)
                    : RecordRun<kIsWrite>(ev, begin, ref, 0xff, count);
    begin += done * kGranule;
    if (done < count)
      break;
    ref.cell += count;
    ref.locs += 2 * count;
  }
  return begin;
}

}  // namespace

uptr RecordRange(EventContext *ev, uptr begin, uptr end, bool is_write) {
  const CellRef ref = ShadowGet(begin);
  EnterPage(ev->thr, begin, ref.page);
  uptr next = is_write ? RecordRangeInPage<true>(ev, ref, begin, end)
                       : RecordRangeInPage<false>(ev, ref, begin, end);
  LeavePage(ev->thr, ref.page);
  return next;
}

uptr RecordEvenly(EventContext *ev, uptr addr, u32 size, sptr stride,
                  uptr count, bool is_write) {
  uptr done = 0;
  while (done < count && HasShadow(addr)) {
    uptr here = CountInPage(addr, stride, count - done);
    uptr more = (is_write ? RecordInPage<true>
                          : RecordInPage<false>)(ev, addr, size, stride, here);
    done += more;
    addr += more * stride;
    if (more < here)
      break;
  }
  return done;
}

bool IsIrrelevantOutside(const CheckerThread *thr, uptr addr, uptr size,
                         bool is_write) {
  if (IsReached(thr) || !HasShadow(addr) || !HasShadow(addr + size - 1))
    return false;
  bool irrelevant = true;
  ForEachTouchedPage(addr, addr + size, [&](uptr begin, uptr end) {
    for (uptr g = RoundDownTo(begin, kGranule); g < end && irrelevant;
         g += kGranule) {
      Cell c = atomic_load(ShadowFind(g), memory_order_acquire);
      irrelevant =
          !c || (IsSingle(c) &&
                 (!ConflictingBytes(c, 0xff, is_write) || !IsLive(TxnOf(c))));
    }
  });
  return irrelevant;
}

}  // namespace __atsan
