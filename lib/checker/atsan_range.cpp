//===-- atsan_range.cpp -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes of a range: page by page, the whole granules of each in a row. What
// needs an edge or a new list of several transactions is left to AccessGranule.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_range.h"

#include "lib/checker/atsan_access.h"
#include "lib/checker/atsan_run.h"
#include "lib/checker/atsan_sweep.h"

namespace __atsan {

namespace {

// The number of whole granules from which on RecordRun records them.
constexpr uptr kMany = Min<uptr>(8, kMinSweep);

// Records some bytes of a granule.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordEdge(const RunMark &m, AtomicCell *cell, u32 bytes,
                              Cell *dead) {
  Cell c = atomic_load(cell, memory_order_relaxed);
  if (m.IsOwnDead(c) || SameTxn(c, *dead)) {
    RecordAnew<kIsWrite>(m.self, bytes, m.loc, &c, LocsOf(cell));
    atomic_store(cell, c, memory_order_release);
    return true;
  }
  Cell d = RecordPart<kIsWrite>(m.self, m.page, m.loc, cell, bytes, *dead);
  if (UNLIKELY(d == kLockedCell))
    return false;
  *dead = d;
  return true;
}

// Records the bytes from `begin` to `end`, in the page of `cell`, which is that
// of `begin`. The caller is at work there. Returns where that ends, as
// RecordRange does.
template <bool kIsWrite>
ALWAYS_INLINE uptr RecordInPage(const RunMark &m, AtomicCell *cell, uptr begin,
                                uptr end) {
  Cell dead = kEmptyCell;
  if (u32 skipped = begin % kGranule) {
    const uptr next = begin - skipped + kGranule;
    u32 bytes = kWhole << skipped & kWhole;
    if (end < next)
      bytes &= kWhole >> (next - end);
    if (!RecordEdge<kIsWrite>(m, cell, bytes, &dead))
      return begin;
    if (end <= next)
      return end;
    begin = next;
    cell++;
  }
  if (uptr count = (end - begin) / kGranule) {
    if (count < kMany && !IsSwept(atomic_load(cell, memory_order_relaxed))) {
      AtomicCell *past = cell + count;
      AtomicCell *stop = RecordFew<kIsWrite>(m, cell, past, &dead);
      if (UNLIKELY(stop != past))
        return begin + (stop - cell) * kGranule;
    } else {
      uptr done = RecordRun(m, begin, kWhole, count, kIsWrite);
      if (UNLIKELY(done < count))
        return begin + done * kGranule;
    }
    begin += count * kGranule;
    cell += count;
  }
  if (begin < end &&
      !RecordEdge<kIsWrite>(m, cell, (1u << (end - begin)) - 1, &dead))
    return begin;
  return end;
}

template <bool kIsWrite>
ALWAYS_INLINE uptr RecordPages(const CheckerThread *thr, LocId loc, uptr begin,
                               uptr end) {
  for (;;) {
    const CellRef ref = ShadowGet(begin);
    const RunMark m(thr, ref.page, loc);
    const uptr here = Min((begin | (kShadowPage - 1)) + 1, end);
    EnterPage(thr, begin, ref.page);
    begin = RecordInPage<kIsWrite>(m, ref.cell, begin, here);
    LeavePage(thr, ref.page);
    if (LIKELY(begin == end) || begin < here)
      return begin;
  }
}

}  // namespace

uptr LogReads(const CheckerThread *thr, LocId loc, uptr begin, uptr end) {
  while (begin != end) {
    const uptr leaf = ShadowLeaf(begin);
    if (!leaf)
      break;
    if (!IsLogged(atomic_load(CellInLeaf(leaf, begin), memory_order_relaxed)))
      break;
    const uptr granule = RoundDownTo(begin, kGranule);
    const u32 bytes = BytesBetween(granule, begin, end);
    if (!LogReadAgain(thr, begin, leaf, bytes, loc) &&
        !LogRead(thr, begin, bytes, loc))
      break;
    begin = Min(granule + kGranule, end);
  }
  return begin;
}

uptr RecordRange(const CheckerThread *thr, LocId loc, uptr begin, uptr end,
                 bool is_write) {
  if (is_write)
    return RecordPages<true>(thr, loc, begin, end);
  begin = LogReads(thr, loc, begin, end);
  return begin == end ? end : RecordPages<false>(thr, loc, begin, end);
}

template <bool kIsWrite>
static bool AreCovered(const CheckerThread *thr, uptr addr, uptr last) {
  uptr leaf = ShadowLeaf(addr);
  if (!leaf || addr / kLeafBytes != last / kLeafBytes)
    return false;
  const Cell self = thr->self;
  const AtomicCell *cell = CellInLeaf(leaf, addr);
  const AtomicCell *last_cell = CellInLeaf(leaf, last);
  auto IsCovered = [self](const AtomicCell *at, u32 bytes) {
    const Cell c = atomic_load(at, memory_order_acquire);
    return Covers<kIsWrite>(c, self, bytes) ||
           (UNLIKELY(IsDetail(c)) &&
            CoversInList<kIsWrite>(at, c, self, bytes));
  };
  const u32 first_bytes = kWhole << addr % kGranule & kWhole;
  const u32 last_bytes = kWhole >> (kGranule - 1 - last % kGranule);
  if (cell == last_cell)
    return IsCovered(cell, first_bytes & last_bytes);
  if (!IsCovered(cell, first_bytes) || !IsCovered(last_cell, last_bytes))
    return false;
  for (cell++; cell != last_cell;) {
    if (last_cell - cell >= static_cast<sptr>(kTogether) &&
        (AreAlike(cell, WholeWritten(self), ~0ull) ||
         (!kIsWrite && AreAlike(cell, WholeRead(self), ~0ull))))
      cell += kTogether;
    else if (IsCovered(cell, kWhole))
      cell++;
    else
      return false;
  }
  return true;
}

bool AreKnown(const CheckerThread *thr, uptr addr, uptr last, bool is_write) {
  return (is_write ? AreCovered<true> : AreCovered<false>)(thr, addr, last);
}

bool IsIrrelevantOutside(const CheckerThread *thr, uptr addr, uptr size,
                         bool is_write) {
  if (IsReached(thr) || !HasShadow(addr) || !HasShadow(addr + size - 1))
    return false;
  bool irrelevant = true;
  Cell dead = kEmptyCell;
  ForEachTouchedPage(addr, addr + size, [&](uptr begin, uptr end) {
    const AtomicCell *cell = ShadowFind(begin);
    const AtomicCell *past = ShadowFind(end - 1) + 1;
    while (irrelevant && cell != past) {
      if (past - cell >= static_cast<sptr>(kTogether) &&
          AreAlike(cell, dead, ~0ull << kIndexShift)) {
        cell += kTogether;
        continue;
      }
      Cell c = atomic_load(cell++, memory_order_acquire);
      if (SameTxn(c, dead))
        continue;
      if (IsSingle(c) && !IsLive(TxnOf(c)))
        dead = c;
      else
        irrelevant = IsSingle(c) && !ConflictingBytes(c, kWhole, is_write);
    }
  });
  return irrelevant;
}

}  // namespace __atsan
