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

static LoggedRead *OwnReadsOf(SlotId slot, const AtomicCell *cell, u32 first) {
  if (LoggedRead *set = LoggedReadsOf(slot, cell, first))
    return set;
  void *log = MmapNoReserveOrDie(sizeof(ReadLog), "AtomicitySanitizer reads");
  atomic_store(&read_logs[slot], reinterpret_cast<uptr>(log),
               memory_order_release);
  return LoggedReadsOf(slot, cell, first);
}

bool AddToLog(Cell self, const AtomicCell *cell, u32 bytes, LocId loc) {
  const uptr key = reinterpret_cast<uptr>(cell);
  LoggedRead *set = OwnReadsOf(SlotOf(self), cell, FirstByte(bytes));
  LoggedRead *place = nullptr, *unused = nullptr;
  u32 added = bytes;
  for (u32 i = 0; i < kLogWays; i++) {
    LoggedRead *r = &set[i];
    Cell e = atomic_load(&r->entry, memory_order_relaxed);
    if (atomic_load(&r->cell, memory_order_relaxed) != key) {
      if (!atomic_load(&r->cell, memory_order_relaxed) || !IsLive(TxnOf(e)))
        unused = r;
    } else if (SameTxn(e, self)) {
      added &= ~BytesOf(e);
    } else if (!(BytesOf(e) & ~bytes) || !IsLive(TxnOf(e))) {
      place = r;  // The later read of the same thread says more.
    }
  }
  if (!added)
    return true;
  if (!place)
    place = unused;
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
              AddToLog(thr->self, cell, bytes, loc);
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

// A cell has been logged long enough if its threads have had so many regions
// since: reads in these cost as much as collecting them.
constexpr u32 kWorthLogging = 64;

// How many transactions after what the list has of the slot is this one?
static u32 SinceListed(BlockId block, Cell entry) {
  u32 since = 0;
  ForEachEntry(block, [&](Cell e, LocId, atomic_uint64_t *) {
    if (SlotOf(e) == SlotOf(entry))
      since = IndexOf(entry) - IndexOf(e);
    return true;
  });
  return since;
}

// Moves what a set of the slot's log has of the cell into the list. Returns for
// how many of its transactions the cell was logged.
static u32 CollectSet(LoggedRead *set, const AtomicCell *cell, BlockId block) {
  u32 since = 0;
  for (u32 i = 0; i < kLogWays; i++) {
    uptr key = atomic_load(&set[i].cell, memory_order_acquire);
    if (key != reinterpret_cast<uptr>(cell))
      continue;
    Cell entry = atomic_load(&set[i].entry, memory_order_relaxed);
    LocId loc = atomic_load(&set[i].loc, memory_order_relaxed);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    // The thread may use the place of a dead read for another cell meanwhile.
    if (!atomic_compare_exchange_strong(&set[i].cell, &key, 0,
                                        memory_order_acq_rel))
      continue;
    since = Max(since, SinceListed(block, entry));
    if (IsLive(TxnOf(entry)))
      AddEntry(block, entry, loc);
  }
  return since;
}

// Moves all that the slot has logged of the cell; returns as CollectSet does.
static u32 CollectLog(SlotId slot, const AtomicCell *cell, BlockId block) {
  u32 since = 0;
  for (u32 first = 0; first < kGranule; first++)
    if (LoggedRead *set = LoggedReadsOf(slot, cell, first))
      since = Max(since, CollectSet(set, cell, block));
  return since;
}

Cell CollectLogs(SlotId own, uptr addr, const CellRef &ref, Cell c) {
  FenceInAllThreads();
  // Threads that come after the fence find the cell changed.
  const u32 n = atomic_load(&num_slots, memory_order_acquire);
  u32 since = 0;
  for (u32 slot = 0; slot < n; slot++) {
    if (slot != own)
      WaitForSlot(slot, addr);
    since += CollectLog(slot, ref.cell, BlockOf(c));
  }
  if (since < kWorthLogging)
    CountLoggedInVain(ref.page);
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
