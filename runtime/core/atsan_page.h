//===-- atsan_page.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who may change the cells of a page of shadow memory, and how.
//
// The first thread that records something in a page owns it and changes its
// cells with plain stores. When another one wants to change a cell there, the
// page becomes shared, for good: from then on a cell is locked with an atomic
// operation before it is changed.
//
// The owner says in `cell_work` that it is at work in the page before it looks
// whether the page is still its own. Whoever takes the page away looks at
// cell_work afterwards. Between the owner's two steps stands no fence, because
// membarrier(2) supplies one to all threads at once (docs/soundness.md).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_PAGE_H
#define ATSAN_PAGE_H

#include "atsan_checker.h"
#include "atsan_shadow.h"

namespace __atsan {

// Other values of a PageWord are slots + 1. No cell of an untouched page was
// ever used.
constexpr u32 kUntouchedPage = 0;
constexpr u32 kSharedPage = ~0u;
constexpr u32 kPageChangesHands = ~0u - 1;

// Where the thread of a slot changes a cell: the number of the page, or 0.
struct alignas(SANITIZER_CACHE_LINE_SIZE) CellWork {
  atomic_uintptr_t page;
};
extern CellWork cell_work[kMaxSlots];

void PageInit();
// From now on a cell of the page is locked before it is changed. Waits for the
// owner; the caller may not be at work in any page.
void PageShare(uptr addr, PageWord *word);
// A page without an owner gets one. Returns its word.
u32 PageClaim(const CheckerThread *thr, PageWord *word);
// A fork stops changes of ownership. In the child, where the other threads are
// no more, what they held is freed.
void PageLockForFork();
void PageUnlockAfterFork();
void PagesAfterForkInChild(u32 num_slots);

inline void LeavePage(const CheckerThread *thr) {
  atomic_store(&cell_work[thr->slot].page, 0, memory_order_release);
}

inline void MarkCellWork(const CheckerThread *thr, uptr addr) {
  atomic_store(&cell_work[thr->slot].page, addr / kShadowPage,
               memory_order_relaxed);
}

// Does the calling thread own the page? Then until LeavePage, for sure.
inline bool EnterPage(const CheckerThread *thr, uptr addr, PageWord *word) {
  MarkCellWork(thr, addr);
  atomic_signal_fence(memory_order_seq_cst);
  u32 owner = atomic_load(word, memory_order_acquire);
  if (UNLIKELY(owner == kUntouchedPage))
    owner = PageClaim(thr, word);
  return owner == thr->slot + 1;
}

}  // namespace __atsan

#endif  // ATSAN_PAGE_H
