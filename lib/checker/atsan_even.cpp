//===-- atsan_even.cpp ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accesses of loops, page by page. What needs an edge or a new list of
// several transactions is left to AccessGranule.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_access.h"
#include "lib/checker/atsan_run.h"
#include "lib/checker/atsan_sweep.h"

namespace __atsan {

namespace {

// How many of `count` accesses begin in the page of the first.
uptr CountInPage(uptr addr, sptr stride, uptr count) {
  uptr from_begin = addr % kShadowPage;
  if (stride > 0)
    return Min<uptr>(count, (kShadowPage - 1 - from_begin) / stride + 1);
  return stride ? Min<uptr>(count, from_begin / -stride + 1) : count;
}

// Records one of the accesses of RecordInPage, as RecordUnlessKnown does, but
// what is known needs no location.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordOne(EventContext *ev, Cell self, Page *page,
                             AtomicCell *cell, u32 bytes, Cell *dead) {
  Cell c = atomic_load(cell, memory_order_relaxed);
  return Covers<kIsWrite>(c, self, bytes) ||
         RecordInCell<kIsWrite>(self, page, cell, bytes, ev->Loc(), dead);
}

// Records the same bytes of `count` granules, each `step` after the one before.
template <bool kIsWrite>
ALWAYS_INLINE uptr RecordSameBytes(EventContext *ev, Cell self,
                                   const CellRef &ref, u32 bytes, sptr step,
                                   uptr count) {
  AtomicCell *cell = ref.cell;
  Cell dead = kEmptyCell;
  uptr i = 0;
  for (; i < count; i++, cell += step)
    if (!RecordOne<kIsWrite>(ev, self, ref.page, cell, bytes, &dead))
      break;
  return i;
}

template <bool kIsWrite>
uptr RecordOtherBytes(EventContext *ev, Cell self, const CellRef &ref,
                      uptr addr, u32 size, sptr stride, uptr count) {
  Cell dead = kEmptyCell;
  u32 mask = (1u << size) - 1;
  uptr first = addr / kGranule;
  uptr i = 0;
  for (; i < count; i++, addr += stride) {
    u32 bytes = mask << addr % kGranule;
    sptr step = addr / kGranule - first;
    if (bytes > 0xff ||
        !RecordOne<kIsWrite>(ev, self, ref.page, ref.cell + step, bytes, &dead))
      break;
  }
  return i;
}

template <bool kIsWrite>
uptr RecordCells(EventContext *ev, const CellRef &ref, uptr addr, u32 size,
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

// Does as many accesses of RecordEvenly as begin in the page of the first.
template <bool kIsWrite>
uptr RecordInPage(EventContext *ev, uptr addr, u32 size, sptr stride,
                  uptr count) {
  const CellRef ref = ShadowGet(addr);
  u32 bytes = ((1u << size) - 1) << addr % kGranule;
  EnterPage(ev->thr, addr, ref.page);
  uptr done = stride == kGranule && CanBeSwept(bytes)
                  ? RecordRun(RunMark(ev->thr, ref.page, ev->Loc()), addr,
                              bytes, count, kIsWrite)
                  : RecordCells<kIsWrite>(ev, ref, addr, size, stride, count);
  LeavePage(ev->thr, ref.page);
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

}  // namespace __atsan
