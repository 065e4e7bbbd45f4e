//===-- atsan_mixed_loc.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Half a granule whose bytes one transaction accessed at several places: a
// string that grows, a structure of small members. Its location is the number
// of a quadruple in a table, with a location for each byte. There are few: the
// places of a program that meet in memory. One for which the table has no room
// is a list (atsan_detail.h).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_MIXED_LOC_H
#define ATSAN_MIXED_LOC_H

#include "lib/checker/atsan_cell.h"
#include "sanitizer_common/sanitizer_atomic.h"

namespace __atsan {

constexpr u32 kHalfBytes = kGranule / 2;  // Bytes in half a granule.

// The locations of four bytes. Written once, first_two last.
struct MixedLoc {
  atomic_uint64_t first_two;  // Locations of the bytes 0 and 1; 0: unused.
  atomic_uint64_t last_two;
};

// A quadruple may be in one set only. Tests have few sets.
#ifndef ATSAN_MIXED_SETS
#define ATSAN_MIXED_SETS 2048
#endif
constexpr u32 kMixedSets = ATSAN_MIXED_SETS;
constexpr u32 kMixedWays = SANITIZER_CACHE_LINE_SIZE / sizeof(MixedLoc);
extern MixedLoc mixed_locs[kMixedSets * kMixedWays];

// The numbers of quadruples begin here, above all other locations.
constexpr LocId kMixedLocs = 0xffff0000;
COMPILER_CHECK(kMixedSets *kMixedWays < 0xffff);

inline bool IsMixed(LocId loc) {
  return loc - kMixedLocs < kMixedSets * kMixedWays;
}

// The location of a byte (0 to 3) that was accessed, in a half with location
// `loc`.
inline LocId LocOfByte(LocId loc, u32 byte) {
  if (LIKELY(!IsMixed(loc)))
    return loc;
  const MixedLoc &mixed = mixed_locs[loc - kMixedLocs];
  u64 two = atomic_load(byte < 2 ? &mixed.first_two : &mixed.last_two,
                        memory_order_relaxed);
  return static_cast<u32>(two >> byte % 2 * 32);
}

// The location of a half where the bytes `kept` (bit mask) have that of `old`,
// and others `loc`; or 0, if there is no room for it.
LocId MixLocs(LocId old, u32 kept, LocId loc);
ALWAYS_INLINE LocId LocOfHalf(LocId old, u32 kept, LocId loc) {
  return LIKELY(!kept || old == loc) ? loc : MixLocs(old, kept, loc);
}

void MixedLocsReset();
void MixedLocsLockForFork();
void MixedLocsUnlockAfterFork();

}  // namespace __atsan

#endif  // ATSAN_MIXED_LOC_H
