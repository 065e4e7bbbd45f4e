//===-- atsan_exempt.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory in which no two accesses conflict: what a library shares within
// itself. It is asked when an edge is about to be added, so that all other ways
// of an access know nothing of it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_EXEMPT_H
#define ATSAN_EXEMPT_H

#include "lib/checker/atsan_defs.h"
#include "sanitizer_common/sanitizer_atomic.h"

namespace __atsan {

struct ExemptRange {
  uptr begin;
  uptr size;
};
constexpr u32 kMaxExemptRanges = 64;
struct ExemptMemory {
  ExemptRange ranges[kMaxExemptRanges];
  atomic_uint32_t count;
};
extern ExemptMemory exempt_memory;

inline bool IsExempt(uptr addr) {
  u32 count = atomic_load(&exempt_memory.count, memory_order_acquire);
  for (u32 i = 0; i < count; i++)
    if (addr - exempt_memory.ranges[i].begin < exempt_memory.ranges[i].size)
      return true;
  return false;
}

// Makes a range exempt, unless there is no room for it. To be called by one
// thread at a time.
void AddExempt(uptr begin, uptr size);

}  // namespace __atsan

#endif  // ATSAN_EXEMPT_H
