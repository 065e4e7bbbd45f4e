//===-- atsan_memory_hooks.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass calls in place of memory intrinsics.
//
//===----------------------------------------------------------------------===//
#include "interception/interception.h"
#include "runtime/hooks/atsan_schedule_point.h"
#include "runtime/hooks/atsan_short_range.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __atsan;

DECLARE_REAL(void *, memcpy, void *dst, const void *src, SIZE_T size)
DECLARE_REAL(void *, memmove, void *dst, const void *src, SIZE_T size)
DECLARE_REAL(void *, memset, void *dst, int value, SIZE_T size)

typedef void *(*Copy)(void *dst, const void *src, uptr size);

// Two steps, which others may come between; what is read is kept meanwhile.
static NOINLINE void *CopyScheduled(void *dst, const void *src, uptr size,
                                    const AccessPoint &at) {
  static Place place = {"memcpy", "", 0, 0, 0, 0};
  const uptr from = reinterpret_cast<uptr>(src),
             to = reinterpret_cast<uptr>(dst);
  PointBeforeAccess(from, size, atsan_abi::kPointRead, &place, at);
  if (GateIsOpen())
    ReportAccess(from, size, AccessKind::kRead, at);
  void *kept = InternalAlloc(size);
  internal_memcpy(kept, src, size);
  PointBeforeAccess(to, size, atsan_abi::kPointWrite, &place, at);
  if (GateIsOpen())
    ReportAccess(to, size, AccessKind::kWrite, at);
  internal_memcpy(dst, kept, size);
  InternalFree(kept);
  ReportPointers(to, size, at);
  return dst;
}

template <AccessKind kKind>
static NOINLINE void ReportUnknownRange(uptr addr, uptr size,
                                        const AccessPoint &at) {
  if (!RecordRange<kKind>(addr, size, at))
    ReportAccess(addr, size, kKind, at);
}

template <AccessKind kKind>
static ALWAYS_INLINE void ReportRange(const void *p, uptr size,
                                      const AccessPoint &at) {
  const uptr addr = reinterpret_cast<uptr>(p);
  if (LIKELY(size) && !IsShortAndKnown<kKind>(addr, size))
    ReportUnknownRange<kKind>(addr, size, at);
}

// own: while libc's function is not known yet.
static ALWAYS_INLINE void *ReportCopy(void *dst, const void *src, uptr size,
                                      Copy real, Copy own,
                                      const AccessPoint &at) {
  if (UNLIKELY(SchedulesAreControlled()))
    return CopyScheduled(dst, src, size, at);
  const Copy copy = LIKELY(real) ? real : own;
  if (LIKELY(!__atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED)))
    return copy(dst, src, size);
  ReportRange<AccessKind::kRead>(src, size, at);
  ReportRange<AccessKind::kWrite>(dst, size, at);
  copy(dst, src, size);
  ReportPointers(reinterpret_cast<uptr>(dst), size, at);
  return dst;
}

extern "C" {

// Instead of memory intrinsics, so that the accesses are seen exactly once,
// whatever the code generator would have made of the intrinsic.
SANITIZER_INTERFACE_ATTRIBUTE void *__atsan_memcpy(void *dst, const void *src,
                                                   uptr size) {
  return ReportCopy(dst, src, size, REAL(memcpy), internal_memcpy,
                    ATSAN_CALLER_POINT());
}

SANITIZER_INTERFACE_ATTRIBUTE void *__atsan_memmove(void *dst, const void *src,
                                                    uptr size) {
  return ReportCopy(dst, src, size, REAL(memmove), internal_memmove,
                    ATSAN_CALLER_POINT());
}

SANITIZER_INTERFACE_ATTRIBUTE void *__atsan_memset(void *dst, int value,
                                                   uptr size) {
  static Place place = {"memset", "", 0, 0, 0, 0};
  if (UNLIKELY(SchedulesAreControlled()))
    PointBeforeAccess(reinterpret_cast<uptr>(dst), size, atsan_abi::kPointWrite,
                      &place, ATSAN_CALLER_POINT());
  if (UNLIKELY(__atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED)))
    ReportRange<AccessKind::kWrite>(dst, size, ATSAN_CALLER_POINT());
  return LIKELY(REAL(memset)) ? REAL(memset)(dst, value, size)
                              : internal_memset(dst, value, size);
}

}  // extern "C"
