//===-- atsan_single.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a cell of a single transaction, or an empty one, becomes by an access
// that needs no edge.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SINGLE_H
#define ATSAN_SINGLE_H

#include "lib/checker/atsan_graph.h"
#include "lib/checker/atsan_mixed_loc.h"

namespace __atsan {

// Records what a transaction adds to its own cell. False if that needs a list.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordMore(u32 bytes, LocId loc, Cell *cell, LocId *locs) {
  Cell old = *cell;
  // A read adds nothing to what the transaction has done to a byte before.
  u32 added = kIsWrite ? bytes : bytes & ~BytesOf(old);
  u32 kept = BytesOf(old) & ~added;
  LocId low = loc, high = loc;
  if (added & 0x0f)
    low = LocOfHalf(locs[0], kept & 0x0f, loc);
  if (added & 0xf0)
    high = LocOfHalf(locs[1], kept >> 4, loc);
  if (UNLIKELY(!low || !high))
    return false;
  if (added & 0x0f)
    locs[0] = low;
  if (added & 0xf0)
    locs[1] = high;
  *cell = kIsWrite ? (old & ~static_cast<Cell>(bytes)) | bytes << kWriteShift
                   : old | added;
  return true;
}

// Records an access that takes the place of everything in the cell.
template <bool kIsWrite>
ALWAYS_INLINE void RecordAnew(Cell self, u32 bytes, LocId loc, Cell *cell,
                              LocId *locs) {
  if (bytes & 0x0f)
    locs[0] = loc;
  if (bytes & 0xf0)
    locs[1] = loc;
  *cell = self | bytes << (kIsWrite ? kWriteShift : 0);
}

// Does a write, or a later read of the same thread, say all that `old` says of
// a live transaction?
template <bool kIsWrite>
ALWAYS_INLINE bool Supersedes(Cell old, u32 bytes) {
  return !(BytesOf(old) & ~bytes) && (kIsWrite || !WritesOf(old));
}

// Is `old` of the slot of `self`, and superseded by the access? One test for a
// word that is of a single transaction, or empty, or neither.
template <bool kIsWrite>
ALWAYS_INLINE bool SupersedesOwn(Cell old, Cell self, u32 bytes) {
  static_assert(kSlotShift == 48 && kIndexShift == 16, "halves of a word");
  Cell x = old ^ self;
  u32 without_index = x << 16 | x >> 48;
  u32 allowed = kIsWrite ? bytes << kWriteShift | bytes : bytes;
  return (without_index & ~(allowed << 16)) == 0;
}

// Does the access leave a single transaction in the cell (which is no list)?
// Then *cell and locs become that. Edges have been seen to.
template <bool kIsWrite>
ALWAYS_INLINE bool RecordSingle(Cell self, u32 bytes, LocId loc, Cell *cell,
                                LocId *locs) {
  Cell old = *cell;
  if (SameTxn(old, self))
    return RecordMore<kIsWrite>(bytes, loc, cell, locs);
  if (old && IsLive(TxnOf(old)) &&
      ((!kIsWrite && SlotOf(old) != SlotOf(self)) ||
       !Supersedes<kIsWrite>(old, bytes)))
    return false;
  RecordAnew<kIsWrite>(self, bytes, loc, cell, locs);
  return true;
}

}  // namespace __atsan

#endif  // ATSAN_SINGLE_H
