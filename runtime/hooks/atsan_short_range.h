//===-- atsan_short_range.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges of a few bytes, as most are that hooks and interceptors tell: whether
// the transaction has recorded them is asked without a call, and a location is
// looked for near the region's frame first.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SHORT_RANGE_H
#define ATSAN_SHORT_RANGE_H

#include "lib/checker/atsan_range.h"
#include "runtime/hooks/atsan_hook.h"
#include "runtime/memory/atsan_constant_memory.h"

namespace __atsan {

// Whether a range of at least one byte is short, and recorded already. All
// tests are sound without a lock: see CoversRead and IsLive.
template <AccessKind kKind>
ALWAYS_INLINE bool IsShortAndKnown(uptr addr, uptr size) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  const Thread *thr = quick_thread;
  if (UNLIKELY(!thr))
    return false;
  const uptr leaf = ShadowLeaf(addr);
  return LIKELY(leaf && size <= kShortRange) &&
         CoversShort<kIsWrite>(thr->checker.self, CellInLeaf(leaf, addr), addr,
                               size);
}

// A range of so few bytes is recorded granule by granule, as if each were
// alone.
constexpr uptr kFewBytes = 4 * kGranule;

template <AccessKind kKind>
ALWAYS_INLINE bool RecordParts(const Thread *thr, uptr addr, uptr left,
                               LocId loc) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  for (uptr part; left; left -= part, addr += part) {
    part = Min(left, kGranule - addr % kGranule);
    if (!RecordPart<kIsWrite>(&thr->checker, addr, part, loc))
      return false;
  }
  return true;
}

// Records a few bytes that the thread accesses in its region, at a place where
// it has done so before. False: the access is for RecordBytes. `here`: a
// frame below that of `at`.
template <AccessKind kKind>
ALWAYS_INLINE bool RecordFewBytes(uptr addr, uptr size, const AccessPoint &at,
                                  uptr here) {
  Thread *thr = quick_thread;
  if (UNLIKELY(size > kFewBytes) || UNLIKELY(!thr) ||
      UNLIKELY(!RecordsInRegion(thr)))
    return false;
  const LocId loc = FindLocation</*kAny=*/true>(thr, at, kKind, size, here);
  if (UNLIKELY(!loc))
    return false;
  ScopedInRuntime in_runtime(thr);
  return RecordParts<kKind>(thr, addr, size, loc);
}

// The sizes that near locations tell apart.
constexpr uptr kManyBytes = 1 << 15;

// Records an access of any size by the thread in its region. False: the caller
// reports it as if this function were not there, since observers want it, the
// memory is constant, the thread pauses or is in no region, or it is too large.
template <AccessKind kKind>
NOINLINE bool RecordBytes(uptr addr, uptr size, const AccessPoint &at) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  Thread *thr = quick_thread;
  if (UNLIKELY(!thr) || UNLIKELY(!RecordsInRegion(thr)) ||
      UNLIKELY(size > kManyBytes) || (!kIsWrite && IsConstant(addr, size)))
    return false;
  if (IsKnown<kIsWrite>(&thr->checker, addr, size))
    return true;
  LocId loc =
      FindLocation</*kAny=*/true>(thr, at, kKind, size, GET_CURRENT_FRAME());
  ScopedInRuntime in_runtime(thr);
  if (UNLIKELY(!loc))
    loc = InternLocation(&thr->checker, at, kKind, size);
  if (size > kFewBytes || !RecordParts<kKind>(thr, addr, size, loc))
    CheckerRangeInRegion(&thr->checker, addr, size, kKind, at, loc);
  return true;
}

// Records what a copy, or a function of a library, accesses in a region. False:
// as RecordBytes.
template <AccessKind kKind>
ALWAYS_INLINE bool RecordRange(uptr addr, uptr size, const AccessPoint &at) {
  return ((kKind == AccessKind::kWrite || !IsConstant(addr, size)) &&
          RecordFewBytes<kKind>(addr, size, at, GET_CURRENT_FRAME())) ||
         RecordBytes<kKind>(addr, size, at);
}

}  // namespace __atsan

#endif  // ATSAN_SHORT_RANGE_H
