//===-- atsan_detail.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of entries for granules whose bytes belong to several transactions or
// locations. An entry is a one-transaction cell with one location.
//
// The owner of the cell's lock changes a list. Anybody may scan one without the
// lock and must then look whether the cell still holds the same word: blocks
// are recycled but never unmapped, so that such a scan reads stale data at
// worst.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_DETAIL_H
#define ATSAN_DETAIL_H

#include "atsan_cell.h"
#include "sanitizer_common/sanitizer_atomic.h"

namespace __atsan {

typedef u32 BlockId;  // 0: none.

constexpr u32 kBlockEntries = 6;

struct DetailBlock {
  atomic_uint64_t entries[kBlockEntries];  // 0: unused.
  LocId locs[kBlockEntries];
  atomic_uint32_t next;
  u32 unused;
};

inline BlockId BlockOf(Cell c) { return static_cast<u32>(c); }
// The word for a changed list, after `previous`.
inline Cell MakeDetailCell(BlockId block, u32 version) {
  return kDetailMode | static_cast<u64>(version & 0x3fffffff) << 32 | block;
}

DetailBlock *GetBlock(BlockId id);
BlockId AllocBlock();
void FreeChain(BlockId id);
u64 DetailBlocksInUse();
void DetailReset();
void DetailLockForFork();
void DetailUnlockAfterFork();

// Calls f(entry, loc, slot-in-list) for each used entry, until it returns
// false.
template <typename F>
void ForEachEntry(BlockId id, F f) {
  // The bound only matters to scans without the lock.
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

// Adds an entry to the list; bytes of the same transaction and location share
// one.
void AddEntry(BlockId id, Cell entry, LocId loc);

// The version of the next change of any list: unique for long enough.
u32 NextDetailVersion();

// Frees the list and returns a cell without one, if what it holds fits
// (otherwise returns 0 and leaves it alone). `locs`: the cell's two locations.
// An empty list gives an empty cell: *fits tells.
Cell CollapseDetail(BlockId id, LocId *locs, bool *fits);

}  // namespace __atsan

#endif  // ATSAN_DETAIL_H
