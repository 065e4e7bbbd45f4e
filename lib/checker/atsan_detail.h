//===-- atsan_detail.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of entries for granules whose bytes belong to several transactions (or
// to more mixtures of locations than the table for these has room for). An
// entry is a one-transaction cell with one location.
//
// Who is at work in the page (atsan_page.h) changes a list. Anybody else may
// scan one and must then look whether the cell still holds the same word:
// blocks are recycled but never unmapped, so that such a scan reads stale data
// at worst.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_DETAIL_H
#define ATSAN_DETAIL_H

#include "lib/checker/atsan_shadow.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

constexpr u32 kBlockEntries = 5;

struct alignas(SANITIZER_CACHE_LINE_SIZE) DetailBlock {
  atomic_uint64_t entries[kBlockEntries];  // 0: the place is free.
  LocId locs[kBlockEntries];
  atomic_uint32_t next;
};

// Blocks are allocated by the segment.
constexpr u32 kSegmentBits = 12;
constexpr u32 kSegmentBlocks = 1 << kSegmentBits;
constexpr u32 kNumSegments = 1 << (kBlockBits - kSegmentBits);
extern ATSAN_HIDDEN atomic_uintptr_t block_segments[kNumSegments];

// The block of an id, which may be from a word that is out of date.
inline DetailBlock *GetBlock(BlockId id) {
  uptr base =
      atomic_load(&block_segments[id >> kSegmentBits], memory_order_relaxed);
  return reinterpret_cast<DetailBlock *>(base) + id % kSegmentBlocks;
}
BlockId AllocBlock();
void FreeChain(BlockId id);
u64 DetailBlocksInUse();
void DetailReset();
// A fork holds it, too (CheckerLockForFork).
extern ATSAN_HIDDEN StaticSpinMutex pool_mutex;

// Calls f(entry, loc, slot-in-list) for each used entry, until it returns
// false.
template <typename F>
void ForEachEntry(BlockId id, F f) {
  // The bound only matters to scans by others.
  for (u32 steps = 0; id && steps < (1 << 16); steps++) {
    DetailBlock *b = GetBlock(id);
    for (u32 i = 0; i < kBlockEntries; i++) {
      Cell e = atomic_load_relaxed(&b->entries[i]);
      if (e && !f(e, b->locs[i], &b->entries[i]))
        return;
    }
    id = atomic_load_relaxed(&b->next);
  }
}

// Is the first block of a list full? Then a reader that finds no place there
// walks along all of the list.
inline bool IsFull(BlockId id) {
  const DetailBlock *b = GetBlock(id);
  for (const atomic_uint64_t &entry : b->entries)
    if (!atomic_load_relaxed(&entry))
      return false;
  return true;
}

// Adds an entry to the list, of which `id` is any block: only those from there
// on are looked at. Bytes of the same transaction and location share one entry
// there. Returns the block that has it.
BlockId AddEntry(BlockId id, Cell entry, LocId loc);
// Adds what a cell of a single transaction says, one entry for each location.
// From `id` on, and with the same result, as AddEntry.
BlockId AddCell(BlockId id, Cell c, const LocId *locs);

// Scans of the cell's list are void from here until the cell gets another word.
inline void BeginListChange(AtomicCell *cell) {
  atomic_store(cell, kLockedCell, memory_order_relaxed);
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

// The word for a list that was changed: no list had it for long enough.
Cell NewDetailCell(BlockId block);

// Makes a cell for what the list holds: without a list, which is then freed, if
// that fits. `locs`: the cell's two locations.
Cell FinishDetail(BlockId id, LocId *locs);

}  // namespace __atsan

#endif  // ATSAN_DETAIL_H
