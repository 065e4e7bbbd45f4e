//===-- atsan_even.cpp -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many granules at once, page by page: ranges and loops. What needs an edge or
// a list is left to AccessGranule.
//
//===----------------------------------------------------------------------===//
#include "atsan_access.h"
#include "atsan_quick.h"

namespace __atsan {

namespace {

// Part of RecordEvenly: the same bytes of `count` granules, each `step` after
// the one before, in a page that the thread has entered as its owner.
template <bool kIsWrite>
uptr RecordInOwnPage(EventContext *ev, CellRef ref, u32 bytes, sptr step,
                     uptr count) {
  Cell self = ev->thr->self;
  // Neighbours often have a dead transaction in common.
  Cell dead = kEmptyCell;
  LocId loc = 0;
  for (uptr i = 0; i < count; i++, ref.cell += step, ref.locs += 2 * step) {
    Cell c = atomic_load(ref.cell, memory_order_relaxed);
    if (Covers<kIsWrite>(c, self, bytes))
      continue;
    if (!loc)
      loc = ev->Loc();
    if (SameTxn(c, dead)) {
      RecordAnew<kIsWrite>(self, bytes, loc, &c, ref.locs);
      atomic_store(ref.cell, c, memory_order_release);
      continue;
    }
    if (!RecordOwned<kIsWrite>(ev->thr, ref.cell, ref.locs, bytes, loc))
      return i;
    if (!IsLive(TxnOf(c)))
      dead = c;
  }
  return count;
}

// Part of RecordEvenly: in a page that is shared, or with bytes that vary.
template <bool kIsWrite>
uptr RecordOneByOne(EventContext *ev, uptr addr, CellRef ref, u32 size,
                    sptr stride, uptr count, bool owned) {
  Cell self = ev->thr->self;
  u32 mask = (1u << size) - 1;
  uptr first = addr / kGranule;
  for (uptr i = 0; i < count; i++, addr += stride) {
    u32 bytes = mask << addr % kGranule;
    if (bytes > 0xff)
      return i;
    sptr distance = addr / kGranule - first;
    AtomicCell *cell = ref.cell + distance;
    if (Covers<kIsWrite>(atomic_load(cell, memory_order_relaxed), self, bytes))
      continue;
    LocId loc = ev->Loc();
    LocId *locs = ref.locs + 2 * distance;
    if (!(owned ? RecordOwned<kIsWrite>(ev->thr, cell, locs, bytes, loc)
                : RecordShared<kIsWrite>(self, cell, locs, bytes, loc)))
      return i;
  }
  return count;
}

// How many of `count` accesses begin in the page of the first.
uptr CountInPage(uptr addr, sptr stride, uptr count) {
  uptr from_begin = addr % kShadowPage;
  if (stride > 0)
    return Min<uptr>(count, (kShadowPage - 1 - from_begin) / stride + 1);
  return stride ? Min<uptr>(count, from_begin / -stride + 1) : count;
}

// Part of RecordEvenly: as many as begin in the page of the first.
template <bool kIsWrite>
uptr RecordInPage(EventContext *ev, uptr addr, u32 size, sptr stride,
                  uptr count) {
  const CheckerThread *thr = ev->thr;
  CellRef ref = ShadowGet(addr);
  bool owned = EnterPage(thr, addr, ref.page);
  if (!owned) {
    LeavePage(thr);
    PageShare(addr, ref.page);
    MarkCellWork(thr, addr);
  }
  u32 bytes = ((1u << size) - 1) << addr % kGranule;
  sptr granules = stride / static_cast<sptr>(kGranule);
  uptr done =
      owned && bytes <= 0xff && stride % static_cast<sptr>(kGranule) == 0
          ? RecordInOwnPage<kIsWrite>(ev, ref, bytes, granules, count)
          : RecordOneByOne<kIsWrite>(ev, addr, ref, size, stride, count, owned);
  LeavePage(thr);
  return done;
}

}  // namespace

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
