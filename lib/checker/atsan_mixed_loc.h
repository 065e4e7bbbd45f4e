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
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

constexpr u32 kHalfBytes = kGranule / 2;  // Bytes in half a granule.

// The locations of four bytes. Written once, first_two last.
struct MixedLoc {
  atomic_uint64_t first_two;  // Locations of the bytes 0 and 1; 0: unused.
  atomic_uint64_t last_two;
};

// The table has parts, each larger than the one before by a factor: a small
// program touches little memory, a large one has some half a million
// quadruples. In each part a quadruple may be in one set only. Tests have few
// sets.
#ifndef ATSAN_MIXED_SETS
#define ATSAN_MIXED_SETS 2048
#endif
#ifndef ATSAN_MIXED_GROWTH
#define ATSAN_MIXED_GROWTH 8
#endif
constexpr u32 kMixedSets = ATSAN_MIXED_SETS;  // The sets of the first part.
constexpr u32 kMixedGrowth = ATSAN_MIXED_GROWTH;
constexpr u32 kMixedParts = 3;  // kNumMixedLocs counts so many.
constexpr u32 kMixedWays = SANITIZER_CACHE_LINE_SIZE / sizeof(MixedLoc);
constexpr u32 kNumMixedLocs =
    kMixedSets * kMixedWays * (1 + kMixedGrowth * (1 + kMixedGrowth));
extern MixedLoc mixed_locs[kNumMixedLocs];

// The numbers of quadruples begin here, above all other locations.
constexpr LocId kMixedLocs = 0xfff00000;
COMPILER_CHECK(kNumMixedLocs < 0xfffff);

inline bool IsMixed(LocId loc) { return loc - kMixedLocs < kNumMixedLocs; }

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

// For tests: no cell may have such a location any more.
void MixedLocsReset();
// A fork holds it, too (CheckerLockForFork).
extern ATSAN_HIDDEN StaticSpinMutex mixed_mutex;

}  // namespace __atsan

#endif  // ATSAN_MIXED_LOC_H
