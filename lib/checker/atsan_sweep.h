//===-- atsan_sweep.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sweep: one transaction reads, or writes, granules of a page one after the
// other, whole or the same half of each. It is kept once, in the page, for all
// cells in "swept" mode: their history is that of the page's sweeps which
// contain them, oldest first. So arrays that several threads read, region after
// region, cost a word per page, and no list for each granule.
//
// Whoever has anything else to do with a swept cell makes it one of its own
// again (atsan_access.cpp). A cell becomes swept only when nothing live is in
// the page's sweeps, which know nothing of its history.
//
// All but MentionsInSweeps are for who is at work in the page.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SWEEP_H
#define ATSAN_SWEEP_H

#include "lib/checker/atsan_graph.h"
#include "lib/checker/atsan_shadow.h"

namespace __atsan {

// The word of a sweep: a transaction as in a cell, and in place of the masks
//
//   63 62 | ... |  14   | 13 .. 7 | 6 ... 0
//   half  |     | write | last    | first      granule of the page
//
//   half 0: whole granules, 1: the low half of each, 2: the high one.
constexpr u32 kSweepLastShift = 7;
constexpr Cell kSweepWrites = 1 << 14;
constexpr u32 kSweepGranuleMask = (1 << kSweepLastShift) - 1;
constexpr Cell kSweepGranules = kSweepGranuleMask | kSweepGranuleMask
                                                        << kSweepLastShift;
COMPILER_CHECK(kShadowPage / kGranule <= 1 << kSweepLastShift);

constexpr u32 kSweepHalfShift = 62;
inline bool CanBeSwept(u32 bytes) {
  return bytes == 0xff || bytes == 0x0f || bytes == 0xf0;
}
inline Cell MakeSweep(Cell self, u32 bytes, u32 first, u32 count,
                      bool is_write) {
  Cell half = bytes == 0xff ? 0 : bytes == 0x0f ? 1 : 2;
  return self | half << kSweepHalfShift | first |
         (first + count - 1) << kSweepLastShift | (is_write ? kSweepWrites : 0);
}
inline u32 BytesOfSweep(Cell s) {
  Cell half = s >> kSweepHalfShift;
  return half == 0 ? 0xff : half == 1 ? 0x0f : 0xf0;
}
// The sweep's transaction, as in CheckerThread::self.
inline Cell SelfOfSweep(Cell s) { return WithMasks(s & ~kModeMask, 0, 0); }
inline u32 FirstOfSweep(Cell s) { return s & kSweepGranuleMask; }
inline u32 LastOfSweep(Cell s) {
  return s >> kSweepLastShift & kSweepGranuleMask;
}
inline Cell WithGranules(Cell s, u32 first, u32 last) {
  return (s & ~kSweepGranules) | first | last << kSweepLastShift;
}
inline bool IsWriteSweep(Cell s) { return s & kSweepWrites; }

inline u32 GranuleInPage(uptr addr) { return addr % kShadowPage / kGranule; }
inline bool SweepContains(Cell s, uptr addr) {
  return FirstOfSweep(s) <= GranuleInPage(addr) &&
         GranuleInPage(addr) <= LastOfSweep(s);
}
inline bool SweepsOverlap(Cell a, Cell b) {
  return FirstOfSweep(a) <= LastOfSweep(b) &&
         FirstOfSweep(b) <= LastOfSweep(a) &&
         (BytesOfSweep(a) & BytesOfSweep(b));
}
inline bool IsWithin(Cell inner, Cell outer) {
  return FirstOfSweep(outer) <= FirstOfSweep(inner) &&
         LastOfSweep(inner) <= LastOfSweep(outer) &&
         !(BytesOfSweep(inner) & ~BytesOfSweep(outer));
}

// Shorter sweeps are not worth it, unless their page is swept already.
constexpr uptr kMinSweep = kShadowPage / kGranule / 8 + 1;

// Whether sweeps pay in a page is learned: granules in a row earn credit. A row
// that must go another way costs much, as does a cell that must become one of
// its own: row by row, cells that are alike are recorded nearly as quickly as a
// sweep.
// From kSweepPays on there is anything swept; tests have that at once.
#ifndef ATSAN_SWEEP_PAYS
#define ATSAN_SWEEP_PAYS (kShadowPage / 4)
#endif
constexpr s32 kSweepPays = ATSAN_SWEEP_PAYS;
// bench/ablation asks for more credit than a page can have.
constexpr bool kSweeps = kSweepPays < 1 << 15;
constexpr s32 kUnsweepCost = kSweepPays;
constexpr s32 kNoRoomCost = kSweepPays / 2;
constexpr s32 kSweepsInVain = -4 * kSweepPays;
inline void ChangeSweepCredit(Page *page, s32 by) {
  page->sweep_credit =
      Max(-32000, Min(page->sweep_credit + by, 16 * kSweepPays));
}

// The cell at `addr` is about to become one of its own.
inline void EndsSwept(Page *page, uptr addr) {
  u32 g = GranuleInPage(addr);
  if (g < page->swept_begin || g >= page->swept_end)
    return;
  // Keep the larger rest.
  if (g - page->swept_begin > page->swept_end - g - 1)
    page->swept_end = g;
  else
    page->swept_begin = g + 1;
}

inline bool HasSweeps(const Page *page) {
  return atomic_load(&page->sweeps[0], memory_order_relaxed);
}

// Calls f(sweep, location), oldest first.
template <typename F>
void ForEachSweep(const Page *page, F f) {
  for (u32 i = 0; i < kPageSweeps; i++)
    if (Cell s = atomic_load(&page->sweeps[i], memory_order_relaxed))
      f(s, page->sweep_locs[i]);
}

// Each sweep becomes change(sweep); 0 drops it. Moves them to the front without
// one ever being absent. Returns how many there are.
template <typename F>
u32 ChangeSweeps(Page *page, F change) {
  u32 n = 0;
  for (u32 i = 0; i < kPageSweeps; i++) {
    Cell old = atomic_load(&page->sweeps[i], memory_order_relaxed);
    Cell s = old ? change(old) : kEmptyCell;
    if (!s)
      continue;
    if (s != old || n != i) {
      page->sweep_locs[n] = page->sweep_locs[i];
      atomic_store(&page->sweeps[n], s, memory_order_release);
    }
    n++;
  }
  for (u32 i = n; i < kPageSweeps; i++)
    atomic_store(&page->sweeps[i], kEmptyCell, memory_order_release);
  return n;
}

// Drops dead sweeps. Returns how many are left.
u32 DropDeadSweeps(Page *page);

enum class SweepNews {
  kNone,  // The page's sweeps say all of it.
  kAdds,  // A place is free, and nothing live conflicts.
  kOther,
};
// What the sweep `mine` would tell. Drops dead sweeps; *live: how many are
// left.
SweepNews LookAtSweeps(Page *page, Cell mine, u32 *live);

// The history of the whole granules between `begin` and `end`, in this page,
// ends: can sweeps be made not to speak of them? Not worth it for a few.
bool ForgetInSweeps(Page *page, uptr begin, uptr end);

// Is there a sweep with is_it(sweep)? Anybody may ask; sweeps that come
// meanwhile may be missed. Looks against the direction in which sweeps move.
template <typename F>
bool MentionsInSweeps(const Page *page, F is_it) {
  for (u32 i = kPageSweeps; i--;) {
    Cell s = atomic_load(&page->sweeps[i], memory_order_acquire);
    if (s && is_it(s))
      return true;
  }
  return false;
}

}  // namespace __atsan

#endif  // ATSAN_SWEEP_H
