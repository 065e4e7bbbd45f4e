//===-- atsan_rows.cpp ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows at even distances, such as one member of each structure in an array, or
// a column of a matrix: page by page, row by row, so that the cells of a row
// and its locations are fetched once. What needs an edge or a new list of
// several transactions is left to AccessGranule.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_access.h"
#include "lib/checker/atsan_range.h"
#include "lib/checker/atsan_run.h"
#include "lib/checker/atsan_sweep.h"

namespace __atsan {

namespace {

// Rows that are pages apart are asked for so many in advance: no cache knows
// where the next one is, and the page's lock lets no load pass.
constexpr sptr kRowsAhead = 4;

// How many of `rows` rows lie in the page of the first, from the first on.
uptr RowsInPage(uptr addr, uptr size, sptr stride, uptr rows) {
  uptr from_begin = addr % kShadowPage;
  if (from_begin + size > kShadowPage)
    return 0;
  if (stride > 0)
    return Min<uptr>(rows, (kShadowPage - size - from_begin) / stride + 1);
  return stride ? Min<uptr>(rows, from_begin / -stride + 1) : rows;
}

// Records whole granules, if all that they hold is one dead transaction, as
// neighbours often do. Most rows are short.
ALWAYS_INLINE bool ReplaceRow(Cell mine, LocId loc, AtomicCell *cell,
                              uptr width, Cell dead) {
  Cell other = 0;
#pragma clang loop unroll(disable)
  for (uptr i = 0; i < width; i++)
    other |= atomic_load(cell + i, memory_order_relaxed) ^ dead;
  if (other >> kIndexShift != 0)
    return false;
  LocId *locs = LocsOf(cell);
#pragma clang loop unroll(disable)
  for (uptr i = 0; i < width; i++) {
    locs[2 * i] = locs[2 * i + 1] = loc;
    atomic_store(cell + i, mine, memory_order_release);
  }
  return true;
}

// Is all of a row of whole granules known? `known_swept`: the page's sweeps say
// that what is swept is.
template <bool kIsWrite>
ALWAYS_INLINE bool CoversRow(Cell self, const AtomicCell *cell, uptr width,
                             bool known_swept) {
#pragma clang loop unroll(disable)
  for (uptr i = 0; i < width; i++) {
    const Cell c = atomic_load(cell + i, memory_order_relaxed);
    if (!Covers<kIsWrite>(c, self, kWhole) && !(known_swept && IsSwept(c)))
      return false;
  }
  return true;
}

// Do the page's sweeps say that the transaction has accessed all from the first
// row to the last, and nobody since?
template <bool kIsWrite>
bool AreSwept(Cell self, Page *page, uptr addr, uptr size, sptr stride,
              uptr rows) {
  if (!HasSweeps(page))
    return false;
  const sptr distance = stride * static_cast<sptr>(rows - 1);
  const uptr first = GranuleInPage(addr + Min<sptr>(distance, 0));
  const uptr last = GranuleInPage(addr + Max<sptr>(distance, 0) + size - 1);
  u32 live;
  return LookAtSweeps(
             page, MakeSweep(self, kWhole, first, last - first + 1, kIsWrite),
             &live) == SweepNews::kNone;
}

// Records a row of whole granules. False if one is for AccessGranule.
template <bool kIsWrite>
NOINLINE bool RecordWholeRow(Cell self, LocId loc, Page *page, AtomicCell *cell,
                             uptr width, Cell *dead) {
  for (uptr i = 0; i < width; i++)
    if (!RecordUnlessKnown<kIsWrite>(self, page, cell + i, kWhole, loc, dead))
      return false;
  return true;
}

// The following record rows in one page, where the caller is at work. They
// return how many they did.

template <bool kIsWrite>
uptr RecordWholeRows(EventContext *ev, const CellRef &ref, uptr addr, uptr size,
                     sptr stride, uptr rows) {
  const Cell self = ev->thr->self;
  const LocId loc = ev->Loc();
  const bool known_swept =
      AreSwept<kIsWrite>(self, ref.page, addr, size, stride, rows);
  const uptr width = size / kGranule;
  const sptr step = stride / static_cast<sptr>(kGranule);
  AtomicCell *cell = ref.cell;
  const Cell mine = kIsWrite ? WholeWritten(self) : WholeRead(self);
  Cell dead = kEmptyCell;
  uptr i = 0;
  for (; i < rows; i++, cell += step)
    if (!ReplaceRow(mine, loc, cell, width, dead) &&
        !CoversRow<kIsWrite>(self, cell, width, known_swept) &&
        !RecordWholeRow<kIsWrite>(self, loc, ref.page, cell, width, &dead))
      break;
  return i;
}

// Records rows of less than a granule each. What is known needs no location.
template <bool kIsWrite>
uptr RecordPartRows(EventContext *ev, const CellRef &ref, uptr addr, uptr size,
                    sptr stride, uptr rows) {
  const Cell self = ev->thr->self;
  const u32 mask = (1u << size) - 1;
  const uptr first = addr / kGranule;
  Cell dead = kEmptyCell;
  uptr i = 0;
  for (; i < rows; i++, addr += stride) {
    const u32 bytes = mask << addr % kGranule;
    if (bytes > kWhole)
      break;
    AtomicCell *cell = ref.cell + static_cast<sptr>(addr / kGranule - first);
    const Cell c = atomic_load(cell, memory_order_relaxed);
    if (!Covers<kIsWrite>(c, self, bytes) &&
        !RecordInCell<kIsWrite>(self, ref.page, cell, bytes, ev->Loc(), &dead))
      break;
  }
  return i;
}

template <bool kIsWrite>
uptr RecordRowsInPage(EventContext *ev, uptr addr, uptr size, sptr stride,
                      uptr rows) {
  const CellRef ref = ShadowGet(addr);
  const u32 bytes = ((1u << size % kGranule) - 1) << addr % kGranule;
  EnterPage(ev->thr, addr, ref.page);
  uptr done;
  if (size >= kGranule)
    done = RecordWholeRows<kIsWrite>(ev, ref, addr, size, stride, rows);
  else if (stride == static_cast<sptr>(kGranule) && CanBeSwept(bytes))
    done = RecordRun(RunMark(ev->thr, ref.page, ev->Loc()), addr, bytes, rows,
                     kIsWrite);
  else
    done = RecordPartRows<kIsWrite>(ev, ref, addr, size, stride, rows);
  LeavePage(ev->thr, ref.page);
  return done;
}

// Logs a read of bytes of one granule, or finds it logged. False: it needs
// more.
ALWAYS_INLINE bool PassLogged(EventContext *ev, uptr addr, uptr size) {
  const uptr leaf = ShadowLeaf(addr);
  const u32 bytes = ((1u << size) - 1) << addr % kGranule;
  return LIKELY(leaf) && bytes <= kWhole &&
         IsLogged(atomic_load(CellInLeaf(leaf, addr), memory_order_relaxed)) &&
         LogReadAgain(ev->thr, addr, leaf, bytes, ev->Loc());
}

// Passes over rows that are known, and logs reads that need no page: tables
// that all threads read have shared pages. Returns how many rows it did. Mostly
// the first granule tells that it can do none.
template <bool kIsWrite>
uptr PassRows(EventContext *ev, uptr addr, uptr size, sptr stride, uptr rows) {
  const Cell c = atomic_load(ShadowGet(addr).cell, memory_order_relaxed);
  if (!IsDetail(c) && !SameTxn(c, ev->thr->self))
    return 0;
  uptr i = 0;
  for (; i < rows; i++, addr += stride) {
    if (!kIsWrite && size <= kGranule && PassLogged(ev, addr, size))
      continue;
    if (IsKnown<kIsWrite>(ev->thr, addr, size))
      continue;
    if (kIsWrite ||
        !IsLogged(atomic_load(ShadowGet(addr).cell, memory_order_relaxed)) ||
        LogReads(ev->thr, ev->Loc(), addr, addr + size) != addr + size)
      break;
  }
  return i;
}

}  // namespace

uptr RecordRows(EventContext *ev, uptr addr, uptr size, sptr stride, uptr rows,
                bool is_write) {
  if (size >= kGranule && (addr | size | stride) % kGranule != 0)
    return 0;
  const uptr last = addr + stride * (rows - 1);
  if (!HasShadow(addr) || !HasShadow(last) || !HasShadow(last + size - 1))
    return 0;
  uptr done = 0;
  while (done < rows) {
    const uptr passed =
        (is_write ? PassRows<true> : PassRows<false>)(ev, addr, size, stride,
                                                      rows - done);
    done += passed;
    addr += passed * stride;
    const uptr here = RowsInPage(addr, size, stride, rows - done);
    if (!here)
      break;
    if (here == 1)
      ShadowPrefetch(addr + kRowsAhead * stride);
    const uptr more =
        (is_write ? RecordRowsInPage<true>
                  : RecordRowsInPage<false>)(ev, addr, size, stride, here);
    done += more;
    addr += more * stride;
    if (more < here)
      break;
  }
  return done;
}

}  // namespace __atsan
