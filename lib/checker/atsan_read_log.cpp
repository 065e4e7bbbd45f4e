//===-- atsan_read_log.cpp --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads are noted, and collected.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_read_log.h"

#include "lib/checker/atsan_graph_internal.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

atomic_uintptr_t read_logs[kMaxSlots];

static void MakeLog(SlotId slot) {
  void *log = MmapNoReserveOrDie(sizeof(ReadLog), "AtomicitySanitizer reads");
  atomic_store(&read_logs[slot], reinterpret_cast<uptr>(log),
               memory_order_release);
}

// One of the places of the set that `own` is in: 0 is `own` itself.
static LoggedRead *InSetOf(LoggedRead *own, u32 i) {
  return reinterpret_cast<LoggedRead *>(reinterpret_cast<uptr>(own) ^
                                        i * sizeof(LoggedRead));
}

bool AddToLog(Cell self, const AtomicCell *cell, u32 bytes, LocId loc) {
  const uptr key = reinterpret_cast<uptr>(cell);
  const SlotId slot = SlotOf(self);
  if (UNLIKELY(!atomic_load(&read_logs[slot], memory_order_relaxed)))
    MakeLog(slot);
  LoggedRead *own = OwnPlaceInLog(slot, cell);
  LoggedRead *place = nullptr;
  u32 added = bytes;
  for (u32 i = kLogWays; i--;) {
    LoggedRead *r = InSetOf(own, i);
    Cell e = atomic_load(&r->entry, memory_order_relaxed);
    const uptr other = atomic_load(&r->cell, memory_order_relaxed);
    if (other == key && SameTxn(e, self)) {
      added &= ~BytesOf(e);
    } else if (!other || !IsLive(TxnOf(e))) {
      place = r;
    } else if (other == key && !(BytesOf(e) & ~bytes)) {
      // The later read of the same thread says more.
      atomic_store(&r->cell, 0, memory_order_relaxed);
      place = r;
    }
  }
  if (!added)
    return true;
  if (!place)
    return false;
  PutLoggedRead(place, key, self | added, loc);
  return true;
}

bool LogRead(const CheckerThread *thr, uptr addr, u32 bytes, LocId loc) {
  const AtomicCell *cell = CellInLeaf(ShadowLeaf(addr), addr);
  MarkCellWork(thr, addr);
  atomic_signal_fence(memory_order_seq_cst);
  bool done = IsLogged(atomic_load(cell, memory_order_acquire)) &&
              LogAtWork(thr, cell, bytes, loc);
  ClearCellWork(thr);
  return done;
}

// --- Logged or not. ----------------------------------------------------------

// How many changes of a list in place come before its cell is logged.
#ifndef ATSAN_LOG_AFTER
#define ATSAN_LOG_AFTER 32
#endif
constexpr u32 kLogAfter = ATSAN_LOG_AFTER;
constexpr bool kLogsReads = kLogAfter < kDetailSteps;

// A cell that was logged in vain costs some hundred reads. The more often that
// happens in a page, the more reads it takes there until one is logged again,
// as powers of two.
#ifndef ATSAN_MIN_LOG_WAIT
#define ATSAN_MIN_LOG_WAIT 5
#endif
constexpr u32 kMinLogWait = ATSAN_MIN_LOG_WAIT, kMaxLogCost = 10;

static void CountLoggedInVain(Page *page) {
  const u32 cost = Min<u32>(page->log_cost + 1, kMaxLogCost);
  page->log_cost = cost;
  page->log_wait = 1 << (kMinLogWait + cost);
}

bool MayLog(Page *page) {
  // A read that waits for another thread costs as much as several.
  const u16 by = MeetsOthers(page) ? 4 : 1;
  if (page->log_wait >= by) {
    page->log_wait -= by;
    return false;
  }
  page->log_wait = 0;
  page->meetings = 0;
  return kLogsReads && PagesHaveOwners();
}

void ConsiderLog(Page *page, AtomicCell *cell) {
  Cell c = atomic_load(cell, memory_order_relaxed);
  if (!kLogsReads ||
      StepsInGroup(c) < (MeetsOthers(page) ? kLogAfter / 8 : kLogAfter) ||
      !MayLog(page))
    return;
  bool has_writes = false;
  ForEachEntry(BlockOf(c), [&](Cell e, LocId, atomic_uint64_t *) {
    has_writes |= WritesOf(e) && IsLive(TxnOf(e));
    return !has_writes;
  });
  if (!has_writes)
    atomic_store(cell, c | kLoggedBit, memory_order_release);
}

// Moves what the slot has logged into the list.
static void CollectLog(SlotId slot, const AtomicCell *cell, BlockId block) {
  LoggedRead *own = OwnPlaceInLog(slot, cell);
  for (u32 i = 0; own && i < kLogWays; i++) {
    LoggedRead *r = InSetOf(own, i);
    uptr key = atomic_load(&r->cell, memory_order_acquire);
    if (key != reinterpret_cast<uptr>(cell))
      continue;
    Cell entry = atomic_load(&r->entry, memory_order_relaxed);
    LocId loc = atomic_load(&r->loc, memory_order_relaxed);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    // The thread may use the place of a dead read for another cell meanwhile.
    if (!atomic_compare_exchange_strong(&r->cell, &key, 0,
                                        memory_order_acq_rel))
      continue;
    if (IsLive(TxnOf(entry)))
      AddEntry(block, entry, loc);
  }
}

Cell CollectLogs(SlotId own, uptr addr, const CellRef &ref, Cell c) {
  Page *page = ref.page;
  CountLoggedInVain(page);
  FenceInAllThreads();
  // Threads that come after the fence find the cell changed.
  const u32 n = atomic_load(&num_slots, memory_order_acquire);
  for (u32 slot = 0; slot < n; slot++) {
    if (slot != own)
      WaitForSlot(slot, addr);
    CollectLog(slot, ref.cell, BlockOf(c));
  }
  return NewDetailCell(BlockOf(c));
}

void ReadLogsReset() {
  const u32 n = atomic_load(&num_slots, memory_order_relaxed);
  for (u32 slot = 0; slot < n; slot++)
    if (uptr log = atomic_load(&read_logs[slot], memory_order_relaxed)) {
      atomic_store(&read_logs[slot], 0, memory_order_relaxed);
      UnmapOrDie(reinterpret_cast<void *>(log), sizeof(ReadLog));
    }
}

}  // namespace __atsan
