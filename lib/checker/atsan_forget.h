//===-- atsan_forget.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The look at what is born or dies, inlined into the hooks: mostly there is
// nothing to forget.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_FORGET_H
#define ATSAN_FORGET_H

#include "lib/checker/atsan_checker.h"
#include "lib/checker/atsan_shadow.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

// Four cells side by side.
constexpr uptr kGroup = 4;
struct Group {
  explicit ALWAYS_INLINE Group(const AtomicCell *cell) {
    for (u32 i = 0; i < kGroup; i++)
      c[i] = atomic_load(cell + i, memory_order_acquire);
  }
  // The bits that any of the cells has, and those that all have.
  Cell Any() const { return c[0] | c[1] | c[2] | c[3]; }
  Cell All() const { return c[0] & c[1] & c[2] & c[3]; }

  Cell c[kGroup];
};

// The bits that any of up to three cells has: some are loaded twice.
ALWAYS_INLINE Cell AnyOfFew(const AtomicCell *cell, uptr count) {
  return atomic_load(cell, memory_order_acquire) |
         atomic_load(cell + count / 2, memory_order_acquire) |
         atomic_load(cell + count - 1, memory_order_acquire);
}

// The last group of several overlaps the one before, so as to be whole.
inline uptr NextGroup(uptr i, uptr count) {
  return Min(i + kGroup, count - kGroup);
}

// Is the object made of whole granules of one page, as most are?
ALWAYS_INLINE bool AreWholeGranulesOfAPage(uptr addr, uptr size) {
  return (addr | size) % kGranule == 0 &&
         size - 1 < kShadowPage - addr % kShadowPage && HasShadow(addr);
}

// What is remembered of an object: from the cell at `first` on. The cells
// before that one, or before its group, are empty.
struct History {
  AtomicCell *cell;  // Null: the object is not whole granules of one page.
  Page *page;
  uptr first;
};
// False: nothing is remembered of the object.
ALWAYS_INLINE bool FindHistory(uptr addr, uptr size, History *found) {
  *found = {};
  if (UNLIKELY(!AreWholeGranulesOfAPage(addr, size)))
    return size > kLeafBytes || ShadowLeaf(addr) || ShadowLeaf(addr + size - 1);
  const uptr base = ShadowLeaf(addr);
  if (!base || !IsTouched(base, addr))
    return false;
  AtomicCell *cell = CellInLeaf(base, addr);
  const uptr count = size / kGranule;
  uptr i = 0;
  if (count < kGroup) {
    if (!AnyOfFew(cell, count))
      return false;
  } else {
    for (; !Group(cell + i).Any(); i = NextGroup(i, count))
      if (i == count - kGroup)
        return false;
  }
  *found = {cell, PageInLeaf(base, addr), i};
  return true;
}

void ForgetCells(const CheckerThread *thr, uptr begin, uptr count, uptr first,
                 AtomicCell *cell, Page *page);
void ForgetInPages(const CheckerThread *thr, uptr addr, uptr size);

ALWAYS_INLINE void ForgetHistory(const CheckerThread *thr, uptr addr, uptr size,
                                 const History &history) {
  if (LIKELY(history.cell != nullptr))
    ForgetCells(thr, addr, size / kGranule, history.first, history.cell,
                history.page);
  else
    ForgetInPages(thr, addr, size);
}

}  // namespace __atsan

#endif  // ATSAN_FORGET_H
