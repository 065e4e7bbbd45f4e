//===-- atsan_range_hooks.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks for ranges, and for loops that access one.
//
//===----------------------------------------------------------------------===//
#include "runtime/hooks/atsan_short_range.h"

using namespace __atsan;

namespace {

// Whether a loop of at least one access reads memory that nobody writes.
ALWAYS_INLINE bool ReadsConstant(uptr first, uptr size, sptr stride, uptr count,
                                 AccessKind kind) {
  const uptr last = first + stride * (count - 1);
  return kind == AccessKind::kRead && IsConstant(Min(first, last), 1) &&
         IsConstant(Max(first, last), size);
}

ALWAYS_INLINE void ReportStrided(uptr first, uptr size, sptr stride, uptr count,
                                 AccessKind kind, const AccessPoint &at) {
  RecordInRuntime([&](Thread *thr) {
    if (IsObserved())
      ObserveAccess(thr, first, size, stride, count, kind, at);
    if (!ReadsConstant(first, size, stride, count, kind))
      CheckerAccessStrided(&thr->checker, first, size, stride, count, kind, at);
  });
}

ALWAYS_INLINE void ReportRows(uptr first, uptr size, uptr width, sptr stride,
                              uptr rows, AccessKind kind,
                              const AccessPoint &at) {
  RecordInRuntime([&](Thread *thr) {
    for (uptr i = 0; IsObserved() && i < width; i++)
      ObserveAccess(thr, first + i * size, size, stride, rows, kind, at);
    if (!ReadsConstant(first, size * width, stride, rows, kind))
      CheckerAccessRows(&thr->checker, first, size, width, stride, rows, kind,
                        at);
  });
}

// Whether a loop accesses all of a range, upwards or downwards.
ALWAYS_INLINE bool IsSideBySide(uptr size, sptr stride) {
  return static_cast<uptr>(stride < 0 ? -stride : stride) == size;
}

template <AccessKind kKind>
NOINLINE void RangeSlowly(void *p, uptr size) {
  if (!GateIsOpen())
    return;
  const uptr addr = reinterpret_cast<uptr>(p);
  AccessPoint at = ATSAN_CALLER_POINT();
  if (!RecordBytes<kKind>(addr, size, at))
    ReportAccess(addr, size, kKind, at);
  if (kKind == AccessKind::kWrite)
    ReportPointers(addr, size, at);
}

template <AccessKind kKind>
NOINLINE void RangeQuickly(void *p, uptr size) {
  const AccessPoint at = ATSAN_CALLER_POINT();
  if (!RecordFewBytes<kKind>(reinterpret_cast<uptr>(p), size, at,
                             GET_CURRENT_FRAME())) [[clang::musttail]]
    return RangeSlowly<kKind>(p, size);
}

template <AccessKind kKind>
NOINLINE void LoopSlowly(void *first, uptr size, sptr stride, uptr count) {
  if (!GateIsOpen())
    return;
  const uptr addr = reinterpret_cast<uptr>(first);
  AccessPoint at = ATSAN_CALLER_POINT();
  ReportStrided(addr, size, stride, count, kKind, at);
  for (uptr i = 0; kKind == AccessKind::kWrite && IsObserved() && i < count;
       i++)
    ReportPointers(addr + i * stride, size, at);
}

// Records a loop that accesses all of a range, in a region, at a place where
// the thread has done so before. False: it is for the general way.
template <AccessKind kKind>
NOINLINE bool RecordLoop(uptr first, uptr size, sptr stride, uptr count,
                         const AccessPoint &at) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  Thread *thr = quick_thread;
  if (UNLIKELY(!thr) || UNLIKELY(!RecordsInRegion(thr)))
    return false;
  const uptr bytes = size * count;
  const uptr begin = stride < 0 ? first + size - bytes : first;
  // A short one that is known does not come here.
  if (bytes > kShortRange && IsKnown<kIsWrite>(&thr->checker, begin, bytes))
    return true;
  if (bytes > kFewBytes && !kIsWrite && IsConstant(begin, bytes))
    return false;
  const LocId loc = FindLocation(thr, at, kKind, size, GET_CURRENT_FRAME());
  if (UNLIKELY(!loc))
    return false;
  ScopedInRuntime in_runtime(thr);
  if (bytes > kFewBytes || !RecordParts<kKind>(thr, begin, bytes, loc))
    CheckerAccessStrided(&thr->checker, first, size, stride, count, kKind, at,
                         loc);
  return true;
}

