//===-- atsan_cell.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is remembered about one granule (8 aligned bytes): for each byte the
// last write and the reads since, each with its transaction and location.
//
// One word suffices while a single transaction holds everything known:
//
//   63 62 | 61 .. 48 | 47 ............. 16 | 15 .... 8 | 7 ..... 0
//   mode  |   slot   |  transaction index  | writes    | reads
//
//   mode 0: empty (0) or one transaction; the masks tell which bytes it wrote,
//           and which it read without having written them.
//   mode 1: the list of the cell is being changed, by who is at work in the
//           page (atsan_page.h).
//   mode 2: the low 26 bits name a list of entries (atsan_detail.h), bit 61
//           says that threads log their reads (atsan_read_log.h), the rest is a
//           version that changes with every change of the list.
//   mode 3: what is known is in the page's sweeps (atsan_sweep.h).
//
// A location is kept for each half of the granule, so that neighbouring 4-byte
// objects need no list. Mixtures within a half are locations of their own
// (atsan_mixed_loc.h).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_CELL_H
#define ATSAN_CELL_H

#include "lib/base/Abi.h"
#include "lib/checker/atsan_defs.h"

namespace __atsan {

typedef u64 Cell;

constexpr uptr kGranule = atsan_abi::kGranule;
constexpr u32 kWhole = 0xff;  // All bytes of a granule, as a bit mask.
constexpr u32 kMaxSlots = 1 << 14;
constexpr SlotId kNoSlot = ~0u;

constexpr Cell kEmptyCell = 0;
constexpr Cell kLockedCell = 1ull << 62;
constexpr Cell kDetailMode = 2ull << 62;
constexpr Cell kSweptCell = 3ull << 62;
constexpr Cell kModeMask = 3ull << 62;
constexpr Cell kLoggedBit = 1ull << 61;

constexpr u32 kIndexShift = 16;
constexpr u32 kSlotShift = 48;
constexpr u32 kWriteShift = 8;

typedef u32 BlockId;  // 0: no block.
constexpr u32 kBlockBits = 26;

inline Cell MakeCell(SlotId slot, TxnIndex index, u32 writes = 0,
                     u32 reads = 0) {
  return static_cast<u64>(slot) << kSlotShift |
         static_cast<u64>(index) << kIndexShift | writes << kWriteShift | reads;
}

inline bool IsLocked(Cell c) { return c == kLockedCell; }
inline bool IsSwept(Cell c) { return c == kSweptCell; }
inline bool IsSingle(Cell c) { return (c & kModeMask) == 0; }
inline bool IsDetail(Cell c) { return (c & kModeMask) == kDetailMode; }
inline bool IsLogged(Cell c) {
  return (c & (kModeMask | kLoggedBit)) == (kDetailMode | kLoggedBit);
}

inline BlockId BlockOf(Cell c) { return c & ((1u << kBlockBits) - 1); }

// Versions come in groups: the first of one is new among all lists, the others
// are for changes of the same list by one word (NextInGroup).
constexpr u64 kDetailSteps = 256;
inline u32 StepsInGroup(Cell c) { return (c >> kBlockBits) % kDetailSteps; }
inline bool IsLastInGroup(Cell c) {
  return StepsInGroup(c) == kDetailSteps - 1;
}
inline Cell NextInGroup(Cell c) { return c + (1ull << kBlockBits); }

// The following are for one-transaction cells and for entries of lists.
inline SlotId SlotOf(Cell c) { return (c >> kSlotShift) & (kMaxSlots - 1); }
inline TxnIndex IndexOf(Cell c) { return static_cast<u32>(c >> kIndexShift); }
inline u32 WritesOf(Cell c) { return (c >> kWriteShift) & 0xff; }
inline u32 ReadsOf(Cell c) { return c & 0xff; }
inline u32 BytesOf(Cell c) { return (c | c >> kWriteShift) & 0xff; }
inline Cell WithMasks(Cell c, u32 writes, u32 reads) {
  return (c & ~0xffffull) | writes << kWriteShift | reads;
}

inline bool SameTxn(Cell a, Cell b) { return (a ^ b) >> kIndexShift == 0; }

// Has the transaction `self` already recorded an access of these bytes, and
// nothing else happened to them since? For one-transaction cells. Such an
// access changes nothing: every edge that it could add or receive, the
// recorded one has added or will.
inline bool CoversRead(Cell c, Cell self, u32 bytes) {
  return SameTxn(c, self) && (BytesOf(c) & bytes) == bytes;
}
inline bool CoversWrite(Cell c, Cell self, u32 bytes) {
  return SameTxn(c, self) && (WritesOf(c) & bytes) == bytes;
}

// Does the cell say that the access is known? For one-transaction cells.
template <bool kIsWrite>
inline bool Covers(Cell c, Cell self, u32 bytes) {
  return kIsWrite ? CoversWrite(c, self, bytes) : CoversRead(c, self, bytes);
}

// What the cell of a granule is after nothing but a read, or a write, of all of
// it.
inline Cell WholeRead(Cell self) { return self | kWhole; }
inline Cell WholeWritten(Cell self) { return self | kWhole << kWriteShift; }

// Bytes that an entry holds in conflict with an access.
inline u32 ConflictingBytes(Cell entry, u32 bytes, bool is_write) {
  return (is_write ? BytesOf(entry) : WritesOf(entry)) & bytes;
}

}  // namespace __atsan

#endif  // ATSAN_CELL_H
