//===-- atsan_range.h --------------------------------------*- C++ -*-===//
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

#include "atsan_checker.h"
#include "atsan_shadow.h"

namespace __atsan {

// Parts of IsKnown: of several granules, up to that of `last`; of one whose
// cell held `c`, a list.
bool AreReadAlready(const CheckerThread *thr, uptr addr, uptr last);
bool IsInList(const CheckerThread *thr, const AtomicCell *cell, Cell c,
              u32 bytes, bool is_write);

// Has the transaction accessed these bytes already, at least one, and nobody
// since? A false answer is always right. Needs no lock.
template <bool kIsWrite>
ALWAYS_INLINE bool IsKnown(const CheckerThread *thr, uptr addr, uptr size) {
  const uptr last = addr + size - 1;
  if (addr / kGranule != last / kGranule)
    // What is written has mostly not been written.
    return !kIsWrite && AreReadAlready(thr, addr, last);
  uptr leaf = ShadowLeaf(addr);
  if (UNLIKELY(!leaf))
    return false;
  const AtomicCell *cell = CellInLeaf(leaf, addr);
  Cell c = atomic_load(cell, memory_order_acquire);
  const u32 bytes = ((1u << size) - 1) << addr % kGranule;
  if (UNLIKELY(IsDetail(c)))
    return IsInList(thr, cell, c, bytes, kIsWrite);
  return kIsWrite ? CoversWrite(c, thr->self, bytes)
                  : CoversRead(c, thr->self, bytes);
}

// The access, inside a region, with the id of its location; kind is not kFree.
void CheckerRangeInRegion(CheckerThread *thr, uptr addr, uptr size,
                          AccessKind kind, const AccessPoint &at, LocId loc);

}  // namespace __atsan

#endif  // ATSAN_RANGE_H
