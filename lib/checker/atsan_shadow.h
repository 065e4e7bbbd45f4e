//===-- atsan_shadow.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shadow memory: finds the cell and the two locations of a granule.
//
// A table of leaves, each for 16 MiB of the program's addresses, mapped without
// reservation when first needed. Nothing depends on where the kernel puts the
// program, so address space randomization of any width is fine, and pages far
// from all that regions touch cost nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SHADOW_H
#define ATSAN_SHADOW_H

#include "lib/checker/atsan_cell.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

using atsan_abi::kAddressBits;
constexpr uptr kLeafBits = 24;
constexpr uptr kLeafBytes = 1ull << kLeafBits;  // Program memory of one leaf.
constexpr uptr kNumLeaves = 1ull << (kAddressBits - kLeafBits);

typedef atomic_uint64_t AtomicCell;

// How much of the program's memory a page is. Tests make it small.
#ifndef ATSAN_SHADOW_PAGE
#define ATSAN_SHADOW_PAGE 1024
#endif
constexpr uptr kShadowPage = ATSAN_SHADOW_PAGE;

// How many sweeps a page has room for (atsan_sweep.h).
constexpr u32 kPageSweeps = 4;
// What is known of a page of the program's memory: whether a cell there was
// ever used, who may change cells (atsan_page.h), and what all of them have in
// common (atsan_sweep.h). Threads at work in two pages do not share a cache
// line of these.
struct alignas(SANITIZER_CACHE_LINE_SIZE) Page {
  atomic_uint32_t word;
  // The thread that has locked the page changes these members while it is
  // shared.
  u16 turns;  // How many times more `last` must lock it to become the owner.
  u16 last;   // The slot that had locked it before.
  // How often in a row a thread must lock the page to become its owner, as a
  // power of two. 0: no number suffices.
  u8 patience : 4;
  // Changed by who is at work in the page: how often logged cells did not pay,
  // how many reads must come before there is another one (atsan_read_log.h),
  // and how often threads have met in the page since it became shared.
  u8 log_cost : 4;
  u8 meetings;
  u16 log_wait;
  // Changed by who is at work in the page. All cells from swept_begin up to
  // swept_end are swept; others may be. The credit tells whether sweeps pay.
  u8 swept_begin;
  u8 swept_end;
  s16 sweep_credit;
  // The locations of sweeps, oldest first.
  LocId sweep_locs[kPageSweeps];
  atomic_uint64_t sweeps[kPageSweeps];  // 0: no sweep.
};

// Where the cell of a granule is, its locations (low half, high half), and its
// page.
struct CellRef {
  AtomicCell *cell;
  LocId *locs;
  Page *page;
};

// A leaf holds the cells, then some that stay empty, so that neighbours may be
// looked at without asking whether they are in the same leaf, then the
// locations of the same granules, then the pages: what is large and untouched
// is passed over without a look at its cells.
constexpr uptr kLeafPadding = SANITIZER_CACHE_LINE_SIZE;
constexpr uptr kLocsInLeaf = kLeafBytes + kLeafPadding;
constexpr uptr kPagesInLeaf = kLocsInLeaf + kLeafBytes;
// Behind the pages of a leaf it says, for each 4 KiB of the program's memory,
// whether its part of the leaf has been populated.
constexpr uptr kUnit = 4096;
constexpr uptr kPopulatedInLeaf =
    kPagesInLeaf + kLeafBytes / kShadowPage * sizeof(Page);
extern ATSAN_HIDDEN atomic_uintptr_t *shadow_leaves;

void ShadowInit();
// Unmaps every leaf, for tests.
void ShadowReset();
uptr ShadowMapLeaf(uptr leaf);
// Asks for memory for the cells and locations of an address whose page is
// touched for the first time, and for some behind them.
void ShadowPopulate(uptr addr);
uptr ShadowMappedBytes();
// Gives the memory of the cells and locations from `begin` to `end`, and of the
// pages, back to the kernel: what it is needed for again is empty, and nobody
// may use it meanwhile.
void ShadowRelease(uptr begin, uptr end);
// For walks over all cells: the number of leaves, and the address of the memory
// that each is for. Leaves are never unmapped but by ShadowReset.
uptr ShadowNumLeaves();
uptr ShadowLeafAddress(uptr i);
// A fork holds it, too (CheckerLockForFork).
extern ATSAN_HIDDEN StaticSpinMutex leaf_mutex;

inline Page *PageInLeaf(uptr leaf_base, uptr addr) {
  return reinterpret_cast<Page *>(leaf_base + kPagesInLeaf) +
         addr % kLeafBytes / kShadowPage;
}

inline bool IsTouched(uptr leaf_base, uptr addr) {
  return atomic_load(&PageInLeaf(leaf_base, addr)->word,
                     memory_order_relaxed) != 0;
}

// Addresses that no user program can have (kernel half) have no shadow.
inline bool HasShadow(uptr addr) { return addr >> kAddressBits == 0; }

// The leaf of an address, or 0 if it was never needed. For any address: one
// that no user program can have gets the leaf of another.
inline uptr ShadowLeaf(uptr addr) {
  return atomic_load(&shadow_leaves[(addr >> kLeafBits) % kNumLeaves],
                     memory_order_acquire);
}

// Calls f(begin, end) for the parts of [begin, end) that may have used cells,
// page by page.
template <typename F>
void ForEachTouchedPage(uptr begin, uptr end, F f) {
  while (begin < end) {
    uptr base = ShadowLeaf(begin);
    uptr next = (begin | ((base ? kShadowPage : kLeafBytes) - 1)) + 1;
    if (base && IsTouched(base, begin))
      f(begin, next < end ? next : end);
    begin = next;
  }
}

inline AtomicCell *CellInLeaf(uptr leaf_base, uptr addr) {
  return reinterpret_cast<AtomicCell *>(
      leaf_base + (addr & (kLeafBytes - 1) & ~(kGranule - 1)));
}

// The locations of a granule, which lie as far behind its cell in all of a
// leaf.
inline LocId *LocsOf(AtomicCell *cell) {
  return reinterpret_cast<LocId *>(reinterpret_cast<uptr>(cell) + kLocsInLeaf);
}

inline LocId *LocsInLeaf(uptr leaf_base, uptr addr) {
  return LocsOf(CellInLeaf(leaf_base, addr));
}

// Asks the caches for what is known of a granule that will be recorded soon.
ALWAYS_INLINE void ShadowPrefetch(uptr addr) {
  const uptr base = ShadowLeaf(addr);
  if (UNLIKELY(!base))
    return;
  __builtin_prefetch(CellInLeaf(base, addr), /*for writing=*/1);
  __builtin_prefetch(LocsInLeaf(base, addr), 1);
  __builtin_prefetch(PageInLeaf(base, addr), 1);
}

// The cell of an address, or nullptr if the leaf was never written.
inline AtomicCell *ShadowFind(uptr addr) {
  uptr base = ShadowLeaf(addr);
  return base ? CellInLeaf(base, addr) : nullptr;
}

inline CellRef ShadowGet(uptr addr) {
  uptr base = ShadowLeaf(addr);
  if (UNLIKELY(!base))
    base = ShadowMapLeaf(addr >> kLeafBits);
  return {CellInLeaf(base, addr), LocsInLeaf(base, addr),
          PageInLeaf(base, addr)};
}

}  // namespace __atsan

#endif  // ATSAN_SHADOW_H
