//===-- atsan_page.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who may change the cells of a page of shadow memory: one thread at a time.
//
// The first thread that records something in a page owns it: it enters and
// leaves the page with plain loads and stores. When another one wants to change
// a cell there, the page becomes shared: from then on it is locked with an
// atomic operation on the way in, until one thread has come so often in a row
// that it is made the owner (a biased lock).
//
// The owner says in `cell_work` that it is at work in the page before it looks
// whether the page is still its own. Whoever takes the page away looks at
// cell_work afterwards. Between the owner's two steps stands no fence: the
// owner is asked to answer when it is at work nowhere, and if it does not do so
// soon, membarrier(2) supplies a fence to all threads at once
// (docs/soundness.md).
//
// Threads that meet again and again in a shared page lock single cells instead,
// until one of them wants more than a cell.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_PAGE_H
#define ATSAN_PAGE_H

#include "lib/checker/atsan_checker.h"
#include "lib/checker/atsan_shadow.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

// Other values of a page's word are owners' (OwnerWord). No cell of an
// untouched page was ever used.
constexpr u32 kUntouchedPage = 0;
constexpr u32 kSharedPage = ~0u;
constexpr u32 kLockedPage = ~0u - 1;  // Shared, and somebody is at work there.
constexpr u32 kPageChangesHands = ~0u - 2;
// Shared, and each cell is locked by itself (TryLockCell).
constexpr u32 kPageOfCells = ~0u - 3;

constexpr u32 OwnerWord(SlotId slot) { return slot + 1; }
constexpr SlotId OwnerOf(u32 word) { return word - 1; }

struct alignas(SANITIZER_CACHE_LINE_SIZE) CellWork {
  // Where the thread of the slot changes cells: the number of the page, or 0.
  atomic_uintptr_t page;
  // The number with which somebody who takes pages away from the slot asks for
  // an answer; 0: nobody asks.
  atomic_uint32_t question;
  atomic_uint32_t answer;  // The last question that the slot's thread has seen.
  atomic_uintptr_t log;    // What the slot has read of logged cells (ReadLog).
};
extern ATSAN_HIDDEN CellWork cell_work[kMaxSlots];

void PageInit();
// Do pages have owners? Without membarrier(2) they have none.
bool PagesHaveOwners();
// Owners lose pages one after the other.
extern ATSAN_HIDDEN StaticSpinMutex page_mutex;
// Held while at work without cell_work.
extern ATSAN_HIDDEN StaticSpinMutex unseen_mutex;

inline void MarkCellWork(const CheckerThread *thr, uptr addr) {
  atomic_store(&thr->work->page, addr / kShadowPage, memory_order_release);
}
inline void ClearCellWork(const CheckerThread *thr) {
  atomic_store(&thr->work->page, 0, memory_order_release);
}

// Locks the page if it is shared. `word`: the page's word a moment ago.
ALWAYS_INLINE bool LockIfShared(Page *page, u32 word) {
  return LIKELY(word == kSharedPage) &&
         LIKELY(atomic_compare_exchange_strong(&page->word, &word, kLockedPage,
                                               memory_order_acquire));
}

// Tries to enter the page of `addr`: if true, nobody but the caller changes
// cells there until LeavePage. The caller is at work in no other page.
ALWAYS_INLINE bool TryEnterPage(const CheckerThread *thr, uptr addr,
                                Page *page) {
  MarkCellWork(thr, addr);
  atomic_signal_fence(memory_order_seq_cst);
  const u32 word = atomic_load(&page->word, memory_order_acquire);
  if (word == thr->owner_word || LockIfShared(page, word))
    return true;
  ClearCellWork(thr);
  return false;
}

void EnterPageOfOthers(const CheckerThread *thr, uptr addr, Page *page);
// Waits until nobody but the caller changes cells of the page of `addr`; see
// TryEnterPage.
inline void EnterPage(const CheckerThread *thr, uptr addr, Page *page) {
  if (UNLIKELY(!TryEnterPage(thr, addr, page)))
    EnterPageOfOthers(thr, addr, page);
}

inline u16 AllTurns(const Page *page) {
  return page->patience ? 1u << page->patience : 0;
}

// Threads that met so often in a page keep each other from their work.
#ifndef ATSAN_MANY_MEETINGS
#define ATSAN_MANY_MEETINGS 16
#endif
constexpr u32 kManyMeetings = ATSAN_MANY_MEETINGS;
inline bool MeetsOthers(const Page *page) {
  return page->meetings >= kManyMeetings;
}

ALWAYS_INLINE void UnlockPage(const CheckerThread *thr, Page *page) {
  u16 slot = thr->slot;
  if (UNLIKELY(page->last != slot)) {
    page->last = slot;
    page->turns = AllTurns(page);
  } else if (UNLIKELY(--page->turns == 0)) {
    page->turns = AllTurns(page);
    u32 next = page->patience ? thr->owner_word : kSharedPage;
    atomic_store(&page->word, next, memory_order_release);
    asm volatile("");  // Two stores, and one of a constant.
    return;
  }
  atomic_store(&page->word, kSharedPage, memory_order_release);
}

// Lets threads that meet in a page lock single cells. The caller is at work in
// the page, and changes no more there.
void ShareByCells(Page *page);

// Locks the cell in a page of cells, if it still holds `c`: nobody but the
// caller changes it until UnlockCell. False also in any other page.
ALWAYS_INLINE bool TryLockCell(const CheckerThread *thr, uptr addr, Page *page,
                               AtomicCell *cell, Cell c) {
  // A fence stands before the look at the page: no other thread must supply it.
  atomic_exchange(&thr->work->page, addr / kShadowPage, memory_order_seq_cst);
  if (LIKELY(atomic_load(&page->word, memory_order_acquire) == kPageOfCells) &&
      LIKELY(atomic_compare_exchange_strong(cell, &c, kLockedCell,
                                            memory_order_acquire)))
    return true;
  ClearCellWork(thr);
  return false;
}

ALWAYS_INLINE void UnlockCell(const CheckerThread *thr, AtomicCell *cell,
                              Cell c) {
  atomic_store(cell, c, memory_order_release);
  ClearCellWork(thr);
}

// Leaves the page, but does not look for a question: hooks have no room for
// more.
ALWAYS_INLINE void LeavePageQuietly(const CheckerThread *thr, Page *page) {
  if (atomic_load(&page->word, memory_order_relaxed) == kLockedPage)
    UnlockPage(thr, page);
  ClearCellWork(thr);
}

// Answers for a thread that is at work in no page: what it does from now on it
// does after it has seen which pages it has lost.
void AnswerQuestion(CellWork *work);

ALWAYS_INLINE void LeavePage(const CheckerThread *thr, Page *page) {
  LeavePageQuietly(thr, page);
  if (UNLIKELY(atomic_load(&thr->work->question, memory_order_acquire)))
    AnswerQuestion(thr->work);
}

// Makes a fence in all threads. Somebody who is at work in a page, has changed
// something there, and must know that others have seen it then waits for each
// slot.
void FenceInAllThreads();
// Waits until the slot does not say that it is at work in the page of `addr`.
void WaitForSlot(SlotId slot, uptr addr);

// Enters a page for somebody who has no slot to say so: a thread that the
// checker does not know, or a merge of slots.
void EnterPageUnseen(uptr addr, Page *page);
void LeavePageUnseen(Page *page);

}  // namespace __atsan

#endif  // ATSAN_PAGE_H
