//===-- atsan_range.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges of bytes inside a region: functions of libc and copies of memory call
// these instead of CheckerAccess, step by step.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_RANGE_H
#define ATSAN_RANGE_H

#include "lib/checker/atsan_checker.h"
#include "lib/checker/atsan_shadow.h"

namespace __atsan {

// Ranges of so many bytes are looked at without a call. Those of their cells
// that are not in the leaf of the first are some of the empty ones behind it.
constexpr uptr kShortRange = kLeafPadding;

// Does each cell of a short range, from that of `addr` on, say by itself that
// the transaction has accessed these bytes, and nobody since? At least one
// byte.
template <bool kIsWrite>
ALWAYS_INLINE bool CoversShort(Cell self, const AtomicCell *cell, uptr addr,
                               uptr size) {
  if (LIKELY(addr % kGranule == 0)) {
#pragma clang loop unroll(disable)
    for (; size >= kGranule; cell++, size -= kGranule) {
      const Cell c = atomic_load(cell, memory_order_acquire) ^ self;
      if (c != WholeWritten(0) && (kIsWrite || c != WholeRead(0)))
        return false;
    }
    return !size || Covers<kIsWrite>(atomic_load(cell, memory_order_acquire),
                                     self, (1u << size) - 1);
  }
  u32 missing = kWhole << addr % kGranule;
  u32 left = addr % kGranule + size;
  for (;; left -= kGranule, missing = kWhole, cell++) {
    if (left < kGranule)
      missing &= (1u << left) - 1;
    const Cell c = atomic_load(cell, memory_order_acquire) ^ self;
    missing &= kIsWrite ? ~WritesOf(c) : ~BytesOf(c);
    if (c >> kIndexShift || (missing & kWhole))
      return false;
    if (left <= kGranule)
      return true;
  }
}

// Answers IsKnown for any range, and with a look at lists.
bool AreKnown(const CheckerThread *thr, uptr addr, uptr last, bool is_write);

// Has the transaction accessed these bytes already, at least one, and nobody
// since? A false answer is always right. Needs no lock.
template <bool kIsWrite>
ALWAYS_INLINE bool IsKnown(const CheckerThread *thr, uptr addr, uptr size) {
  const uptr leaf = ShadowLeaf(addr);
  if (UNLIKELY(!leaf))
    return false;
  if (size <= kShortRange) {
    const AtomicCell *cell = CellInLeaf(leaf, addr);
    if (CoversShort<kIsWrite>(thr->self, cell, addr, size))
      return true;
    if (addr % kGranule + size <= kGranule &&
        !IsDetail(atomic_load(cell, memory_order_relaxed)))
      return false;
  }
  return AreKnown(thr, addr, addr + size - 1, kIsWrite);
}

// Logs reads in a region from `begin` on, which need no page as long as their
// cells are logged. Returns where that ends, or `end`.
uptr LogReads(const CheckerThread *thr, LocId loc, uptr begin, uptr end);

// Does the access of a range inside a region, with the id of its location; kind
// is not kFree.
void CheckerRangeInRegion(CheckerThread *thr, uptr addr, uptr size,
                          AccessKind kind, const AccessPoint &at, LocId loc);

}  // namespace __atsan

#endif  // ATSAN_RANGE_H
