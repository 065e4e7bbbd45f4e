//===-- atsan_detail.cpp ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pool of entry blocks, and operations on one list.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_detail.h"

#include "lib/checker/atsan_mixed_loc.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

atomic_uintptr_t block_segments[kNumSegments];
StaticSpinMutex pool_mutex;
static BlockId free_list;
static u32 num_blocks = 1;  // 0 is no block.
static u64 blocks_in_use;

BlockId AllocBlock() {
  SpinMutexLock lock(&pool_mutex);
  blocks_in_use++;
  BlockId id = free_list;
  if (id) {
    free_list = atomic_load_relaxed(&GetBlock(id)->next);
    atomic_store_relaxed(&GetBlock(id)->next, 0);
    return id;
  }
  id = num_blocks++;
  u32 segment = id >> kSegmentBits;
  if (segment >= kNumSegments) {
    Report(
        "FATAL: AtomicitySanitizer: out of shadow entries: more than %u "
        "granules are shared by several open regions\n",
        kNumSegments * kSegmentBlocks);
    Die();
  }
  if (!atomic_load_relaxed(&block_segments[segment]))
    atomic_store(&block_segments[segment],
                 reinterpret_cast<uptr>(
                     MmapNoReserveOrDie(kSegmentBlocks * sizeof(DetailBlock),
                                        "AtomicitySanitizer shadow entries")),
                 memory_order_release);
  // A block is written before it is read (see ShadowPopulate).
  atomic_store_relaxed(&GetBlock(id)->next, 0);
  return id;
}

void FreeChain(BlockId id) {
  while (id) {
    DetailBlock *b = GetBlock(id);
    BlockId next = atomic_load_relaxed(&b->next);
    for (u32 i = 0; i < kBlockEntries; i++)
      atomic_store_relaxed(&b->entries[i], kEmptyCell);
    SpinMutexLock lock(&pool_mutex);
    atomic_store_relaxed(&b->next, free_list);
    free_list = id;
    blocks_in_use--;
    id = next;
  }
}

u64 DetailBlocksInUse() {
  SpinMutexLock lock(&pool_mutex);
  return blocks_in_use;
}

void DetailReset() {
  SpinMutexLock lock(&pool_mutex);
  for (u32 id = 1; id < num_blocks; id++)
    internal_memset(GetBlock(id), 0, sizeof(DetailBlock));
  free_list = 0;
  num_blocks = 1;
  blocks_in_use = 0;
}

Cell NewDetailCell(BlockId block) {
  static atomic_uint64_t version;
  u64 v = atomic_fetch_add(&version, 1, memory_order_relaxed);
  Cell shifted = v * kDetailSteps << kBlockBits;
  return kDetailMode | (shifted & ~(kModeMask | kLoggedBit)) | block;
}

BlockId AddEntry(BlockId id, Cell entry, LocId loc) {
  for (;;) {
    DetailBlock *b = GetBlock(id);
    for (u32 i = 0; i < kBlockEntries; i++) {
      Cell e = atomic_load_relaxed(&b->entries[i]);
      if (!e || (SameTxn(e, entry) && b->locs[i] == loc)) {
        atomic_store_relaxed(&b->entries[i], e | entry);
        b->locs[i] = loc;
        return id;
      }
    }
    BlockId next = atomic_load_relaxed(&b->next);
    if (!next) {
      next = AllocBlock();
      atomic_store_relaxed(&b->next, next);
    }
    id = next;
  }
}

BlockId AddCell(BlockId id, Cell c, const LocId *locs) {
  for (u32 byte = 0; byte < kGranule;) {
    const LocId half = locs[byte / kHalfBytes];
    const u32 count = IsMixed(half) ? 1 : kHalfBytes;
    const u32 bytes = ((1u << count) - 1) << byte;
    const Cell entry = WithMasks(c, WritesOf(c) & bytes, ReadsOf(c) & bytes);
    if (BytesOf(entry))
      id = AddEntry(id, entry, LocOfByte(half, byte % kHalfBytes));
    byte += count;
  }
  return id;
}

Cell FinishDetail(BlockId id, LocId *locs) {
  Cell all = kEmptyCell;
  LocId new_locs[2] = {0, 0};
  bool fits = true;
  ForEachEntry(id, [&](Cell e, LocId loc, atomic_uint64_t *) {
    if (all && !SameTxn(all, e))
      return fits = false;
    for (u32 half = 0; half < 2; half++) {
      u32 bytes = BytesOf(e) >> 4 * half & 0xf;
      u32 kept = BytesOf(all) >> 4 * half & 0xf;
      if (!bytes)
        continue;
      // Merged transactions may have written and read the same byte.
      if ((bytes & kept) && new_locs[half] != loc)
        return fits = false;
      new_locs[half] = LocOfHalf(new_locs[half], kept, loc);
      fits &= new_locs[half] != 0;
    }
    all |= e;
    return fits;
  });
  if (!fits)
    return NewDetailCell(id);
  locs[0] = new_locs[0];
  locs[1] = new_locs[1];
  FreeChain(id);
  return all;
}

}  // namespace __atsan
