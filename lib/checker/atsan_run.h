//===-- atsan_run.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole granules in a row, of one page, that a transaction in a region reads or
// writes at one place: neighbouring cells are mostly alike, and for each of
// them the answer is what RecordInCell would say.
//
// All of this but AreAlike is for who is at work in the page.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_RUN_H
#define ATSAN_RUN_H

#include <emmintrin.h>

#include "lib/checker/atsan_quick.h"

namespace __atsan {

// A transaction in a region, what it accesses at one place, and what is known
// to be dead: of its own slot all words from `own` on, as far as `own_dead`
// goes, and one of another slot (or an empty cell).
struct RunMark {
  Cell self;
  Page *page;  // The page where it is at work.
  LocId loc;
  Cell own;
  Cell own_dead;

  RunMark(const CheckerThread *thr, Page *page, LocId loc)
      : self(thr->self),
        page(page),
        loc(loc),
        own(thr->self & ~0ull << kSlotShift) {
    const SlotLiveness &l = slot_liveness[thr->slot];
    TxnIndex live = Min(atomic_load(&l.own_min, memory_order_relaxed),
                        atomic_load(&l.foreign_min, memory_order_relaxed));
    own_dead = static_cast<Cell>(live) << kIndexShift;
  }
  bool IsOwnDead(Cell c) const { return c - own < own_dead; }
};

// Records `bytes` of a granule, with a call. Returns a transaction known to be
// dead, or an empty cell; kLockedCell: the granule is for AccessGranule.
template <bool kIsWrite>
NOINLINE Cell RecordPart(Cell self, Page *page, LocId loc, AtomicCell *cell,
                         u32 bytes, Cell dead) {
  return RecordUnlessKnown<kIsWrite>(self, page, cell, bytes, loc, &dead)
             ? dead
             : kLockedCell;
}

// Records a whole granule in the place of a word that says less.
template <bool kIsWrite>
ALWAYS_INLINE void ReplaceWhole(const RunMark &m, AtomicCell *cell) {
  const u64 both = static_cast<u64>(m.loc) << 32 | m.loc;
  __builtin_memcpy(LocsOf(cell), &both, sizeof(both));
  atomic_store(cell, kIsWrite ? WholeWritten(m.self) : WholeRead(m.self),
               memory_order_release);
}

// What a word has in common with the thread's transaction if an access to the
// whole granule supersedes it.
template <bool kIsWrite>
constexpr Cell kSuperseded =
    ~0ull << kSlotShift | (kIsWrite ? 0 : kWhole << kWriteShift);

// Records whole granules from `cell` up to `end`, which are few. Returns the
// cell that is for AccessGranule, or `end`. The mark is passed by value: what
// is stored in a cell might change one that is referred to.
template <bool kIsWrite>
ALWAYS_INLINE AtomicCell *RecordFew(RunMark m, AtomicCell *cell,
                                    const AtomicCell *end, Cell *dead) {
#pragma clang loop unroll(disable)
  for (; cell != end; cell++) {
    const Cell c = atomic_load(cell, memory_order_relaxed);
    if (c == WholeWritten(m.self) || (!kIsWrite && c == WholeRead(m.self)))
      continue;
    if (((c ^ m.self) & kSuperseded<kIsWrite>) == 0 || SameTxn(c, *dead) ||
        (!kIsWrite && m.IsOwnDead(c))) {
      ReplaceWhole<kIsWrite>(m, cell);
      continue;
    }
    Cell d = RecordPart<kIsWrite>(m.self, m.page, m.loc, cell, kWhole, *dead);
    if (UNLIKELY(d == kLockedCell))
      break;
    *dead = d;
  }
  return cell;
}

// How many cells are looked at together, if there are so many: mostly they are
// alike. Two words are loaded, and stored, by one instruction; none is torn
// (docs/soundness.md).
constexpr uptr kTogether = kShadowPage / kGranule < 8 ? 2 : 4;

// Has each of kTogether cells those bits of `mask` that `word` has?
ALWAYS_INLINE bool AreAlike(const AtomicCell *cell, Cell word, Cell mask) {
  const __m128i *two = reinterpret_cast<const __m128i *>(cell);
  const __m128i words = _mm_set1_epi64x(word);
  __m128i differ = _mm_setzero_si128();
#pragma clang loop unroll(full)
  for (uptr i = 0; i < kTogether / 2; i++)
    differ =
        _mm_or_si128(differ, _mm_xor_si128(_mm_loadu_si128(two + i), words));
  if (mask != ~0ull)
    differ = _mm_and_si128(differ, _mm_set1_epi64x(mask));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(differ, _mm_setzero_si128())) ==
         0xffff;
}

template <bool kIsWrite>
ALWAYS_INLINE void ReplaceTogether(const RunMark &m, AtomicCell *cell) {
  __m128i *cells = reinterpret_cast<__m128i *>(cell);
  __m128i *locs = reinterpret_cast<__m128i *>(LocsOf(cell));
  const Cell mine = kIsWrite ? WholeWritten(m.self) : WholeRead(m.self);
#pragma clang loop unroll(full)
  for (uptr i = 0; i < kTogether / 2; i++) {
    _mm_storeu_si128(locs + i, _mm_set1_epi32(m.loc));
    _mm_storeu_si128(cells + i, _mm_set1_epi64x(mine));
  }
}

// Records `bytes` of `count` granules in a row, from that of `addr` on: as a
// sweep if that pays. Returns how many were done.
uptr RecordRun(const RunMark &m, uptr addr, u32 bytes, uptr count,
               bool is_write);

}  // namespace __atsan

#endif  // ATSAN_RUN_H
