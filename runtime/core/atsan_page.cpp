//===-- atsan_page.cpp -------------------------------------*- C++ -*-===//
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
#include "atsan_page.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

CellWork cell_work[kMaxSlots];

// Without membarrier(2) all pages are shared from the beginning.
static bool pages_have_owners;

static StaticSpinMutex page_mutex;

static bool MemoryBarrier(int command) {
  // Not the wrapper of libc, which sets errno.
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

u32 PageClaim(const CheckerThread *thr, PageWord *word) {
  u32 owner = kUntouchedPage;
  u32 mine = pages_have_owners ? thr->slot + 1 : kSharedPage;
  return atomic_compare_exchange_strong(word, &owner, mine,
                                        memory_order_acq_rel)
             ? mine
             : owner;
}

static void WaitForOwner(SlotId owner, uptr page) {
  // A seccomp filter may have come since PageInit.
  if (!MemoryBarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) {
    Report(
        "FATAL: AtomicitySanitizer: membarrier(2) worked at the start of the "
        "program and is refused now; do not filter it\n");
    Die();
  }
  while (atomic_load(&cell_work[owner].page, memory_order_acquire) == page)
    internal_sched_yield();
}

void PageShare(uptr addr, PageWord *word) {
  if (LIKELY(atomic_load(word, memory_order_acquire) == kSharedPage))
    return;
  SpinMutexLock lock(&page_mutex);
  u32 owner = kUntouchedPage;
  while (!atomic_compare_exchange_strong(word, &owner, kPageChangesHands,
                                         memory_order_acq_rel))
    if (owner == kSharedPage)
      return;
  if (owner != kUntouchedPage)
    WaitForOwner(owner - 1, addr / kShadowPage);
  atomic_store(word, kSharedPage, memory_order_release);
}

void PageLockForFork() { page_mutex.Lock(); }
void PageUnlockAfterFork() { page_mutex.Unlock(); }

void PagesAfterForkInChild(u32 num_slots) {
  for (u32 slot = 0; slot < num_slots; slot++) {
    uptr page = atomic_load(&cell_work[slot].page, memory_order_relaxed);
    if (!page)
      continue;
    // What the thread was about to do is lost with it.
    for (uptr addr = page * kShadowPage; addr < (page + 1) * kShadowPage;
         addr += kGranule) {
      AtomicCell *cell = ShadowFind(addr);
      if (IsLocked(atomic_load(cell, memory_order_relaxed)))
        atomic_store(cell, kEmptyCell, memory_order_relaxed);
    }
    atomic_store(&cell_work[slot].page, 0, memory_order_relaxed);
  }
}

}  // namespace __atsan
