//===-- atsan_rows.cpp ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of granules with gaps in between, such as one member of each structure
// in an array: page by page, row by row, so that the cells of a row and its
// locations are fetched once. What needs an edge or a new list of several
// transactions is left to AccessGranule.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_access.h"
#include "lib/checker/atsan_quick.h"

namespace __atsan {

namespace {

// How many of `rows` rows lie in the page of the first, from the first on.
uptr RowsInPage(uptr addr, uptr size, sptr stride, uptr rows) {
  uptr from_begin = addr % kShadowPage;
  if (from_begin + size > kShadowPage)
    return 0;
  if (stride > 0)
    return Min<uptr>(rows, (kShadowPage - size - from_begin) / stride + 1);
  return stride ? Min<uptr>(rows, from_begin / -stride + 1) : rows;
}

// Records one row, if all that it holds is one dead transaction, as neighbours
// often do. Most rows are short.
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

// Is all of a row known?
template <bool kIsWrite>
ALWAYS_INLINE bool CoversRow(Cell self, const AtomicCell *cell, uptr width) {
#pragma clang loop unroll(disable)
  for (uptr i = 0; i < width; i++)
    if (!Covers<kIsWrite>(atomic_load(cell + i, memory_order_relaxed), self,
                          kWhole))
      return false;
  return true;
}

// Records one row. False if a granule is for AccessGranule.
template <bool kIsWrite>
NOINLINE bool RecordRow(Cell self, LocId loc, Page *page, AtomicCell *cell,
                        uptr width, Cell *dead) {
  for (uptr i = 0; i < width; i++)
    if (!RecordUnlessKnown<kIsWrite>(self, page, cell + i, kWhole, loc, dead))
      return false;
  return true;
}

template <bool kIsWrite>
uptr RecordRowsInPage(EventContext *ev, uptr addr, uptr width, sptr step,
                      uptr rows) {
  const CellRef ref = ShadowGet(addr);
  const Cell self = ev->thr->self;
  AtomicCell *cell = ref.cell;
  const Cell mine = kIsWrite ? WholeWritten(self) : WholeRead(self);
  const LocId loc = ev->Loc();
  Cell dead = kEmptyCell;
  EnterPage(ev->thr, addr, ref.page);
  uptr i = 0;
  for (; i < rows; i++, cell += step)
    if (!ReplaceRow(mine, loc, cell, width, dead) &&
        !CoversRow<kIsWrite>(self, cell, width) &&
        !RecordRow<kIsWrite>(self, loc, ref.page, cell, width, &dead))
      break;
  LeavePage(ev->thr, ref.page);
  return i;
}

}  // namespace

uptr RecordRows(EventContext *ev, uptr addr, uptr size, sptr stride, uptr rows,
                bool is_write) {
  constexpr sptr kStep = kGranule;
  uptr done = 0;
  while (done < rows && HasShadow(addr)) {
    uptr here = RowsInPage(addr, size, stride, rows - done);
    if (!here)
      break;
    uptr more = (is_write ? RecordRowsInPage<true>
                          : RecordRowsInPage<false>)(ev, addr, size / kGranule,
                                                     stride / kStep, here);
    done += more;
    addr += more * stride;
    if (more < here)
      break;
  }
  return done;
}

}  // namespace __atsan