template <AccessKind kKind>
NOINLINE void LoopWithoutGaps(void *first, uptr size, sptr stride, uptr count) {
  if (!RecordLoop<kKind>(reinterpret_cast<uptr>(first), size, stride, count,
                         ATSAN_CALLER_POINT())) [[clang::musttail]]
    return LoopSlowly<kKind>(first, size, stride, count);
}

constexpr uptr kFewRounds = 8;

// Records a loop of few rounds in a region.
template <AccessKind kKind>
NOINLINE void ShortLoop(void *first, uptr size, sptr stride, uptr count) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  Thread *thr = quick_thread;
  if (thr && RecordsInRegion(thr)) {
    AccessPoint at = ATSAN_CALLER_POINT();
    if (LocId loc = FindLocation(thr, at, kKind, size, GET_CURRENT_FRAME())) {
      ScopedInRuntime in_runtime(thr);
      uptr addr = reinterpret_cast<uptr>(first);
      while (count && addr % kGranule + size <= kGranule &&
             RecordPart<kIsWrite>(&thr->checker, addr, size, loc)) {
        addr += stride;
        count--;
      }
      if (!count)
        return;
      first = reinterpret_cast<void *>(addr);
    }
  }
  [[clang::musttail]] return LoopSlowly<kKind>(first, size, stride, count);
}

template <AccessKind kKind>
NOINLINE void LoopWithGaps(void *first, uptr size, sptr stride, uptr count) {
  if (UNLIKELY(count > kFewRounds)) [[clang::musttail]]
    return LoopSlowly<kKind>(first, size, stride, count);
  uptr addr = reinterpret_cast<uptr>(first);
  for (uptr i = 0; i < count; i++, addr += stride)
    if (!IsShortAndKnown<kKind>(addr, size)) [[clang::musttail]]
      return ShortLoop<kKind>(first, size, stride, count);
}

template <AccessKind kKind>
ALWAYS_INLINE void WholeLoop(void *first, uptr size, sptr stride, uptr count) {
  if (!IsSideBySide(size, stride)) [[clang::musttail]]
    return LoopWithGaps<kKind>(first, size, stride, count);
  const uptr bytes = size * count;
  const uptr addr = reinterpret_cast<uptr>(first);
  if (!IsShortAndKnown<kKind>(stride < 0 ? addr + size - bytes : addr, bytes))
      [[clang::musttail]]
    return LoopWithoutGaps<kKind>(first, size, stride, count);
}

}  // namespace

extern "C" {

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read_range(void *addr, uptr size) {
  // A read that would have happened on another way has a size of 0.
  if (size && !IsShortAndKnown<AccessKind::kRead>(reinterpret_cast<uptr>(addr),
                                                  size)) [[clang::musttail]]
    return RangeQuickly<AccessKind::kRead>(addr, size);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write_range(void *addr, uptr size) {
  if (!IsShortAndKnown<AccessKind::kWrite>(reinterpret_cast<uptr>(addr), size))
      [[clang::musttail]]
    return RangeQuickly<AccessKind::kWrite>(addr, size);
}

// For a whole loop: `count` accesses, the first at `first`.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read_strided(void *first, uptr size,
                                                        sptr stride,
                                                        uptr count) {
  WholeLoop<AccessKind::kRead>(first, size, stride, count);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write_strided(void *first, uptr size,
                                                         sptr stride,
                                                         uptr count) {
  WholeLoop<AccessKind::kWrite>(first, size, stride, count);
}

// For a whole loop that makes `width` accesses to neighbouring memory in each
// of its `rows` iterations: the first ones begin at `first`.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read_rows(void *first, uptr size,
                                                     uptr width, sptr stride,
                                                     uptr rows) {
  ReportRows(reinterpret_cast<uptr>(first), size, width, stride, rows,
             AccessKind::kRead, ATSAN_CALLER_POINT());
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write_rows(void *first, uptr size,
                                                      uptr width, sptr stride,
                                                      uptr rows) {
  AccessPoint at = ATSAN_CALLER_POINT();
  uptr addr = reinterpret_cast<uptr>(first);
  ReportRows(addr, size, width, stride, rows, AccessKind::kWrite, at);
  for (uptr i = 0; IsObserved() && i < rows; i++)
    for (uptr j = 0; j < width; j++)
      ReportPointers(addr + i * stride + j * size, size, at);
}

}  // extern "C"
