//===-- atsan_page.cpp ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pages get an owner and lose it.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_page.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>

#include "lib/checker/atsan_graph_internal.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

CellWork cell_work[kMaxSlots];

// Without membarrier(2) all pages are shared from the beginning.
static bool pages_have_owners;
bool PagesHaveOwners() { return pages_have_owners; }

StaticSpinMutex page_mutex;
StaticSpinMutex unseen_mutex;

// How often in a row a thread must have locked a page to become its owner, as a
// power of two. The larger, the more often the page was taken away: that costs
// as much as some hundred locks.
constexpr u8 kMinPatience = __builtin_ctzll(kShadowPage) - 2;
constexpr u8 kMaxPatience = 15;

// How many pages lose their owner at once.
constexpr uptr kTakenTogether = 16;

static bool MemoryBarrier(int command) {
  // The wrapper of libc would set errno.
  uptr result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(static_cast<uptr>(SYS_membarrier)),
                 "D"(static_cast<uptr>(command)), "S"(0ul), "d"(0ul)
               : "rcx", "r11", "memory", "cc");
  return result == 0;
}

void PageInit() {
  pages_have_owners =
      MemoryBarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
      MemoryBarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

void FenceInAllThreads() {
  if (MemoryBarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED))
    return;
  // A seccomp filter may have come since PageInit.
  Report(
      "FATAL: AtomicitySanitizer: membarrier(2) worked at the start of the "
      "program and is refused now; do not filter it\n");
  Die();
}

void WaitForSlot(SlotId slot, uptr addr) {
  while (atomic_load(&cell_work[slot].page, memory_order_acquire) ==
         addr / kShadowPage)
    internal_sched_yield();
}

// How long the owner has for its answer: less than a fence in all threads costs
// if they run.
#ifndef ATSAN_LOOKS_FOR_ANSWER
#define ATSAN_LOOKS_FOR_ANSWER 64
#endif
constexpr u32 kLooksForAnswer = ATSAN_LOOKS_FOR_ANSWER;

void AnswerQuestion(CellWork *work) {
  u32 question = atomic_load(&work->question, memory_order_acquire);
  atomic_store(&work->answer, question, memory_order_release);
  // Another question may have come meanwhile.
  atomic_compare_exchange_strong(&work->question, &question, 0,
                                 memory_order_relaxed);
}

// Has the thread of the slot been at work nowhere, and seen what the caller has
// written before? If not, it may not run, or have nothing to do with memory.
static bool Answers(SlotId slot) SANITIZER_REQUIRES(page_mutex) {
  static u32 last_question;
  CellWork *work = &cell_work[slot];
  u32 question = ++last_question ? last_question : ++last_question;
  atomic_store(&work->question, question, memory_order_release);
  for (u32 i = 0; i < kLooksForAnswer; i++) {
    if (atomic_load(&work->answer, memory_order_acquire) == question)
      return true;
    proc_yield(1);
  }
  atomic_store(&work->question, 0, memory_order_relaxed);
  return false;
}

// Takes the page away from its owner, if it has one, and with it those around
// that have the same owner: memory that threads hand to each other lies
// together, and the fence costs more than some hundred locks. The caller may
// not be at work in any page.
static void TakeFromOwner(uptr addr, Page *page) {
  SpinMutexLock lock(&page_mutex);
  const u32 word = atomic_load(&page->word, memory_order_acquire);
  if (word == kSharedPage || word == kLockedPage || word == kPageOfCells)
    return;
  const uptr first = RoundDownTo(addr, kTakenTogether * kShadowPage);
  Page *pages = page - (addr - first) / kShadowPage;
  bool taken[kTakenTogether];
  for (uptr i = 0; i < kTakenTogether; i++) {
    u32 owner = word;
    taken[i] =
        (word != kUntouchedPage || pages + i == page) &&
        atomic_compare_exchange_strong(&pages[i].word, &owner,
                                       kPageChangesHands, memory_order_acq_rel);
  }
  const bool waits = word != kUntouchedPage && !Answers(OwnerOf(word));
  if (waits)
    FenceInAllThreads();
  for (uptr i = 0; i < kTakenTogether; i++) {
    if (!taken[i])
      continue;
    if (waits)
      WaitForSlot(OwnerOf(word), first + i * kShadowPage);
    if (pages_have_owners)
      pages[i].patience =
          Min<u32>(Max<u32>(pages[i].patience + 1, kMinPatience), kMaxPatience);
    pages[i].turns = AllTurns(&pages[i]);
    pages[i].meetings = 0;
    atomic_store(&pages[i].word, kSharedPage, memory_order_release);
  }
}

void ShareByCells(Page *page) {
  if (atomic_load(&page->word, memory_order_relaxed) == kLockedPage)
    atomic_store(&page->word, kPageOfCells, memory_order_release);
}

// Makes a page of cells a shared one. The caller may not be at work in any
// page.
static void TakeFromCells(uptr addr, Page *page) {
  SpinMutexLock lock(&page_mutex);
  u32 word = kPageOfCells;
  if (!atomic_compare_exchange_strong(&page->word, &word, kPageChangesHands,
                                      memory_order_seq_cst))
    return;
  const u32 n = atomic_load(&num_slots, memory_order_acquire);
  for (u32 slot = 0; slot < n; slot++)
    WaitForSlot(slot, addr);
  page->meetings = 0;
  atomic_store(&page->word, kSharedPage, memory_order_release);
}

// Waits after a failed attempt to lock the page.
static void WaitForPage(uptr addr, Page *page, u32 *rounds) {
  u32 word = atomic_load(&page->word, memory_order_relaxed);
  if (word == kPageOfCells)
    TakeFromCells(addr, page);
  else if (word != kSharedPage && word != kLockedPage)
    TakeFromOwner(addr, page);
  else if (++*rounds % 16)
    proc_yield(10);
  else
    internal_sched_yield();
}

void EnterPageOfOthers(const CheckerThread *thr, uptr addr, Page *page) {
  u32 word = kUntouchedPage;
  if (pages_have_owners &&
      atomic_compare_exchange_strong(&page->word, &word, thr->owner_word,
                                     memory_order_acq_rel))
    ShadowPopulate(addr);
  if (TryEnterPage(thr, addr, page))
    return;
  u32 rounds = 0;
  // A thread that waits for a page does not say that it is at work there:
  // others may wait for the contrary.
  do
    WaitForPage(addr, page, &rounds);
  while (!TryEnterPage(thr, addr, page));
  if (rounds && page->meetings < kManyMeetings)
    page->meetings++;
}

void EnterPageUnseen(uptr addr,
                     Page *page) SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  unseen_mutex.Lock();
  for (u32 rounds = 0;
       !LockIfShared(page, atomic_load(&page->word, memory_order_relaxed));)
    WaitForPage(addr, page, &rounds);
}

void LeavePageUnseen(Page *page) SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  atomic_store(&page->word, kSharedPage, memory_order_release);
  unseen_mutex.Unlock();
}

}  // namespace __atsan
