//===-- atsan_mixed_loc.cpp -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of quadruples: found without a lock, added under one.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_mixed_loc.h"

#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

alignas(SANITIZER_CACHE_LINE_SIZE) MixedLoc mixed_locs[kNumMixedLocs];
StaticSpinMutex mixed_mutex;

// The number of the quadruple, or of the place for it, or 0. Places are never
// freed, so whoever finds a set full goes on where the quadruple was put.
static ALWAYS_INLINE LocId Find(u64 first_two, u64 last_two, bool *is_there) {
  const u64 hash =
      (first_two * 0x9e3779b97f4a7c15ull ^ last_two) * 0x9e3779b97f4a7c15ull;
  u32 part = 0, sets = kMixedSets;
  for (u32 i = 0; i < kMixedParts; i++) {
    const u32 set = part + (hash >> 32) % sets * kMixedWays;
    for (u32 j = set; j < set + kMixedWays; j++) {
      u64 first = atomic_load(&mixed_locs[j].first_two, memory_order_acquire);
      *is_there = first != 0;
      if (!first ||
          (first == first_two && atomic_load(&mixed_locs[j].last_two,
                                             memory_order_relaxed) == last_two))
        return kMixedLocs + j;
    }
    part += sets * kMixedWays;
    sets *= kMixedGrowth;
  }
  return 0;
}

static NOINLINE LocId Add(u64 first_two, u64 last_two) {
  SpinMutexLock lock(&mixed_mutex);
  bool is_there;
  LocId id = Find(first_two, last_two, &is_there);
  if (id && !is_there) {
    MixedLoc &mixed = mixed_locs[id - kMixedLocs];
    atomic_store(&mixed.last_two, last_two, memory_order_relaxed);
    atomic_store(&mixed.first_two, first_two, memory_order_release);
  }
  return id;
}

// The location as that of two bytes.
static u64 Both(LocId loc) { return static_cast<u64>(loc) << 32 | loc; }

// The locations of two bytes: those in the bit mask `kept` from `old`, others
// from `fresh`.
static u64 Choose(u32 kept, u64 old, u64 fresh) {
  constexpr u64 kMasks[] = {0, ~0u, ~0ull << 32, ~0ull};
  u64 mask = kMasks[kept];
  return (old & mask) | (fresh & ~mask);
}

LocId MixLocs(LocId old, u32 kept, LocId loc) {
  u64 old_first = Both(old), old_last = old_first;
  if (IsMixed(old)) {
    const MixedLoc &mixed = mixed_locs[old - kMixedLocs];
    old_first = atomic_load(&mixed.first_two, memory_order_relaxed);
    old_last = atomic_load(&mixed.last_two, memory_order_relaxed);
  }
  // Bytes that nobody has accessed get the new location, too: mostly they are
  // next.
  u64 first = Choose(kept & 3, old_first, Both(loc));
  u64 last = Choose(kept >> 2, old_last, Both(loc));
  if (first == old_first && last == old_last)
    return old;
  if (!first)
    return 0;
  bool is_there;
  LocId id = Find(first, last, &is_there);
  return !id || is_there ? id : Add(first, last);
}

void MixedLocsReset() {
  SpinMutexLock lock(&mixed_mutex);
  internal_memset(mixed_locs, 0, sizeof(mixed_locs));
}

}  // namespace __atsan
