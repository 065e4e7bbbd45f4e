//===-- atsan_shadow.h -------------------------------------*- C++ -*-===//
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
// program, so address space randomization of any width is fine, and pages that
// no region touches cost nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SHADOW_H
#define ATSAN_SHADOW_H

#include "atsan_cell.h"
#include "sanitizer_common/sanitizer_atomic.h"

namespace __atsan {

constexpr uptr kAddressBits = 47;
constexpr uptr kLeafBits = 24;
constexpr uptr kLeafBytes = 1ull << kLeafBits;  // Of the program's memory.
constexpr uptr kNumLeaves = 1ull << (kAddressBits - kLeafBits);

typedef atomic_uint64_t AtomicCell;

// Where the cell of a granule is, and its locations (low half, high half).
struct CellRef {
  AtomicCell *cell;
  LocId *locs;
};

// A leaf holds the cells, then the locations of the same granules.
extern atomic_uintptr_t *shadow_leaves;

void ShadowInit();
// Unmaps every leaf, for tests.
void ShadowReset();
uptr ShadowMapLeaf(uptr leaf);
uptr ShadowMappedBytes();
// For walks over all cells: the number of leaves, and where each one is.
// Leaves are never unmapped but by ShadowReset.
uptr ShadowNumLeaves();
uptr ShadowLeafBase(uptr i);
void ShadowLockForFork();
void ShadowUnlockAfterFork();

// Addresses that no user program can have (kernel half) have no shadow.
inline bool HasShadow(uptr addr) { return addr >> kAddressBits == 0; }

inline AtomicCell *CellInLeaf(uptr leaf_base, uptr addr) {
  return reinterpret_cast<AtomicCell *>(
      leaf_base + (addr & (kLeafBytes - 1) & ~(kGranule - 1)));
}

// The cell, or nullptr if the leaf was never written.
inline AtomicCell *ShadowFind(uptr addr) {
  uptr base =
      atomic_load(&shadow_leaves[addr >> kLeafBits], memory_order_acquire);
  return base ? CellInLeaf(base, addr) : nullptr;
}

inline CellRef ShadowGet(uptr addr) {
  uptr base =
      atomic_load(&shadow_leaves[addr >> kLeafBits], memory_order_acquire);
  if (UNLIKELY(!base))
    base = ShadowMapLeaf(addr >> kLeafBits);
  return {CellInLeaf(base, addr),
          reinterpret_cast<LocId *>(
              base + kLeafBytes + (addr & (kLeafBytes - 1) & ~(kGranule - 1)))};
}

}  // namespace __atsan

#endif  // ATSAN_SHADOW_H
